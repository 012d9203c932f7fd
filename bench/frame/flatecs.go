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

// A flat is the game in this library, as docs/GUIDE.md says: objects by recipe; loops over columns;
// values by id through Open and OpenWrite; many changes of one sort at once or recorded.
type flat struct {
	script *Script
	systems
	state world.State
	ids   []world.GameObject // by slot
	freed []uint32           // slots
	hot   []change           // to be chilled
	cold  []change           // to be burnt
	cells *space.Cells[Position]
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
		damage: f.call(f.hitAll), freeze: f.applied(f.toggle), swap: f.applied(f.exchange),
		age: f.applied(f.expire), spawn: f.spawn,
		chase:      f.call(f.chaseTargets),
		accelerate: f.call(accelerateLoop), move: f.call(moveLoop), heal: f.call(healAll),
		animate: f.call(animateAll), hang: f.hang, assemble: f.call(assembleAll),
		collide: f.collide,
	}
	return f
}

// asNeeded are the counts of a program that knows what comes.
func asNeeded(n int) world.Counts {
	return world.Counts{
		GameObjects: n + n/4 + 64*int(SortCount), // slabs take some room
		Kinds:       layout.Kinds(frozen),
		Recipes:     recipes[:],
		Queries: []world.Query{
			aging, hunting, faster, moving, healing, drawn, turning, placed,
			pose.Placing2, massive,
		},
		Commands: n / 20,
		Tasks:    8,
	}
}

func newLoops(script *Script) Game { return newFlat(script, asNeeded(script.Objects)) }

// newFree is the game in a world with room for whatever comes.
func newFree(script *Script) Game {
	return newFlat(script, world.Counts{Recipes: recipes[:], Kinds: layout.Kinds(frozen)})
}

func newKernels(script *Script) Game {
	f := newFlat(script, asNeeded(script.Objects))
	f.systems[accelerate], f.systems[move] = f.call(accelerateKernel), f.call(moveKernel)
	return f
}

func (f *flat) Close() { world.Close(f.state) }

// call makes a system of this library one of the frame.
func (f *flat) call(system func(world.State) world.State) func() {
	return func() { f.state = system(f.state) }
}

func (f *flat) create(slot uint32) {
	o := f.script.Object(slot)
	values := []layout.FieldValue{
		slots.Value(o.Slot), sprites.Value(o.Sprite), positions.Value(o.Position),
	}
	if o.Sort >= Debris {
		values = append(values, velocities.Value(o.Velocity))
	}
	switch o.Sort {
	case Part:
		values = append(values, pose.Local2.Value(o.Local.Pose2))
		if o.Parent != Nobody {
			values = append(values, family.ChildOf.Value(f.ids[o.Parent]))
		}
	case Debris, Creature, Drone:
		values = append(values, accelerations.Value(o.Acceleration))
	case Bullet:
		values = append(values, lifetimes.Value(o.Lifetime))
	}
	if o.Sort >= Creature {
		values = append(values, healths.Value(o.Health))
	}
	if o.Sort == Rock || o.Sort == Creature {
		values = append(values, bodies.Value(o.Body))
	}
	var err error
	f.state, f.ids[slot], err = world.Spawn(f.state, recipes[o.Sort], values...)
	if err != nil {
		panic(err)
	}
}

// applied is a system that records changes, and carries them out.
func (f *flat) applied(system func(world.State) world.State) func() {
	return func() { f.state = world.Must(world.Apply(system(f.state))) }
}

// hitAll finds many objects at once.
func (f *flat) hitAll(s world.State) world.State {
	health := world.OpenWrite(s, healths)
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
	return s
}

// few is how many objects are looked up at once.
const few = 64

// toggle has the mark put on and taken off.
func (f *flat) toggle(s world.State) world.State {
	c := world.Record(s)
	for _, slot := range f.script.Thaw {
		c.Remove(f.ids[slot], frozen)
	}
	for _, slot := range f.script.Freeze {
		c.Add(f.ids[slot], frozen)
	}
	return s
}

// exchange records like changes side by side, so that they are carried out block by block.
func (f *flat) exchange(s world.State) world.State {
	f.hot, f.cold = f.hot[:0], f.cold[:0]
	burning, chilled := world.Open(s, heats), world.Open(s, colds)
	for _, slot := range f.script.Swaps {
		id := f.ids[slot]
		if at, ok := burning.At(id); ok {
			f.hot = append(f.hot, change{id, at.Heat + 1})
		} else if at, ok := chilled.At(id); ok {
			f.cold = append(f.cold, change{id, at.Cold + 1})
		}
	}
	c := world.Record(s)
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
	return s
}

// expire has the bullets disposed whose time is up, and notes their slots.
func (f *flat) expire(s world.State) world.State {
	for b := range aging.In(s) {
		left, slot := world.Column(b, lifetimes), world.Column(b, slots)
		for i := range left {
			if left[i].Frames--; left[i].Frames <= 0 {
				b.Dispose(i)
				f.freed = append(f.freed, slot[i].Number)
			}
		}
	}
	return s
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

// chaseTargets turns the hunters.
func (f *flat) chaseTargets(s world.State) world.State {
	at := world.Open(s, positions)
	var places [few]Position
	for b := range hunting.In(s) {
		p, v := world.Column(b, positions), world.Column(b, velocities)
		slot, target := world.Column(b, slots), world.Column(b, targets)
		for from := 0; from < len(v); from += few {
			to := min(from+few, len(v))
			all := at.AtN(places[:], target[from:to]) == to-from
			for i := from; i < to; i++ {
				if !all && !world.Alive(s, target[i]) {
					target[i] = f.ids[f.script.Pick(slot[i].Number)]
					continue
				}
				v[i].Chase(p[i], places[i-from])
			}
		}
	}
	return s
}

func accelerateLoop(s world.State) world.State {
	for b := range faster.In(s) {
		v, a := world.Column(b, velocities), world.Column(b, accelerations)
		for i := range v {
			v[i].Accelerate(&a[i])
		}
	}
	return s
}

func accelerateKernel(s world.State) world.State {
	for b := range faster.In(s) {
		kernel.Axpy(world.Flat[float32](b, velocities), Dt, world.Flat[float32](b, accelerations))
	}
	return s
}

func moveLoop(s world.State) world.State {
	for b := range moving.In(s) {
		p, v := world.Column(b, positions), world.Column(b, velocities)
		for i := range p {
			p[i].Move(&v[i])
		}
	}
	return s
}

func moveKernel(s world.State) world.State {
	for b := range moving.In(s) {
		kernel.Axpy(world.Flat[float32](b, positions), Dt, world.Flat[float32](b, velocities))
	}
	return s
}

func healAll(s world.State) world.State {
	for b := range healing.In(s) {
		health := world.Column(b, healths)
		for i := range health {
			health[i].Heal()
		}
	}
	return s
}

func animateAll(s world.State) world.State {
	for b := range drawn.In(s) {
		sprite := world.Column(b, sprites)
		for i := range sprite {
			sprite[i].Animate()
		}
	}
	return s
}

func (f *flat) hang() {
	for _, h := range f.script.Hangs {
		f.state = world.Must(world.Set(f.state, f.ids[h.Slot], family.ChildOf, f.ids[h.Parent]))
	}
}

// assembleAll turns the parts and finds where they are.
func assembleAll(s world.State) world.State {
	for b := range turning.In(s) {
		local := world.Column(b, pose.Local2)
		for i := range local {
			Turn(&local[i])
		}
	}
	s = pose.Update2(s)
	for b := range placed.In(s) {
		p, global := world.Column(b, positions), world.Column(b, pose.Global2)
		for i := range p {
			p[i].Place(&global[i])
		}
	}
	return s
}

func (f *flat) collide() {
	f.state = f.cells.Build(f.state, nil)
	near := f.cells.In(f.state)
	at, ids, size := near.Points(), near.IDs(), space.Column(near, bodies)
	body := world.OpenWrite(f.state, bodies)
	for a, b := range near.Pairs(Reach) {
		if Touch(at[a], at[b], size[a].Radius, size[b].Radius) {
			body.At(ids[a]).Contacts++
			body.At(ids[b]).Contacts++
		}
	}
}

func (f *flat) Each(yield func(*Object)) {
	for b := range everyone.In(f.state) {
		slot, sprite := world.Column(b, slots), world.Column(b, sprites)
		p := world.Column(b, positions)
		for i := range slot {
			o := Object{
				Sort: SortOf(slot[i].Number), Slot: slot[i], Sprite: sprite[i], Position: p[i],
				Velocity: flatValue(b, velocities, i), Acceleration: flatValue(b, accelerations, i),
				Lifetime: flatValue(b, lifetimes, i), Health: flatValue(b, healths, i),
				Body: flatValue(b, bodies, i), Burning: flatValue(b, heats, i),
				Chilled: flatValue(b, colds, i), Target: Nobody, Parent: Nobody,
				Local:     Local{flatValue(b, pose.Local2, i)},
				Global:    Global{flatValue(b, pose.Global2, i)},
				IsBurning: world.Column(b, heats) != nil, IsChilled: world.Column(b, colds) != nil,
				IsFrozen: world.Has(f.state, b.ID(i), frozen),
			}
			if at, err := world.Get(f.state, flatValue(b, targets, i), slots); err == nil {
				o.Target = at.Number
			}
			if at, err := world.Get(f.state, flatValue(b, family.ChildOf, i), slots); err == nil {
				o.Parent = at.Number
			}
			yield(&o)
		}
	}
}

// flatValue is that of an optional field, or nothing.
func flatValue[T any](b world.Batch, f layout.Field[T], i int) (value T) {
	if column := world.Column(b, f); column != nil {
		value = column[i]
	}
	return value
}
