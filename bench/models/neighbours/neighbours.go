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

import (
	"math/rand/v2"

	"github.com/flatecs/flatecs/bench/harness"
)

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
	one := func(name, title string, run func(frame)) harness.Case {
		return harness.Case{
			Name: name, Title: title, Per: "point", Sizes: []int{100_000}, Rounds: 20,
			Who:     []string{"flatecs", "flatecs, 2 workers", "plain columns"},
			Against: []string{"plain columns"},
			Make: func(who string, n int) harness.Work {
				f := ways[who](n)
				return harness.Work{
					Run: func() { run(f) }, Wall: true, Close: f.close,
					Check: func() harness.Result {
						f.play()
						return harness.Result{Count: n, Sum: f.sum()}
					},
				}
			},
		}
	}
	return append([]harness.Case{
		one("neighbours", "Add up what is near each point", frame.play),
		one("neighbours_build", "Build the cells of that", frame.build),
	}, append(bullets(), nearest()...)...)
}

// A Vec is a place, a velocity, or what a point is to change about it.
type Vec struct{ X, Y float32 }

const (
	side   = 1000 // of the plane, world units
	radius = 4
)

// points returns places and velocities.
func points(n int) (places, velocities []Vec) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		places = append(places, Vec{r.Float32() * side, r.Float32() * side})
		velocities = append(velocities, Vec{r.Float32() - .5, r.Float32() - .5})
	}
	return places, velocities
}

// A crowd is the sums over the neighbours of a point.
type crowd struct{ n, x, y, vx, vy float32 }

// add adds those of some points that are near.
func (c *crowd) add(at Vec, places, velocities []Vec) {
	n, x, y, vx, vy := c.n, c.x, c.y, c.vx, c.vy
	velocities = velocities[:len(places)]
	for i, p := range places {
		dx, dy := p.X-at.X, p.Y-at.Y
		if float32(dx*dx)+float32(dy*dy) < radius*radius {
			x, y, vx, vy = x+dx, y+dy, vx+velocities[i].X, vy+velocities[i].Y
			n++
		}
	}
	*c = crowd{n, x, y, vx, vy}
}

// turn returns what the crowd makes of a velocity.
func (c *crowd) turn(v Vec) Vec {
	return Vec{
		float32(c.x/c.n*.01) + float32((c.vx/c.n-v.X)*.1),
		float32(c.y/c.n*.01) + float32((c.vy/c.n-v.Y)*.1),
	}
}
