package peers

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// Declarations of the program: fields, kinds, recipes and queries.
var (
	place = layout.NewField[[2]float64]("place") // x, y
	pace  = layout.NewField[[2]float64]("pace")  // x, y per step

	kinds   = declared()
	recipes = map[Kinds]world.Recipe{}

	everyone = world.NewQuery()
	placed   = world.NewQuery(world.Read(kinds[0]))
	moving   = world.NewQuery(world.Write(kinds[0]), world.Read(kinds[1]))
)

func declared() (kinds [kindCount]layout.Kind) {
	kinds[0], kinds[1] = layout.NewKind("place", place), layout.NewKind("pace", pace)
	for i := 2; i < kindCount; i++ {
		pair := layout.NewField[[2]float64]("pair")
		kinds[i] = layout.NewKind(fmt.Sprint("c", i-1), pair)
	}
	return kinds
}

// recipe returns the recipe for a set of kinds.
func recipe(set Kinds) world.Recipe {
	r, ok := recipes[set]
	if !ok {
		var list []layout.AnyKind
		for _, kind := range among(set, kinds) {
			list = append(list, kind)
		}
		r = world.NewRecipe(fmt.Sprintf("%b", set), list...)
		recipes[set] = r
	}
	return r
}

// A flat is a world of this library.
type flat struct {
	held[world.GameObject]
	state  world.State
	set    Kinds
	recipe world.Recipe // for the kinds of the latest object
	free   bool         // no counts: room for a million objects; systems are plain loops
}

func newFlat(free bool) func(Room) World {
	return func(room Room) World {
		f := &flat{state: world.Must(world.CreateState(countsFor(room, free))), free: free}
		f.held = hold(room, f.spawn)
		return f
	}
}

func countsFor(room Room, free bool) world.Counts {
	counts := world.Counts{GameObjects: room.Objects}
	if free {
		counts.GameObjects = 0
		if n := room.Objects + room.Objects/8 + 64*len(room.Sorts); n > 1<<20 { // slabs need some
			counts.GameObjects = n
		}
	}
	for i, kind := range kinds {
		switch exact := room.Of[1<<i]; {
		case exact == 0:
		case free:
			counts.Kinds = append(counts.Kinds, kind.Counted())
		default:
			counts.Kinds = append(counts.Kinds, kind.Count(exact))
		}
	}
	for _, set := range room.Sorts {
		counts.Recipes = append(counts.Recipes, recipe(set))
	}
	return counts
}

func (f *flat) Close() { world.Close(f.state) }

// spawn creates the i-th object, and sets its velocity.
func (f *flat) spawn(set Kinds, i int) (id world.GameObject) {
	if set != f.set {
		f.set, f.recipe = set, recipe(set)
	}
	if v := velocity(i); set.Has(Velocity) {
		f.state, id = world.Must2(world.Spawn(f.state, f.recipe, place.Value([2]float64{}),
			pace.Value([2]float64{v.X, v.Y})))
	} else {
		f.state, id = world.Must2(world.Spawn(f.state, f.recipe))
	}
	return id
}

// Move uses a loop as in the README, or a kernel.
func (f *flat) Move() {
	for b := range moving.In(f.state) {
		if !f.free {
			kernel.Add64(layout.Flat[float64](place, world.Column(b, place)),
				layout.Flat[float64](pace, world.Column(b, pace)))
			continue
		}
		p, v := world.Column(b, place), world.Column(b, pace)
		for i := range p {
			p[i][0] += v[i][0]
			p[i][1] += v[i][1]
		}
	}
}

func (f *flat) Positions() (r Result) {
	for b := range placed.In(f.state) {
		for _, p := range world.Column(b, place) {
			addPosition(&r, position{p[0], p[1]})
		}
	}
	return r
}

func (f *flat) Create(n int, set Kinds) {
	recipe, state := recipe(set), f.state // as in a program, a state is a local variable
	for range n {
		var id world.GameObject
		state, id = world.Must2(world.Spawn(state, recipe))
		f.ids = append(f.ids, id)
	}
	f.state = state
}

func (f *flat) Delete() {
	state := f.state
	for _, id := range f.ids {
		state = world.Must(world.Dispose(state, id))
	}
	f.state, f.ids = state, f.ids[:0]
}

func (f *flat) Clear() {
	f.state, f.ids = world.Must(everyone.DisposeAll(f.state)), f.ids[:0]
}

func (f *flat) Live() int { return world.Len(f.state) }

func (f *flat) Add() {
	state := f.state
	for _, id := range f.ids {
		state = world.Must(world.Add(state, id, kinds[1]))
	}
	f.state = state
}

func (f *flat) Remove() {
	state := f.state
	for _, id := range f.ids {
		state = world.Must(world.Remove(state, id, kinds[1]))
	}
	f.state = state
}

func (f *flat) Movers() int { return moving.Count(f.state) }

func (f *flat) Read() (sum float64) {
	reader := world.ReaderOf(f.state, place)
	for _, id := range f.ids {
		at, _ := reader.Get(id)
		sum += at[0]
	}
	return sum
}
