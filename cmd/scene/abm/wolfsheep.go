package abm

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/random"
)

// WolfSheep is the model of predators, prey and grass.
type WolfSheep struct {
	Sheep, Wolves int32   // at the beginning
	Side          int32   // fields along each axis, at most 1,000
	Regrowth      int32   // steps until eaten grass has regrown
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

// An animal is a sheep or a wolf.
type animal struct {
	Energy float64
	X, Y   uint16
	Next   uint32 // of sheep: row of the next sheep in this field, from 1; 0: none
}

var (
	sheep = layout.NewComponent[animal]("sheep")
	wolf  = layout.NewComponent[animal]("wolf")
	lamb  = world.NewRecipe("lamb", sheep)
	cub   = world.NewRecipe("cub", wolf)

	first   = layout.NewField[uint32]("first") // row of the first sheep here, from 1; 0: none
	grass   = layout.NewField[uint32]("grown") // tick at which the grass is grown
	pasture = layout.NewKind("pasture", first, grass)
	land    = world.NewRecipe("land", pasture)
	herds   = layout.NewField[WolfSheep]("wolfsheep")
	herd    = world.NewResource("herd", herds)
)

// most returns the room for sheep, and for wolves: eight per field.
func (p WolfSheep) most() int { return max(8*cells(p.Side), int(max(p.Sheep, p.Wolves))) }

// Counts returns the counts for the model.
func (p WolfSheep) Counts() world.Counts {
	if p.check() != nil { // Setup returns the error
		return WolfSheepSmall.Counts()
	}
	fields := cells(p.Side)
	kinds := layout.Kinds(sheep.Count(p.most()), wolf.Count(p.most()), pasture.Count(fields))
	return counts(2*p.most()+fields, herd, kinds, lamb, cub, land)
}

func (p WolfSheep) setup(s world.State) world.State {
	s = spawn(world.SetResource(s, herds, p), land, cells(p.Side))
	grass, r, now := world.View(s, grass), world.Random(s), uint32(world.Tick(s))
	for i := range grass {
		if r.IntN(2) == 0 {
			grass[i] = now + uint32(1+r.IntN(int(p.Regrowth)))
		}
	}
	s = p.settle(p.touch(s), lamb, sheep, p.Sheep, p.SheepGain, &r)
	return p.settle(s, cub, wolf, p.Wolves, p.WolfGain, &r)
}

// settle places n animals at random.
func (p WolfSheep) settle(
	s world.State, young world.Recipe, kind layout.Field[animal], n int32, gain float64,
	r *world.Stream,
) world.State {
	return world.Must(world.SpawnN(s, young, int(n), func(b world.Batch) {
		for i := range world.Column(b, kind) {
			x, y := uint16(r.IntN(int(p.Side))), uint16(r.IntN(int(p.Side)))
			world.Column(b, kind)[i] = animal{float64(r.IntN(int(2 * gain))), x, y, 0}
		}
	}))
}

// touch stamps the written columns.
func (p WolfSheep) touch(s world.State) world.State {
	s = tool.Touch(tool.Touch(s, sheep.Kind(), 0, p.most()), wolf.Kind(), 0, p.most())
	return tool.Touch(s, pasture, 0, cells(p.Side))
}

// StepWolfSheep lets all sheep act, then all wolves, each in a new random order.
func StepWolfSheep(s world.State) world.State {
	p, r, now := world.Resource(s, herds), world.Random(s), uint32(world.Tick(s))
	grass, first := world.View(s, grass), world.View(s, first)
	s = p.act(s, lamb, sheep, p.SheepBirths, &r, func(a *animal) {
		if at := p.field(a); grass[at] <= now {
			a.Energy += p.SheepGain
			grass[at] = now + uint32(p.Regrowth)
		}
	})
	flock, eaten := world.View(s, sheep), make([]world.GameObject, 0, 64)
	clear(first)
	for row := range world.All(s, sheep) {
		link := &first[p.field(&flock[row])]
		flock[row].Next, *link = *link, uint32(row)+1
	}
	s = p.act(s, cub, wolf, p.WolfBirths, &r, func(a *animal) {
		if link := &first[p.field(a)]; *link != 0 {
			a.Energy += p.WolfGain
			eaten = append(eaten, animalIn(s, sheep, take(link, flock, &r)))
		}
	})
	return world.Advance(world.Must(world.Dispose(p.touch(s), eaten...)))
}

// act lets all animals of a kind move and eat, in a new random order. Animals without energy die,
// and others give birth.
func (p *WolfSheep) act(
	s world.State, young world.Recipe, kind layout.Field[animal], births float64,
	r *world.Stream, eat func(a *animal),
) world.State {
	all, k := world.View(s, kind), kind.Kind()
	order := slices.AppendSeq(make([]layout.Row, 0, tool.Mounted(s, k)), world.All(s, k))
	random.Shuffle(order, r)
	parents, dead := order[:0], make([]world.GameObject, 0, 64)
	for _, row := range order {
		a := &all[row]
		p.walk(a, r.IntN(8))
		a.Energy--
		if eat(a); a.Energy < 0 {
			dead = append(dead, animalIn(s, kind, row))
		} else if r.Float64() < births {
			a.Energy /= 2
			parents = append(parents, row)
		}
	}
	s = world.Must(world.Dispose(s, dead...))
	parents = parents[:min(len(parents), p.most()-tool.Mounted(s, k))] // as far as there is room
	return world.Must(world.SpawnN(s, young, len(parents), func(b world.Batch) {
		for i := range world.Column(b, kind) {
			world.Column(b, kind)[i] = all[parents[i]]
		}
		parents = parents[b.Len():]
	}))
}

// walk moves an animal to one of the eight fields around it, or to the nearest field inside the
// fence.
func (p *WolfSheep) walk(a *animal, way int) {
	way += way / 4 // 4 would mean staying
	a.X = uint16(min(max(int(a.X)+way%3-1, 0), int(p.Side)-1))
	a.Y = uint16(min(max(int(a.Y)+way/3-1, 0), int(p.Side)-1))
}

// field returns the row of the field that an animal is on.
func (p *WolfSheep) field(a *animal) int { return int(a.Y)*int(p.Side) + int(a.X) }

// take removes a random sheep from a list, each equally likely.
func take(link *uint32, flock []animal, r *world.Stream) (prey layout.Row) {
	n := 0
	for i := *link; i != 0; i = flock[i-1].Next {
		n++
	}
	for range r.IntN(n) {
		link = &flock[*link-1].Next
	}
	prey, *link = layout.Row(*link-1), flock[*link-1].Next
	return prey
}

// animalIn returns the animal in a row.
func animalIn(s world.State, kind layout.Field[animal], row layout.Row) world.GameObject {
	id, _ := world.ObjectOf(s, kind, row)
	return id
}
