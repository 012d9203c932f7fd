package peers

import (
	"slices"

	"github.com/flatecs/flatecs/systems"
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
		state, err := systems.CreateState(counts)
		check(err)
		return &flat{way, hold[systems.GameObject](room), counts, state}
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
	state, err := systems.CreateState(f.counts)
	check(err)
	systems.Close(state)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func (f *flat) Close() { systems.Close(f.state) }

func (f *flat) Spawn(set Kinds, i int) { f.ids = append(f.ids, f.spawn(set, i)) }

// spawn creates the i-th object, and gives it its velocity.
func (f *flat) spawn(set Kinds, i int) (id systems.GameObject) {
	var err error
	f.state, id, err = systems.Spawn(f.state, recipe(set))
	check(err)
	if v := velocity(i); set.Has(Velocity) {
		f.state, err = systems.Set(f.state, id, pace, [2]float64{v.X, v.Y})
		check(err)
	}
	return id
}

func (f *flat) Replace(set Kinds, i int) {
	var err error
	f.state, err = systems.DisposeGameObject(f.state, f.ids[i])
	check(err)
	f.ids[i] = f.spawn(set, i)
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
			r.Count, r.Sum = r.Count+1, r.Sum+p[0]+2*p[1]
		}
	}
	return r
}

func (f *flat) Create(n int, set Kinds) {
	defer f.look()
	if f.batch {
		var err error
		f.state, err = systems.SpawnN(f.state, recipe(set), n, nil)
		check(err)
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
	var err error
	if f.batch {
		f.state, err = everyone.DisposeAll(f.state)
		check(err)
		return
	}
	state := f.state
	for _, id := range f.ids {
		state, err = systems.DisposeGameObject(state, id)
		check(err)
	}
	f.state, f.ids = state, f.ids[:0]
}

// Clear deletes all in one call.
func (f *flat) Clear() {
	var err error
	f.state, err = everyone.DisposeAll(f.state)
	check(err)
	f.ids = f.ids[:0]
	f.look()
}

// look has changes that are pending carried out, since they are part of what is measured.
func (f *flat) look() { systems.Size(f.state) }

func (f *flat) Live() int { return systems.Live(f.state) }

func (f *flat) Add() {
	defer f.look()
	var err error
	if f.batch {
		f.state, err = placed.AddAll(f.state, kinds[1])
		check(err)
		return
	}
	state := f.state
	for _, id := range f.ids {
		state, err = systems.Add(state, id, kinds[1])
		check(err)
	}
	f.state = state
}

func (f *flat) Remove() {
	defer f.look()
	var err error
	if f.batch {
		f.state, err = moving.RemoveAll(f.state, kinds[1])
		check(err)
		return
	}
	state := f.state
	for _, id := range f.ids {
		state, err = systems.Remove(state, id, kinds[1])
		check(err)
	}
	f.state = state
}

func (f *flat) Movers() int { return moving.Count(f.state) }

func (f *flat) Read() (sum float64) {
	if f.batch {
		return f.readMany()
	}
	reader := systems.Open(f.state, place)
	for _, id := range f.ids {
		at, _ := reader.At(id)
		sum += at[0]
	}
	return sum
}

// readMany copies the positions of a few ids at a time.
func (f *flat) readMany() (sum float64) {
	reader := systems.Open(f.state, place)
	var values [few][2]float64
	for ids := range slices.Chunk(f.ids, few) {
		reader.AtN(values[:], ids)
		for i := range ids {
			sum += values[i][0]
		}
	}
	return sum
}

func (f *flat) Write() {
	if f.batch {
		f.writeMany()
		return
	}
	writer := systems.OpenWrite(f.state, place)
	for _, id := range f.ids {
		writer.At(id)[0]++
	}
}

// writeMany finds the positions of a few ids at a time.
func (f *flat) writeMany() {
	writer := systems.OpenWrite(f.state, place)
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

func (f *flat) Mark(objects []int) {
	defer f.look()
	for _, i := range objects {
		var err error
		f.state, err = systems.Add(f.state, f.ids[i], kinds[kindCount-1])
		check(err)
	}
}

func (f *flat) Unmark(objects []int) {
	defer f.look()
	for _, i := range objects {
		var err error
		f.state, err = systems.Remove(f.state, f.ids[i], kinds[kindCount-1])
		check(err)
	}
}

// Bytes are those of the world.
func (f *flat) Bytes() []byte { return systems.Bytes(f.state) }

// Clone makes a copy of the world, and closes it.
func (f *flat) Clone() {
	clone, err := systems.Clone(f.state)
	check(err)
	systems.Close(clone)
}
