package space

import (
	"fmt"
	"iter"
	"math"

	"github.com/flatecs/flatecs/layout"
)

// Pairs yields each pair of entries whose distance is radius or less, once: the lower entry first,
// and in the order of that. It panics if radius is negative or NaN.
func (v View[T]) Pairs(radius float64) iter.Seq2[int, int] {
	return v.PairsOf(0, math.MaxInt, radius)
}

// PairsOf is [View.Pairs] of the pairs whose lower entry is from first to before end. Tasks that
// share the entries find all pairs, in the order of the tasks. It panics if first is negative.
func (v View[T]) PairsOf(first, end int, radius float64) iter.Seq2[int, int] {
	return func(yield func(a, b int) bool) {
		c := v.of()
		if first < 0 {
			panic(fmt.Sprintf("space: PairsOf from entry %d; count from 0", first))
		}
		end := min(end, len(c.points))
		if c.floats.stride > 0 && !c.wrap && !c.hashed {
			cloud := cloud{&c.lattice, c.floats, layout.Flat[float32](c.field, c.points)}
			cloud.pairs(first, end, radius, yield)
			return
		}
		for a := first; a < end; a++ {
			p := c.at(&c.points[a])
			var near Runs
			near.around(&c.lattice, p[0], p[1], p[2], radius)
			for near.Next() {
				for b := max(near.First, a+1); b < near.End; b++ {
					q := c.at(&c.points[b])
					if square(c.between(&p, &q)) <= float64(radius*radius) && !yield(a, b) {
						return
					}
				}
			}
		}
	}
}
