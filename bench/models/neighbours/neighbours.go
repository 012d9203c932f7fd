// Package neighbours is a system that looks at the neighbours of each object, in several ways:
// points on a plane, each of which adds up where the points around it are and where they go; and
// the search for the nearest. All ways come to the same.
//
//	flatecs              cells of package space, built in each frame; in their order
//	flatecs, 2 workers   the same, in parts
//	plain columns        slices of structs, with the same cells written by hand, in their order
//
// And a game of bullets among enemies, as one writes it, beside the same over slices with a grid.
//
// Verbs: [Cases].
package neighbours

import "github.com/flatecs/flatecs/bench/harness"

// A frame is one way to do the work.
type frame interface {
	build()       // cells
	play()        // the whole frame, build included
	sum() float64 // of all changes
	close()
}

var ways = map[string]func(n int) frame{
	"flatecs":            func(n int) frame { return newFlat(n, 1) },
	"flatecs, 2 workers": func(n int) frame { return newFlat(n, 2) },
	"plain columns":      func(n int) frame { return newPlain(n) },
}

// Cases are frames, the part of them that builds cells, and the search for the nearest.
func Cases() []harness.Case {
	one := func(name, title string, run func(frame) func()) harness.Case {
		return harness.Case{
			Name: name, Title: title, Per: "point", Sizes: []int{100_000}, Rounds: 20,
			Who:     []string{"flatecs", "flatecs, 2 workers", "plain columns"},
			Against: []string{"plain columns"},
			Make: func(who string, n int) harness.Work {
				f := ways[who](n)
				return harness.Work{
					Run: run(f), Wall: true, Close: f.close,
					Check: func() harness.Result {
						f.play()
						return harness.Result{Count: n, Sum: f.sum()}
					},
				}
			},
		}
	}
	return append([]harness.Case{
		one("neighbours", "Add up what is near each point", func(f frame) func() { return f.play }),
		one("neighbours_build", "Build the cells of that", func(f frame) func() { return f.build }),
	}, append(bullets(), nearest()...)...)
}
