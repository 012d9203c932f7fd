package frame

import (
	"slices"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/space"
)

// Declarations of the program.
var (
	slots         = layout.NewComponent[Slot]("slot")
	sprites       = layout.NewComponent[Sprite]("sprite")
	positions     = layout.NewComponent[Position]("position")
	velocities    = layout.NewComponent[Velocity]("velocity")
	accelerations = layout.NewComponent[Acceleration]("acceleration")
	lifetimes     = layout.NewComponent[Lifetime]("lifetime")
	healths       = layout.NewComponent[Health]("health")
	bodies        = layout.NewComponent[Body]("body")
	targets       = layout.NewComponent[world.GameObject]("target")
	heats         = layout.NewComponent[Burning]("burning")
	colds         = layout.NewComponent[Chilled]("chilled")
	frozen        = layout.NewMark("frozen")

	recipes = [SortCount]world.Recipe{
		Rock: world.NewRecipe("rock", slots, sprites, positions, bodies),
		Part: world.NewRecipe("part", slots, sprites, positions, family.ChildOf, pose.Local2,
			pose.Global2),
		Debris: world.NewRecipe("debris", slots, sprites, positions, velocities, accelerations),
		Bullet: world.NewRecipe("bullet", slots, sprites, positions, velocities, lifetimes),
		Creature: world.NewRecipe("creature", slots, sprites, positions, velocities,
			accelerations, healths, bodies, heats),
		Hunter: world.NewRecipe("hunter", slots, sprites, positions, velocities, healths,
			targets),
		Drone: world.NewRecipe("drone", slots, sprites, positions, velocities, accelerations,
			healths, colds),
	}

	aging   = world.NewQuery(world.Read(slots), world.Write(lifetimes))
	hunting = world.NewQuery(world.Read(slots, positions), world.Write(velocities, targets))
	faster  = world.NewQuery(world.Write(velocities), world.Read(accelerations))
	moving  = world.NewQuery(world.Write(positions), world.Read(velocities),
		world.Without(frozen), world.RowWise())
	healing  = world.NewQuery(world.Write(healths))
	drawn    = world.NewQuery(world.Write(sprites))
	turning  = world.NewQuery(world.Write(pose.Local2))
	placed   = world.NewQuery(world.Write(positions), world.Read(pose.Global2))
	massive  = world.NewQuery(world.Read(positions), world.With(bodies))
	everyone = world.NewQuery(world.Read(slots, sprites, positions))
)

// A flat is the game in this library, as docs/GUIDE.md recommends: objects by recipe; loops over
// columns; values by id through Open and WriterOf; similar changes at once or recorded.
type flat struct {
	script *Script
	systems
	state world.State
	ids   []world.GameObject // by slot
	freed []uint32           // slots
	hot   []change           // to become Chilled
	cold  []change           // to become Burning
	cells *space.Cells[Position]

	kernels bool // accelerate and move use kernels
}

type change struct {
	id    world.GameObject
	value float32
}

func newFlat(script *Script, counts world.Counts) *flat {
	n := script.Objects
	f := &flat{script: script, ids: make([]world.GameObject, n)}
	f.state = world.Must(world.CreateState(counts))
	for slot := range uint32(n) {
		f.create(slot)
	}
	for slot := range uint32(n) {
		if SortOf(slot) == Hunter {
			target := f.ids[script.Object(slot).Target]
			f.state = world.Must(world.Set(f.state, f.ids[slot], targets, target))
		}
	}
	f.cells = world.Must(space.NewCells(f.state, positions, space.Options{
		Size: Reach, Axes: []string{"X", "Y"}, Query: massive, Low: []float64{0, 0},
		High:  []float64{float64(script.Side), float64(script.Side)},
		Carry: []space.Carried{space.Carry(bodies)},
	}))
	f.systems = systems{
		damage: f.hit, freeze: f.toggle, swap: f.exchange, age: f.expire, spawn: f.spawn,
		chase: f.chase, accelerate: f.accelerate, move: f.move, heal: f.heal, animate: f.animate,
		hang: f.hang, assemble: f.assemble, collide: f.collide,
	}
	return f
}

// newCounted returns the game with exact counts, and with kernels.
func newCounted(script *Script) Game {
	f := newFlat(script, world.Counts{
		GameObjects: script.Objects + script.Objects/4 + 64*int(SortCount), // slabs need some room
		Kinds:       layout.Kinds(frozen),
		Recipes:     recipes[:],
		Queries: []world.Query{
			aging, hunting, faster, moving, healing, drawn, turning, placed, pose.Placing2, massive,
		},
		Commands: script.Objects / 20,
		Tasks:    8,
	})
	f.kernels = true
	return f
}

// newFree returns the game in a world without counts.
func newFree(script *Script) Game {
	return newFlat(script, world.Counts{Recipes: recipes[:], Kinds: layout.Kinds(frozen)})
}

func (f *flat) Close() { world.Close(f.state) }

func (f *flat) create(slot uint32) {
	o := f.script.Object(slot)
	values := []layout.FieldValue{
		slots.Value(o.Slot), sprites.Value(o.Sprite), positions.Value(o.Position),
	}
	add := func(has bool, v layout.FieldValue) {
		if has {
			values = append(values, v)
		}
	}
	add(o.Sort >= Debris, velocities.Value(o.Velocity))
	add(o.Sort == Part, pose.Local2.Value(o.Local.Pose2))
	if o.Parent != Nobody {
		add(true, family.ChildOf.Value(f.ids[o.Parent]))
	}
	add(o.Acceleration != Acceleration{}, accelerations.Value(o.Acceleration))
	add(o.Sort == Bullet, lifetimes.Value(o.Lifetime))
	add(o.Sort >= Creature, healths.Value(o.Health))
	add(o.Sort == Rock || o.Sort == Creature, bodies.Value(o.Body))
	f.state, f.ids[slot] = world.Must2(world.Spawn(f.state, recipes[o.Sort], values...))
}

// apply carries out the recorded commands.
func (f *flat) apply() { f.state = world.Must(world.Apply(f.state)) }

// few is the number of objects that are looked up at once.
const few = 64

// hit damages many objects at once.
func (f *flat) hit() {
	health := world.WriterOf(f.state, healths)
	var ids [few]world.GameObject
	var found [few]*Health
	for hits := range slices.Chunk(f.script.Hits, few) {
		for i, hit := range hits {
			ids[i] = f.ids[hit.Slot]
		}
		health.AtN(found[:], ids[:len(hits)])
		for i, hit := range hits {
			found[i].Damage(hit.Points)
		}
	}
}

// toggle adds and removes the mark.
func (f *flat) toggle() {
	c := world.Record(f.state)
	for _, slot := range f.script.Thaw {
		c.Remove(f.ids[slot], frozen)
	}
	for _, slot := range f.script.Freeze {
		c.Add(f.ids[slot], frozen)
	}
	f.apply()
}

// exchange records similar changes together, so that they are carried out block by block.
func (f *flat) exchange() {
	f.hot, f.cold = f.hot[:0], f.cold[:0]
	burning, chilled := world.ReaderOf(f.state, heats), world.ReaderOf(f.state, colds)
	for _, slot := range f.script.Swaps {
		id := f.ids[slot]
		if at, ok := burning.Get(id); ok {
			f.hot = append(f.hot, change{id, at.Heat + 1})
		} else if at, ok := chilled.Get(id); ok {
			f.cold = append(f.cold, change{id, at.Cold + 1})
		}
	}
	c := world.Record(f.state)
	for _, h := range f.hot {
		c.Remove(h.id, heats.Kind())
	}
	for _, h := range f.cold {
		c.Remove(h.id, colds.Kind())
	}
	for _, h := range f.hot {
		world.Put(c, h.id, colds, Chilled{h.value})
	}
	for _, h := range f.cold {
		world.Put(c, h.id, heats, Burning{h.value})
	}
	f.apply()
}

// expire disposes expired bullets, and records their slots.
func (f *flat) expire() {
	for b := range aging.In(f.state) {
		left, slot := world.Column(b, lifetimes), world.Column(b, slots)
		for i := range left {
			if left[i].Frames--; left[i].Frames <= 0 {
				b.Dispose(i)
				f.freed = append(f.freed, slot[i].Number)
			}
		}
	}
	f.apply()
}

func (f *flat) spawn() {
	next := 0
	f.state = world.Must(world.SpawnN(f.state, recipes[Bullet], len(f.freed), func(b world.Batch) {
		slot, sprite := world.Column(b, slots), world.Column(b, sprites)
		p, v := world.Column(b, positions), world.Column(b, velocities)
		left := world.Column(b, lifetimes)
		for i := range slot {
			o := f.script.Object(f.freed[next])
			next++
			slot[i], sprite[i], p[i], v[i], left[i] = o.Slot, o.Sprite, o.Position, o.Velocity,
				o.Lifetime
			f.ids[o.Slot.Number] = b.ID(i)
		}
	}))
	f.freed = f.freed[:0]
}

func (f *flat) chase() {
	at := world.ReaderOf(f.state, positions)
	var places [few]Position
	for b := range hunting.In(f.state) {
		p, v := world.Column(b, positions), world.Column(b, velocities)
		slot, target := world.Column(b, slots), world.Column(b, targets)
		for from := 0; from < len(v); from += few {
			to := min(from+few, len(v))
			all := at.AtN(places[:], target[from:to]) == to-from
			for i := from; i < to; i++ {
				if !all && !world.Alive(f.state, target[i]) {
					target[i] = f.ids[f.script.Pick(slot[i].Number)]
					continue
				}
				v[i].Chase(p[i], places[i-from])
			}
		}
	}
}

func (f *flat) accelerate() {
	for b := range faster.In(f.state) {
		if f.kernels {
			kernel.Axpy(layout.Flat[float32](velocities, world.Column(b, velocities)), Dt,
				layout.Flat[float32](accelerations, world.Column(b, accelerations)))
			continue
		}
		v, a := world.Column(b, velocities), world.Column(b, accelerations)
		for i := range v {
			v[i].Accelerate(&a[i])
		}
	}
}

func (f *flat) move() {
	for b := range moving.In(f.state) {
		if f.kernels {
			kernel.Axpy(layout.Flat[float32](positions, world.Column(b, positions)), Dt,
				layout.Flat[float32](velocities, world.Column(b, velocities)))
			continue
		}
		p, v := world.Column(b, positions), world.Column(b, velocities)
		for i := range p {
			p[i].Move(&v[i])
		}
	}
}

func (f *flat) heal() {
	for b := range healing.In(f.state) {
		health := world.Column(b, healths)
		for i := range health {
			health[i].Heal()
		}
	}
}

func (f *flat) animate() {
	for b := range drawn.In(f.state) {
		sprite := world.Column(b, sprites)
		for i := range sprite {
			sprite[i].Animate()
		}
	}
}

func (f *flat) hang() {
	for _, h := range f.script.Hangs {
		f.state = world.Must(world.Set(f.state, f.ids[h.Slot], family.ChildOf, f.ids[h.Parent]))
	}
}

// assemble turns the parts and computes their global poses.
func (f *flat) assemble() {
	for b := range turning.In(f.state) {
		local := world.Column(b, pose.Local2)
		for i := range local {
			Turn(&local[i])
		}
	}
	f.state = pose.Update2(f.state)
	for b := range placed.In(f.state) {
		p, global := world.Column(b, positions), world.Column(b, pose.Global2)
		for i := range p {
			p[i].Place(&global[i])
		}
	}
}

func (f *flat) collide() {
	f.state = f.cells.Build(f.state, nil)
	near := f.cells.In(f.state)
	at, ids, size := near.Points(), near.IDs(), space.Column(near, bodies)
	body := world.WriterOf(f.state, bodies)
	for a, b := range near.Pairs(Reach) {
		if Touch(at[a], at[b], size[a].Radius, size[b].Radius) {
			body.At(ids[a]).Contacts++
			body.At(ids[b]).Contacts++
		}
	}
}

func (f *flat) Each(yield func(*Seen)) {
	for b := range everyone.In(f.state) {
		for i, slot := range world.Column(b, slots) {
			id := b.ID(i)
			o := Seen{Slot: slot, Frozen: world.Has(f.state, id, frozen)}
			o.Sprite, o.Position = world.Column(b, sprites)[i], world.Column(b, positions)[i]
			o.Velocity, _ = world.Get(f.state, id, velocities)
			o.Health, _ = world.Get(f.state, id, healths)
			o.Body, _ = world.Get(f.state, id, bodies)
			if heat, err := world.Get(f.state, id, heats); err == nil {
				o.Burning = &heat
			}
			if cold, err := world.Get(f.state, id, colds); err == nil {
				o.Chilled = &cold
			}
			yield(&o)
		}
	}
}
