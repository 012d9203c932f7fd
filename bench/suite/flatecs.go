package suite

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

var (
	place = layout.NewField[float64]("place", 2) // x, y
	pace  = layout.NewField[float64]("pace", 2)  // x, y per step

	flatKinds = newFlatKinds()

	moving   = systems.NewQuery(systems.Write(place), systems.Read(pace))
	placed   = systems.NewQuery(systems.Read(place))
	everyone = systems.NewQuery()
)

func newFlatKinds() (kinds [kindCount]layout.Kind) {
	kinds[0], kinds[1] = layout.NewKind("place", place), layout.NewKind("pace", pace)
	for i := 2; i < kindCount-1; i++ {
		field := layout.NewField[float64]("pair", 2)
		kinds[i] = layout.NewKind(fmt.Sprint("c", i-1), field)
	}
	kinds[kindCount-1] = layout.NewMark("mark")
	return kinds
}

// flatRecipes are declared once, as a program's package-level variables are.
var flatRecipes = map[Kinds]systems.Recipe{}

func flatRecipe(kinds Kinds) systems.Recipe {
	recipe, ok := flatRecipes[kinds]
	if !ok {
		recipe = systems.NewRecipe(fmt.Sprintf("%b", kinds), flatKindsOf(kinds)...)
		flatRecipes[kinds] = recipe
	}
	return recipe
}

func flatKindsOf(kinds Kinds) (list []layout.Kind) {
	for i, kind := range flatKinds {
		if kinds.Has(1 << i) {
			list = append(list, kind)
		}
	}
	return list
}

// A flat is a world of this library.
type flat struct {
	flatWay
	state systems.State
	ids   []systems.GameObject
}

// flatWay is how it is used.
type flatWay struct {
	loop      bool // Move is a plain loop instead of a kernel
	piecewise bool // objects are put together bit by bit, not by recipe
	batch     bool // what changes many objects is one call
}

func newFlat(way flatWay) func(Room) World {
	return func(room Room) World {
		counts := systems.Counts{GameObjects: room.Objects, Instances: 1}
		for i, kind := range flatKinds {
			if room.Kinds.Has(1 << i) {
				counts.Kinds = append(counts.Kinds, kind.Count(room.Objects))
			}
		}
		for _, kinds := range room.Sorts {
			if !way.piecewise {
				counts.Recipes = append(counts.Recipes, flatRecipe(kinds))
			}
		}
		state, err := systems.CreateState(counts)
		check(err)
		return &flat{flatWay: way, state: state, ids: make([]systems.GameObject, 0, room.Objects)}
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func (f *flat) Close() { systems.Close(f.state) }

func (f *flat) Spawn(n int, kinds func(int) Kinds) {
	for i := range n {
		k := kinds(i)
		id := f.spawn(k)
		f.ids = append(f.ids, id)
		if k.Has(Velocity) {
			v, err := systems.Values(f.state, id, pace)
			check(err)
			v[0], v[1] = velocity(i).X, velocity(i).Y
		}
	}
}

func (f *flat) spawn(kinds Kinds) (id systems.GameObject) {
	var err error
	if !f.piecewise {
		f.state, id, err = systems.Spawn(f.state, flatRecipe(kinds))
		check(err)
		return id
	}
	f.state, id, err = systems.CreateGameObject(f.state)
	check(err)
	for i, kind := range flatKinds {
		if kinds.Has(1 << i) {
			f.state, _, err = systems.Add(f.state, id, kind)
			check(err)
		}
	}
	return id
}

func (f *flat) Move() {
	if f.loop {
		f.state = flatLoop(f.state)
	} else {
		f.state = flatKernel(f.state)
	}
}

// flatLoop is the README's own form of a system.
func flatLoop(s systems.State) systems.State {
	for b := range moving.In(s) {
		p, v := systems.Column2(b, place), systems.Column2(b, pace)
		for i := range p {
			p[i][0] += v[i][0]
			p[i][1] += v[i][1]
		}
	}
	return s
}

func flatKernel(s systems.State) systems.State {
	for b := range moving.In(s) {
		kernel.Add64(systems.Column(b, place), systems.Column(b, pace))
	}
	return s
}

func (f *flat) Positions() (r Result) {
	for b := range placed.In(f.state) {
		for _, p := range systems.Column2(b, place) {
			r.Count, r.Sum = r.Count+1, r.Sum+p[0]+2*p[1]
		}
	}
	return r
}

func (f *flat) Create(n int, kinds Kinds) {
	if f.batch {
		var err error
		f.state, err = systems.SpawnN(f.state, flatRecipe(kinds), n, nil)
		check(err)
		return
	}
	if f.piecewise {
		for range n {
			f.ids = append(f.ids, f.spawn(kinds))
		}
		return
	}
	recipe := flatRecipe(kinds)
	for range n {
		state, id, err := systems.Spawn(f.state, recipe)
		check(err)
		f.state, f.ids = state, append(f.ids, id)
	}
}

func (f *flat) Delete() {
	var err error
	if f.batch {
		f.state, err = systems.DisposeAll(f.state, everyone)
		check(err)
		return
	}
	for _, id := range f.ids {
		f.state, err = systems.DisposeGameObject(f.state, id)
		check(err)
	}
	f.ids = f.ids[:0]
}

func (f *flat) Live() int { return systems.Live(f.state) }

func (f *flat) Add() {
	var err error
	if f.batch {
		f.state, err = systems.AddAll(f.state, placed, flatKinds[1])
		check(err)
		return
	}
	f.collect(placed)
	for _, id := range f.ids {
		f.state, _, err = systems.Add(f.state, id, flatKinds[1])
		check(err)
	}
}

func (f *flat) Remove() {
	var err error
	if f.batch {
		f.state, err = systems.RemoveAll(f.state, moving, flatKinds[1])
		check(err)
		return
	}
	f.collect(moving)
	for _, id := range f.ids {
		f.state, err = systems.Remove(f.state, id, flatKinds[1])
		check(err)
	}
}

func (f *flat) Movers() int { return moving.Count(f.state) }

// collect keeps the ids of those that match: structure does not change while a walk is open.
func (f *flat) collect(q systems.Query) {
	f.ids = f.ids[:0]
	for id := range q.Objects(f.state) {
		f.ids = append(f.ids, id)
	}
}

func (f *flat) Shuffle(order []int) { f.ids = shuffled(f.ids, order) }

func (f *flat) Read() (sum float64) {
	reader := systems.Open(f.state, place)
	for _, id := range f.ids {
		sum += reader.At(id)[0]
	}
	return sum
}

func shuffled[T any](ids []T, order []int) []T {
	result := make([]T, len(ids))
	for i, from := range order {
		result[i] = ids[from]
	}
	return result
}
