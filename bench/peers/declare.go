package peers

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// What a program declares once: fields, kinds, recipes and queries.
var (
	place = layout.NewField[[2]float64]("place") // x, y
	pace  = layout.NewField[[2]float64]("pace")  // x, y per step

	kinds   = declared()
	recipes = map[Kinds]systems.Recipe{}

	everyone = systems.NewQuery()
	placed   = systems.NewQuery(systems.Read(kinds[0]))
	moving   = systems.NewQuery(systems.Write(kinds[0]), systems.Read(kinds[1]))
	unmarked = moving.And(systems.Without(kinds[kindCount-1]))
	rowWise  = unmarked.And(systems.RowWise())
)

func declared() (kinds [kindCount]layout.Kind) {
	kinds[0], kinds[1] = layout.NewKind("place", place), layout.NewKind("pace", pace)
	for i := 2; i < kindCount-1; i++ {
		pair := layout.NewField[[2]float64]("pair")
		kinds[i] = layout.NewKind(fmt.Sprint("c", i-1), pair)
	}
	kinds[kindCount-1] = layout.NewMark("mark")
	return kinds
}

// recipe returns that of a set of kinds.
func recipe(set Kinds) systems.Recipe {
	r, ok := recipes[set]
	if !ok {
		var list []layout.AnyKind
		for _, kind := range among(set, kinds) {
			list = append(list, kind)
		}
		r = systems.NewRecipe(fmt.Sprintf("%b", set), list...)
		recipes[set] = r
	}
	return r
}

// moveLoop is the README's own form of a system.
func moveLoop(s systems.State, q systems.Query) systems.State {
	for b := range q.In(s) {
		p, v := systems.Column(b, place), systems.Column(b, pace)
		for i := range p {
			p[i][0] += v[i][0]
			p[i][1] += v[i][1]
		}
	}
	return s
}

func moveKernel(s systems.State, q systems.Query) systems.State {
	for b := range q.In(s) {
		kernel.Add64(systems.Flat[float64](b, place), systems.Flat[float64](b, pace))
	}
	return s
}
