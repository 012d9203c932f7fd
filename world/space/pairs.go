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

// A Hit is an entry that a search found.
type Hit struct {
	Entry  int
	Square float64 // of the distance
}

// Nearest fills dst with the entries that are nearest to at, the nearest first, and of equal ones
// the lower entry. It returns those that there are: fewer than len(dst) if there are fewer entries,
// none at a position that is NaN or infinite.
func (v View[T]) Nearest(dst []Hit, at T) []Hit {
	c := v.of()
	p := c.at(&at)
	if len(dst) == 0 || len(c.points) == 0 || !finite(&p) {
		return dst[:0]
	}
	for radius := 1 / c.scale[0]; ; radius *= 2 {
		found, seen := c.nearest(dst[:0:len(dst)], &p, radius)
		if seen == len(c.points) || len(found) == len(dst) &&
			found[len(found)-1].Square <= float64(radius*radius) {
			return found
		}
	}
}

// nearest returns the nearest entries among those that a search by a radius meets, and how many it
// met.
func (c *Cells[T]) nearest(dst []Hit, p *[3]float64, radius float64) (found []Hit, seen int) {
	var near Runs
	near.around(&c.lattice, p[0], p[1], p[2], radius)
	for near.Next() {
		seen += near.End - near.First
		for i := near.First; i < near.End; i++ {
			q := c.at(&c.points[i])
			dst = insert(dst, Hit{i, square(c.between(p, &q))})
		}
	}
	return dst, seen
}

// insert puts a hit in its place among sorted ones; of more than there is room for, the last is
// dropped.
func insert(hits []Hit, h Hit) []Hit {
	n := len(hits)
	switch {
	case n < cap(hits):
		hits = hits[:n+1]
	case !h.before(&hits[n-1]):
		return hits
	default:
		n--
	}
	for ; n > 0 && h.before(&hits[n-1]); n-- {
		hits[n] = hits[n-1]
	}
	hits[n] = h
	return hits
}

func (h *Hit) before(o *Hit) bool {
	return h.Square < o.Square || h.Square == o.Square && h.Entry < o.Entry
}
