package peers

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// A flat is a world of this library.
type flat struct {
	flatWay
	held[systems.GameObject]
	counts systems.Counts
	state  systems.State
}

// flatWay is how it is used.
type flatWay struct {
	loop  bool // systems are plain loops instead of kernels
	room  bool // nothing has a count: there is room for a million objects
	batch bool // what changes many objects is one call
	byRow bool // a query that excludes is RowWise
}

func newFlat(way flatWay) func(Room) World {
	return func(room Room) World {
		counts := way.countsFor(room)
		f := &flat{flatWay: way, counts: counts, state: world.Must(systems.CreateState(counts))}
		f.held = hold(room, f.spawn, func(id systems.GameObject) {
			f.state = world.Must(systems.DisposeGameObject(f.state, id))
		})
		return f
	}
}

func (way flatWay) countsFor(room Room) systems.Counts {
	counts := systems.Counts{GameObjects: room.Objects}
	if way.room {
		counts.GameObjects = 0
		if n := withSlack(room.Objects, len(room.Sorts)); n > 1<<20 {
			counts.GameObjects = n
		}
	}
	for i, kind := range kinds {
		switch exact, ok := room.Of[1<<i]; {
		case !room.Kinds.Has(1 << i):
		case way.room:
			counts.Kinds = append(counts.Kinds, kind.Counted())
		case ok:
			counts.Kinds = append(counts.Kinds, kind.Count(exact))
		default:
			counts.Kinds = append(counts.Kinds, kind.Count(room.Objects))
		}
	}
	for _, set := range room.Sorts {
		counts.Recipes = append(counts.Recipes, recipe(set))
	}
	return counts
}

// Make makes a world with the same counts.
func (f *flat) Make() {
	systems.Close(world.Must(systems.CreateState(f.counts)))
}

func (f *flat) Close() { systems.Close(f.state) }

// spawn creates the i-th object, and gives it its velocity.
func (f *flat) spawn(set Kinds, i int) (id systems.GameObject) {
	var err error
	f.state, id, err = systems.Spawn(f.state, recipe(set))
	check(err)
	if v := velocity(i); set.Has(Velocity) {
		f.state = world.Must(systems.Set(f.state, id, pace, [2]float64{v.X, v.Y}))
	}
	return id
}

func (f *flat) Move() { f.walk(moving) }

func (f *flat) MoveUnmarked() {
	if f.byRow {
		f.walk(rowWise)
	} else {
		f.walk(unmarked)
	}
}

func (f *flat) walk(q systems.Query) {
	if f.loop {
		f.state = moveLoop(f.state, q)
	} else {
		f.state = moveKernel(f.state, q)
	}
}

func (f *flat) Positions() (r Result) {
	for b := range placed.In(f.state) {
		for _, p := range systems.Column(b, place) {
			addPosition(&r, position{p[0], p[1]})
		}
	}
	return r
}

func (f *flat) Create(n int, set Kinds) {
	defer f.look()
	if f.batch {
		f.state = world.Must(systems.SpawnN(f.state, recipe(set), n, nil))
		return
	}
	recipe, state := recipe(set), f.state // as in a program, a state is a local variable
	for range n {
		var id systems.GameObject
		var err error
		state, id, err = systems.Spawn(state, recipe)
		check(err)
		f.ids = append(f.ids, id)
	}
	f.state = state
}

func (f *flat) Delete() {
	defer f.look()
	if f.batch {
		f.state = world.Must(everyone.DisposeAll(f.state))
		return
	}
	state := f.state
	for _, id := range f.ids {
		var err error
		state, err = systems.DisposeGameObject(state, id)
		check(err)
	}
	f.state, f.ids = state, f.ids[:0]
}

// Clear deletes all in one call.
func (f *flat) Clear() {
	f.state = world.Must(everyone.DisposeAll(f.state))
	f.ids = f.ids[:0]
	f.look()
}

// look has changes that are pending carried out, since they are part of what is measured.
func (f *flat) look() { systems.Size(f.state) }

func (f *flat) Live() int { return systems.Live(f.state) }

func (f *flat) Add() {
	if f.batch {
		f.state = world.Must(placed.AddAll(f.state, kinds[1]))
		f.look()
	} else {
		f.add(f.ids, kinds[1])
	}
}

func (f *flat) Remove() {
	if f.batch {
		f.state = world.Must(moving.RemoveAll(f.state, kinds[1]))
		f.look()
	} else {
		f.drop(f.ids, kinds[1])
	}
}

func (f *flat) Mark()   { f.add(f.chosen, kinds[kindCount-1]) }
func (f *flat) Unmark() { f.drop(f.chosen, kinds[kindCount-1]) }

func (f *flat) add(ids []systems.GameObject, kind layout.Kind) {
	state := f.state
	for _, id := range ids {
		var err error
		state, err = systems.Add(state, id, kind)
		check(err)
	}
	f.state = state
	f.look()
}

func (f *flat) drop(ids []systems.GameObject, kind layout.Kind) {
	state := f.state
	for _, id := range ids {
		var err error
		state, err = systems.Remove(state, id, kind)
		check(err)
	}
	f.state = state
	f.look()
}

func (f *flat) Movers() int { return moving.Count(f.state) }

// Read copies positions one by one, or a few at a time.
func (f *flat) Read() (sum float64) {
	reader := systems.Open(f.state, place)
	if !f.batch {
		for _, id := range f.ids {
			at, _ := reader.At(id)
			sum += at[0]
		}
		return sum
	}
	var values [few][2]float64
	for ids := range slices.Chunk(f.ids, few) {
		reader.AtN(values[:], ids)
		for i := range ids {
			sum += values[i][0]
		}
	}
	return sum
}

// Write finds positions one by one, or a few at a time.
func (f *flat) Write() {
	writer := systems.OpenWrite(f.state, place)
	if !f.batch {
		for _, id := range f.ids {
			writer.At(id)[0]++
		}
		return
	}
	var found [few]*[2]float64
	for ids := range slices.Chunk(f.ids, few) {
		writer.AtN(found[:], ids)
		for i := range ids {
			found[i][0]++
		}
	}
}

// few is how many objects are looked up at once.
const few = 64

// Bytes are those of the world.
func (f *flat) Bytes() []byte { return systems.Bytes(f.state) }

// Beside returns the bytes that are not in the heap: those of larger worlds.
func (f *flat) Beside() uint64 {
	if size := systems.Size(f.state); size > 4<<20 {
		return uint64(size)
	}
	return 0
}

// Clone makes a copy of the world, and closes it.
func (f *flat) Clone() { systems.Close(world.Must(systems.Clone(f.state))) }
