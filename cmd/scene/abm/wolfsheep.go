package abm

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/random"
)

// WolfSheep is the model of predators, prey and grass.
type WolfSheep struct {
	Sheep, Wolves int32   // at first
	Side          int32   // fields along each axis, at most 1,000
	Regrowth      int32   // steps until eaten grass is grown again, at most 255
	SheepBirths   float64 // chance per step
	WolfBirths    float64
	SheepGain     float64 // energy from grass
	WolfGain      float64 // energy from a sheep
}

// The sizes that the comparison declares.
var (
	WolfSheepSmall = WolfSheep{60, 40, 25, 20, .2, .1, 5, 13}
	WolfSheepLarge = WolfSheep{1000, 500, 100, 10, .4, .2, 5, 13}
)

var (
	sheepAt     = layout.NewField[uint32]("field")
	sheepEnergy = layout.NewField[float64]("energy")
	sheepNext   = layout.NewField[uint32]("next") // rows of the others in the same field, from 1
	sheepLast   = layout.NewField[uint32]("last")
	sheep       = layout.NewKind("sheep", sheepAt, sheepEnergy, sheepNext, sheepLast)
	lamb        = world.NewRecipe("lamb", sheep)

	wolfAt     = layout.NewField[uint32]("field")
	wolfEnergy = layout.NewField[float64]("energy")
	wolf       = layout.NewKind("wolf", wolfAt, wolfEnergy)
	cub        = world.NewRecipe("cub", wolf)

	flockHead = layout.NewField[uint32]("sheep")  // row of the first sheep here, from 1; 0: none
	grass     = layout.NewField[uint8]("regrows") // steps until the grass is grown; 0: it is
	pasture   = layout.NewKind("pasture", flockHead, grass)
	land      = world.NewRecipe("land", pasture)
	herds     = layout.NewField[WolfSheep]("wolfsheep")
	herd      = world.NewResource("herd", herds)
)

// WolfSheepReports are how many sheep and wolves there are, and their mean energies.
var WolfSheepReports = []lab.Reporter{
	lab.Count("sheeps", world.With(sheep)), lab.Count("wolfs", world.With(wolf)),
	lab.Of(sheepEnergy).Mean("sheepEnergy"), lab.Of(wolfEnergy).Mean("wolfEnergy"),
	lab.Of(grass).Histogram("grass", 0, 256, 2),
}

// Counts returns the room that the model takes: for eight sheep and eight wolves per field at
// most.
func (p WolfSheep) Counts() world.Counts {
	fields := int(p.Side) * int(p.Side)
	most := max(8*fields, int(max(p.Sheep, p.Wolves)))
	return world.Counts{
		GameObjects: 2*most + fields, Resources: []world.ResourceKind{herd},
		Recipes: []world.Recipe{lamb, cub, land},
		Kinds:   layout.Kinds(sheep.Count(most), wolf.Count(most), pasture.Count(fields)),
	}
}

// Setup puts the animals anywhere, and lets half of the grass be grown.
func (p WolfSheep) Setup(s world.State) (world.State, error) {
	if p.Side < 1 || p.Regrowth < 1 || p.Regrowth > 255 || p.SheepGain < 1 || p.WolfGain < 1 {
		return s, fmt.Errorf("abm: gains of %v and %v, and grass that grows %d steps on a side "+
			"of %d; give 1 or more each, and at most 255 steps",
			p.SheepGain, p.WolfGain, p.Regrowth, p.Side)
	}
	fields := int(p.Side) * int(p.Side)
	s, err := world.SpawnN(world.SetResource(s, herds, p), land, fields, nil)
	if err != nil {
		return s, err
	}
	h := herdOf(s)
	r := world.Random(s)
	for i := range h.grass {
		if r.IntN(2) == 0 {
			h.grass[i] = uint8(1 + r.IntN(int(p.Regrowth)))
		}
	}
	s = tool.Touch(s, pasture, 0, fields)
	energy := func(gain float64) float64 { return float64(r.IntN(int(2 * gain))) }
	s, err = world.SpawnN(s, lamb, int(p.Sheep), func(b world.Batch) {
		for i := range b.Len() {
			h.born(b, i, uint32(r.IntN(fields)), energy(p.SheepGain))
		}
	})
	if err != nil {
		return s, err
	}
	return world.SpawnN(s, cub, int(p.Wolves), func(b world.Batch) {
		at, all := world.Column(b, wolfAt), world.Column(b, wolfEnergy)
		for i := range at {
			at[i], all[i] = uint32(r.IntN(fields)), energy(p.WolfGain)
		}
	})
}

// A farm is the columns of sheep and fields.
type farm struct {
	p              WolfSheep
	at, next, last []uint32
	energy         []float64
	head           []uint32
	grass          []uint8
}

func herdOf(s world.State) *farm {
	return &farm{
		p: world.Resource(s, herds), at: world.View(s, sheepAt), next: world.View(s, sheepNext),
		last: world.View(s, sheepLast), energy: world.View(s, sheepEnergy),
		head: world.View(s, flockHead), grass: world.View(s, grass),
	}
}

// born sets up object i of a batch of new sheep.
func (h *farm) born(b world.Batch, i int, field uint32, energy float64) {
	row := uint32(b.Row(i, sheep))
	h.energy[row] = energy
	h.enter(row, field)
}

// enter puts a sheep in front of the others in a field.
func (h *farm) enter(row, field uint32) {
	next := h.head[field]
	h.at[row], h.head[field], h.next[row], h.last[row] = field, row+1, next, 0
	if next != 0 {
		h.last[next-1] = row + 1
	}
}

func (h *farm) leave(row uint32) {
	next, last := h.next[row], h.last[row]
	if last != 0 {
		h.next[last-1] = next
	} else {
		h.head[h.at[row]] = next
	}
	if next != 0 {
		h.last[next-1] = last
	}
}

// walk returns one of the eight fields around one, or the nearest to it inside the fence.
func (p WolfSheep) walk(field uint32, r *world.Stream) uint32 {
	side, way := int(p.Side), r.IntN(8)
	if way > 3 {
		way++ // 4 is to stay
	}
	x := min(max(int(field)%side+way%3-1, 0), side-1)
	y := min(max(int(field)/side+way/3-1, 0), side-1)
	return uint32(y*side + x)
}

// StepWolfSheep lets all sheep act, then all wolves, each in a new random order, then the grass.
func StepWolfSheep(s world.State) world.State {
	h := herdOf(s)
	s = h.stepWolves(h.stepSheep(s))
	for i, left := range h.grass {
		h.grass[i] = left - min(left, 1)
	}
	return world.Advance(tool.Touch(s, pasture, 0, len(h.grass)))
}

// order returns the rows of a kind in a random order.
func order(s world.State, k layout.Kind, r *world.Stream) []uint32 {
	turns := make([]uint32, 0, tool.Mounted(s, k))
	for row := range world.All(s, k) {
		turns = append(turns, uint32(row))
	}
	random.Shuffle(turns, r)
	return turns
}

// dies disposes the object of a row.
func dies(s world.State, k layout.Kind, row uint32) world.State {
	id, _ := world.ObjectOf(s, k, layout.Row(row))
	return world.Must(world.DisposeGameObject(s, id))
}

func (h *farm) stepSheep(s world.State) world.State {
	r, births := world.Random(s, 1), 0
	turns := order(s, sheep, &r)
	for _, i := range turns {
		h.leave(i)
		field := h.p.walk(h.at[i], &r)
		h.energy[i]--
		if h.grass[field] == 0 {
			h.energy[i] += h.p.SheepGain
			h.grass[field] = uint8(h.p.Regrowth)
		}
		if h.energy[i] < 0 {
			s = dies(s, sheep, i)
			continue
		}
		h.enter(i, field)
		if r.Float64() < h.p.SheepBirths {
			h.energy[i] /= 2
			turns[births] = i // of one that acted before
			births++
		}
	}
	parents := turns[:births]
	s = world.Must(world.SpawnN(s, lamb, births, func(b world.Batch) {
		for i, parent := range parents[:b.Len()] {
			h.born(b, i, h.at[parent], h.energy[parent])
		}
		parents = parents[b.Len():]
	}))
	return tool.Touch(s, sheep, 0, len(h.at))
}

func (h *farm) stepWolves(s world.State) world.State {
	at, energy := world.View(s, wolfAt), world.View(s, wolfEnergy)
	r, births := world.Random(s, 2), 0
	turns := order(s, wolf, &r)
	for _, i := range turns {
		at[i] = h.p.walk(at[i], &r)
		energy[i]--
		if prey := h.prey(at[i], &r); prey != 0 {
			energy[i] += h.p.WolfGain
			h.leave(prey - 1)
			s = dies(s, sheep, prey-1)
		}
		if energy[i] < 0 {
			s = dies(s, wolf, i)
			continue
		}
		if r.Float64() < h.p.WolfBirths {
			energy[i] /= 2
			turns[births] = i
			births++
		}
	}
	parents := turns[:births]
	s = world.Must(world.SpawnN(s, cub, births, func(b world.Batch) {
		places, energies := world.Column(b, wolfAt), world.Column(b, wolfEnergy)
		for i, parent := range parents[:b.Len()] {
			places[i], energies[i] = at[parent], energy[parent]
		}
		parents = parents[b.Len():]
	}))
	return tool.Touch(s, wolf, 0, len(at))
}

// prey returns one of the sheep in a field, each equally likely: its row from 1, or 0 for none.
func (h *farm) prey(field uint32, r *world.Stream) uint32 {
	n := 0
	for i := h.head[field]; i != 0; i = h.next[i-1] {
		n++
	}
	if n == 0 {
		return 0
	}
	i := h.head[field]
	for range r.IntN(n) {
		i = h.next[i-1]
	}
	return i
}
