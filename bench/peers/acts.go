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

// acts are the three acts of the heroes' story: structs behind pointers, components behind
// pointers, and this library; half of the heroes are normal, half are super. The objects of acts 1
// and 2 are allocated in the order in which they are walked, which is the best case for pointers.
func acts() []harness.Case {
	one := func(name, title string, run func(story) func()) harness.Case {
		return harness.Case{
			Name: name, Title: title, Per: "hero", Sizes: []int{1_000, 100_000, 1_000_000},
			Who:     []string{"flatecs", "act 1", "act 2", "structs"},
			Against: []string{"act 1", "act 2"},
			How: []string{
				"flatecs: act 3, by kernels of buffer/kernel; all in Go with -tags purego",
				"structs: act 1 with the heroes themselves in a slice",
			},
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
	"flatecs": tellFlat, "act 1": tellFirst, "act 2": tellSecond, "structs": tellStructs,
}

func add(r *Result, p [3]float32) {
	r.Count++
	r.Sum += float64(p[0]) + 2*float64(p[1]) + 4*float64(p[2])
}

func tellFlat(normal, super int) story {
	s := world.Must(act3.NewScene(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(normal+super), heroes.Velocity.Count(normal+super),
		heroes.MaxVelocity.Count(super), heroes.Instance,
	)}, normal, super))
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

func tellStructs(normal, super int) story {
	scene := act1.NewScene(normal, super)
	n, s := make([]act1.NormalHero, normal), make([]act1.SuperHero, super)
	for i, hero := range scene.NormalHeroes {
		n[i] = *hero
	}
	for i, hero := range scene.SuperHeroes {
		s[i] = *hero
	}
	return story{
		update: func() {
			for i := range n {
				n[i].Update()
			}
			for i := range s {
				s[i].Update()
			}
		},
		move: func() {
			for i := range n {
				n[i].Move()
			}
			for i := range s {
				s[i].Move()
			}
		},
		sum: func() (r Result) {
			for i := range n {
				add(&r, n[i].Position)
			}
			for i := range s {
				add(&r, s[i].Position)
			}
			return r
		},
	}
}
