package suite

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// A flat is a world of this library.
type flat struct {
	flatWay
	*flatForm
	counts systems.Counts
	state  systems.State
	ids    []systems.GameObject
}

// flatWay is how it is used.
type flatWay struct {
	loop     bool // systems are plain loops instead of kernels
	noRecipe bool // objects are created by CreateWith
	room     bool // kinds have no count: there is room for a million objects, as in the README
	batch    bool // what changes many objects is one call
	rowWise  bool // a query that excludes is RowWise
}

func newFlat(form *flatForm, way flatWay) func(Room) World {
	return func(room Room) World {
		counts := form.countsFor(room, way)
		state, err := systems.CreateState(counts)
		check(err)
		return &flat{way, form, counts, state, make([]systems.GameObject, 0, room.Objects)}
	}
}

func (f *flatForm) countsFor(room Room, way flatWay) systems.Counts {
	counts := systems.Counts{GameObjects: room.Objects}
	if way.room {
		counts.GameObjects = max(1<<20, withSlack(room.Objects, len(room.Sorts)))
	}
	for i, kind := range f.kinds {
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
	for _, kinds := range room.Sorts {
		if !way.noRecipe {
			counts.Recipes = append(counts.Recipes, f.recipe(kinds))
		}
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

func (f *flat) Spawn(kinds Kinds, i int) {
	f.ids = append(f.ids, f.spawn(kinds))
	f.start(kinds, i)
}

// start gives the i-th object its velocity.
func (f *flat) start(kinds Kinds, i int) {
	if kinds.Has(Velocity) {
		f.state = f.setVelocity(f.state, f.ids[len(f.ids)-1], velocity(i))
	}
}

func (f *flat) spawn(kinds Kinds) (id systems.GameObject) {
	var err error
	if !f.noRecipe {
		f.state, id, err = systems.Spawn(f.state, f.recipe(kinds))
		check(err)
		return id
	}
	f.state, id, err = systems.CreateWith(f.state, f.list(kinds)...)
	check(err)
	return id
}

func (f *flat) Replace(kinds Kinds, i int) {
	var err error
	f.state, err = systems.DisposeGameObject(f.state, f.ids[i])
	check(err)
	f.ids[i] = f.spawn(kinds)
	if kinds.Has(Velocity) {
		f.state = f.setVelocity(f.state, f.ids[i], velocity(i))
	}
}

func (f *flat) Move() { f.walk(f.moving) }

func (f *flat) MoveUnmarked() {
	if f.rowWise {
		f.walk(f.rowWiseUnmarked)
	} else {
		f.walk(f.unmarked)
	}
}

func (f *flat) walk(q systems.Query) {
	if f.loop {
		f.state = f.moveLoop(f.state, q)
	} else {
		f.state = f.moveKernel(f.state, q)
	}
}

func (f *flat) Positions() Result { return f.sum(f.state, f.placed) }

func (f *flat) Create(n int, kinds Kinds) {
	defer f.look()
	if f.batch {
		var err error
		f.state, err = systems.SpawnN(f.state, f.recipe(kinds), n, nil)
		check(err)
		return
	}
	if f.noRecipe {
		f.createWith(n, f.list(kinds))
		return
	}
	recipe, state := f.recipe(kinds), f.state // as in a program, a state is a local variable
	for range n {
		var id systems.GameObject
		var err error
		state, id, err = systems.Spawn(state, recipe)
		check(err)
		f.ids = append(f.ids, id)
	}
	f.state = state
}

func (f *flat) createWith(n int, kinds []layout.AnyKind) {
	state := f.state
	for range n {
		var id systems.GameObject
		var err error
		state, id, err = systems.CreateWith(state, kinds...)
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
		f.state, err = f.placed.AddAll(f.state, f.kinds[1])
		check(err)
		return
	}
	state := f.state
	for _, id := range f.ids {
		state, _, err = systems.Add(state, id, f.kinds[1])
		check(err)
	}
	f.state = state
}

func (f *flat) Remove() {
	defer f.look()
	var err error
	if f.batch {
		f.state, err = f.moving.RemoveAll(f.state, f.kinds[1])
		check(err)
		return
	}
	state := f.state
	for _, id := range f.ids {
		state, err = systems.Remove(state, id, f.kinds[1])
		check(err)
	}
	f.state = state
}

func (f *flat) Movers() int { return f.moving.Count(f.state) }

func (f *flat) Shuffle(order []int) { f.ids = shuffled(f.ids, order) }

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
	state, writer := systems.OpenWrite(f.state, place)
	f.state = state
	for _, id := range f.ids {
		writer.At(id)[0]++
	}
}

// writeMany finds the positions of a few ids at a time.
func (f *flat) writeMany() {
	state, writer := systems.OpenWrite(f.state, place)
	f.state = state
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
		f.state, _, err = systems.Add(f.state, f.ids[i], f.kinds[kindCount-1])
		check(err)
	}
}

func (f *flat) Unmark(objects []int) {
	defer f.look()
	for _, i := range objects {
		var err error
		f.state, err = systems.Remove(f.state, f.ids[i], f.kinds[kindCount-1])
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

func shuffled[T any](ids []T, order []int) []T {
	result := make([]T, len(ids))
	for i, from := range order {
		result[i] = ids[from]
	}
	return result
}
