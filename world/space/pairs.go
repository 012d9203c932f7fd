package space

import (
	"fmt"
	"iter"
	"math"
)

// Pairs yields each pair of entries whose distance is radius or less, once: the lower entry first,
// in the order of lower entries. It panics if radius is negative or NaN.
func (v View[T]) Pairs(radius float64) iter.Seq2[int, int] {
	return v.PairsOf(0, math.MaxInt, radius)
}

// PairsOf is [View.Pairs] for pairs whose lower entry is in [first, end). Tasks that divide the
// entries find all pairs, in the order of the tasks. It panics if first is negative.
func (v View[T]) PairsOf(first, end int, radius float64) iter.Seq2[int, int] {
	return func(yield func(a, b int) bool) {
		c := v.of()
		if first < 0 {
			panic(fmt.Sprintf("space: PairsOf from entry %d; count from 0", first))
		}
		if !(radius >= 0) {
			panic(noRadius(radius))
		}
		end := min(end, len(c.points))
		if !c.wrap && !c.hashed {
			c.pairs(first, end, radius, yield)
			return
		}
		for a := first; a < end; a++ {
			p := c.coordinates(&c.points[a])
			var near search
			for n := c.near(&near, p[0], p[1], p[2], radius); n > 0; n = c.find(&near, 0) {
				for _, b := range near.hits[:n] {
					if int(b) > a && !yield(a, int(b)) {
						return
					}
				}
			}
		}
	}
}
