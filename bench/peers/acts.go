package peers

import (
	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/cmd/acts/act1"
	"github.com/flatecs/flatecs/cmd/acts/act2"
	"github.com/flatecs/flatecs/cmd/acts/act3"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// acts returns cases with the three acts of the heroes' story: structs behind pointers, components
// behind pointers, and this library. Half of the heroes are normal, half are super. The objects of
// acts 1 and 2 are allocated in walking order, the best case for pointers. Act 3 uses kernels of
// buffer/kernel, which are pure Go with -tags purego.
func acts() []harness.Case {
	one := func(name, title string, run func(story) func()) harness.Case {
		return harness.Case{
			Name: name, Title: title, Per: "hero", Sizes: []int{1_000, 100_000, 1_000_000},
			Who:     []string{"flatecs", "flatecs as README", "act 1", "act 2"},
			Against: []string{"act 1", "act 2"},
			Make: func(who string, n int) harness.Work {
				s := stories[who](n/2, n-n/2)
				return harness.Work{Run: run(s), Check: s.sum, Close: s.close}
			},
		}
	}
	return []harness.Case{
		one("acts_update", "Double the positions", func(s story) func() { return s.update }),
		one("acts_move", "Move the heroes", func(s story) func() { return s.move }),
	}
}

// A story is the heroes of one act.
type story struct {
	update, move func()
	sum          func() Result // over all axes
	close        func()
}

var stories = map[string]func(normal, super int) story{
	"act 1": tellFirst, "act 2": tellSecond,
	"flatecs": func(normal, super int) story {
		return tellFlat(world.Counts{Kinds: layout.Kinds(
			heroes.Position.Count(normal+super), heroes.Velocity.Count(normal+super),
			heroes.MaxVelocity.Count(super), heroes.Instance,
		)}, normal, super)
	},
	"flatecs as README": func(normal, super int) story {
		return tellFlat(world.Counts{Kinds: layout.Kinds(
			heroes.Position, heroes.Velocity, heroes.MaxVelocity, heroes.Instance,
		)}, normal, super)
	},
}

func add(r *Result, p [3]float32) {
	r.Count++
	r.Sum += float64(p[0]) + 2*float64(p[1]) + 4*float64(p[2])
}

func tellFlat(counts world.Counts, normal, super int) story {
	s := world.Must(act3.NewScene(counts, normal, super))
	return story{
		update: func() { s = heroes.Update(s) }, move: func() { s = heroes.MoveAll(s) },
		sum: func() (r Result) {
			for _, p := range world.View(s, heroes.Position) {
				add(&r, p)
			}
			return r
		},
		close: func() { world.Close(s) },
	}
}

func tellFirst(normal, super int) story {
	w := act1.NewScene(normal, super)
	return story{update: w.Update, move: w.MoveAll, sum: func() (r Result) {
		for _, hero := range w.NormalHeroes {
			add(&r, hero.Position)
		}
		for _, hero := range w.SuperHeroes {
			add(&r, hero.Position)
		}
		return r
	}}
}

func tellSecond(normal, super int) story {
	w := act2.NewScene(normal, super)
	return story{update: w.Update, move: w.MoveAll, sum: func() (r Result) {
		for _, object := range w.GameObjects {
			add(&r, object.Position.Position)
		}
		return r
	}}
}
