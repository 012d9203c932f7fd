package suite

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// A flatForm is what a program declares once: kinds, queries, recipes and systems.
type flatForm struct {
	kinds       [kindCount]layout.Kind
	recipes     map[Kinds]systems.Recipe
	setVelocity func(systems.State, systems.GameObject, Pair) systems.State
	moveLoop    func(systems.State, systems.Query) systems.State
	moveKernel  func(systems.State, systems.Query) systems.State
	sum         func(systems.State, systems.Query) Result

	placed, moving, unmarked, rowWiseUnmarked systems.Query
}

var (
	place = layout.NewField[[2]float64]("place") // x, y
	pace  = layout.NewField[[2]float64]("pace")  // x, y per step

	// As one would declare them for this library: three float32 and one.
	place32 = layout.NewField[[3]float32]("place") // x, y, z
	pace32  = layout.NewField[float32]("pace")     // per step, along each axis

	everyone = systems.NewQuery()

	doubles = newForm(place, pace, flatForm{
		setVelocity: func(s systems.State, id systems.GameObject, v Pair) systems.State {
			s, err := systems.Set(s, id, pace, [2]float64{v.X, v.Y})
			check(err)
			return s
		},
		moveLoop: loop64, moveKernel: kernel64, sum: sum64,
	})
	singles32 = newForm(place32, pace32, flatForm{
		setVelocity: func(s systems.State, id systems.GameObject, v Pair) systems.State {
			s, err := systems.Set(s, id, pace32, float32(v.X))
			check(err)
			return s
		},
		moveLoop: loop32, moveKernel: kernel32, sum: sum32,
	})
)

func newForm(place, pace layout.AnyField, form flatForm) *flatForm {
	form.recipes = map[Kinds]systems.Recipe{}
	form.kinds[0], form.kinds[1] = layout.NewKind("place", place), layout.NewKind("pace", pace)
	for i := 2; i < kindCount-1; i++ {
		pair := layout.NewField[[2]float64]("pair")
		form.kinds[i] = layout.NewKind(fmt.Sprint("c", i-1), pair)
	}
	mark := layout.NewMark("mark")
	form.kinds[kindCount-1] = mark
	form.placed = systems.NewQuery(systems.Read(form.kinds[0]))
	form.moving = systems.NewQuery(systems.Write(form.kinds[0]), systems.Read(form.kinds[1]))
	form.unmarked = form.moving.And(systems.Without(mark))
	form.rowWiseUnmarked = form.unmarked.And(systems.RowWise())
	return &form
}

// recipe returns that of a set of kinds.
func (f *flatForm) recipe(kinds Kinds) systems.Recipe {
	recipe, ok := f.recipes[kinds]
	if !ok {
		recipe = systems.NewRecipe(fmt.Sprintf("%b", kinds), f.list(kinds)...)
		f.recipes[kinds] = recipe
	}
	return recipe
}

// list returns a set of kinds one by one.
func (f *flatForm) list(kinds Kinds) (list []layout.AnyKind) {
	for i, kind := range f.kinds {
		if kinds.Has(1 << i) {
			list = append(list, kind)
		}
	}
	return list
}

// loop64 is the README's own form of a system.
func loop64(s systems.State, q systems.Query) systems.State {
	for b := range q.In(s) {
		p, v := systems.Column(b, place), systems.Column(b, pace)
		for i := range p {
			p[i][0] += v[i][0]
			p[i][1] += v[i][1]
		}
	}
	return s
}

func kernel64(s systems.State, q systems.Query) systems.State {
	for b := range q.In(s) {
		kernel.Add64(systems.Flat[float64](b, place), systems.Flat[float64](b, pace))
	}
	return s
}

func sum64(s systems.State, q systems.Query) (r Result) {
	for b := range q.In(s) {
		for _, p := range systems.Column(b, place) {
			r.Count, r.Sum = r.Count+1, r.Sum+p[0]+2*p[1]
		}
	}
	return r
}

func loop32(s systems.State, q systems.Query) systems.State {
	for b := range q.In(s) {
		p, v := systems.Column(b, place32), systems.Column(b, pace32)
		v = v[:len(p)]
		for i := range p {
			p[i][0] += v[i]
			p[i][1] += v[i]
			p[i][2] += v[i]
		}
	}
	return s
}

func kernel32(s systems.State, q systems.Query) systems.State {
	for b := range q.In(s) {
		kernel.Move(systems.Flat[float32](b, place32), systems.Column(b, pace32))
	}
	return s
}

func sum32(s systems.State, q systems.Query) (r Result) {
	for b := range q.In(s) {
		for _, p := range systems.Column(b, place32) {
			r.Count, r.Sum = r.Count+1, r.Sum+float64(p[0])+2*float64(p[1])+4*float64(p[2])
		}
	}
	return r
}
