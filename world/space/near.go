package space

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// Near yields the entries whose distance from at is radius or less; on a torus the distance is the
// shortest one, as in [View.Between]. The order is the same on every machine. It panics if radius
// is negative or NaN.
// or NaN.
//
//	for e := range view.Near(at, 5) {
//		target = view.ID(e)
//	}
func (v View[T]) Near(at T, radius float64) iter.Seq[int] {
	return func(yield func(entry int) bool) {
		var s search
		for n := v.near(&s, &at, radius); ; n = v.of().cloud.find(&s, 0) {
			for _, e := range s.hits[:n] {
				if !yield(int(e)) {
					return
				}
			}
			if n < len(s.hits) {
				return
			}
		}
	}
}

// AppendNear appends the entries that [View.Near] yields to dst, with the squares of the distances.
// Around many points, [View.NearEach] is faster.
//
//	hits = view.AppendNear(hits[:0], at, 5)
func (v View[T]) AppendNear(dst []Hit, at T, radius float64) []Hit {
	var s search
	c := v.of()
	for n := v.near(&s, &at, radius); ; n = c.cloud.find(&s, 0) {
		k := len(dst)
		dst = slices.Grow(dst, n)[:k+n]
		for i, e := range s.hits[:n] {
			dst[k+i] = Hit{int(e), c.cloud.squareTo(&s, int(e))}
		}
		if n < len(s.hits) {
			return dst
		}
	}
}

// squareTo returns the square of the distance of an entry from the center of a search.
func (c *cloud) squareTo(s *search, entry int) float64 {
	x, y, z := c.at(entry)
	x, y, z = x-s.from[0], y-s.from[1], z-s.from[2]
	if c.wrap {
		x, y, z = c.shorter(0, x), c.shorter(1, y), c.shorter(2, z)
	}
	return float64(x*x) + float64(y*y) + float64(z*z)
}

// Rect yields the entries from low to high, both included, in the same order on every machine. On a
// torus, high may be beyond the box. It yields nothing if high is less than low on an axis, or if a
// coordinate is NaN.
func (v View[T]) Rect(low, high T) iter.Seq[int] {
	return func(yield func(entry int) bool) {
		var s search
		for n := v.rect(&s, &low, &high); ; n = v.of().cloud.find(&s, 0) {
			for _, e := range s.hits[:n] {
				if !yield(int(e)) {
					return
				}
			}
			if n < len(s.hits) {
				return
			}
		}
	}
}

// A search is the state of a loop over hits. It is on the stack of the loop, and collects a few
// hits at a time, so that the loop makes no other calls and the compiler inlines it.
type search struct {
	hits [32]uint32
	runs
	box   bool       // not a ball
	limit float64    // square of the radius
	from  [3]float64 // center, or lower corner; on a torus in its box
	to    [3]float64 // upper corner
}

// near begins a search, and returns the number of its first hits.
func (v View[T]) near(s *search, at *T, radius float64) (hits int) {
	c := v.of()
	if !(radius >= 0) {
		panic(noRadius(radius))
	}
	p := &c.source
	x, y, z := p.axes[0].Of(at), p.axes[1].Of(at), 0.0
	if p.dims == 3 {
		z = p.axes[2].Of(at)
	}
	return c.cloud.near(s, x, y, z, radius)
}

// near is View.near for coordinates.
func (c *cloud) near(s *search, x, y, z, radius float64) (hits int) {
	if !((x-x)+(y-y)+(z-z) == 0) {
		return 0 // nothing is near a position that is not finite
	}
	s.of, s.from, s.limit = &c.lattice, [3]float64{x, y, z}, float64(radius*radius)
	if c.wrap || c.hashed || c.dims == 3 {
		s.around(x, y, z, radius)
	} else { // around, with the values in registers
		x0, x1 := reached(x, radius, c.low[0], c.scale[0], c.last[0], c.reach[0])
		y0, y1 := reached(y, radius, c.low[1], c.scale[1], c.last[1], c.reach[1])
		s.begin(x0, x1, y0, y1, 0, 0)
	}
	switch {
	case c.wrap:
		s.from = c.from(&s.from)
		return c.find(s, 0)
	case c.dims == 3:
		return scan(c, c.deep, s)
	}
	return scan(c, c.flat, s)
}

// scan is the loop of near over rows of cells, as long as there is room for all hits.
func scan[P spot](c *cloud, at []P, s *search) (hits int) {
	x, y, z, limit := s.from[0], s.from[1], s.from[2], s.limit
	row, wide, stride := s.row, s.wide, int64(c.stride[1])
	for ; s.left > 0; s.left = s.rows {
		for left := s.left; left > 0; left-- {
			if row+wide >= int64(len(c.starts)) ||
				int(c.starts[row+wide]-c.starts[row]) > len(s.hits)-hits {
				s.row, s.left = row, left // more hits, or rows continue at the start
				return c.find(s, hits)
			}
			i, k := c.starts[row], c.starts[row+wide]
			row = (row + stride) & c.mask
			for ; i < k; i++ {
				square := squareFrom(&at[i], x, y, z)
				s.hits[hits&31] = i
				hit := 0
				if square <= limit {
					hit = 1
				}
				hits += hit
			}
		}
		if s.left = 0; s.planes == 0 {
			break
		}
		s.planes--
		row = (row + int64(c.stride[2]) - s.rows*stride) & c.mask
	}
	if s.way != through {
		return c.find(s, hits)
	}
	return hits
}

// rect is near for a box.
func (v View[T]) rect(s *search, low, high *T) (hits int) {
	c := v.of()
	return c.cloud.rect(s, c.source.coordinates(low), c.source.coordinates(high))
}

func (c *cloud) rect(s *search, p, q [3]float64) (hits int) {
	var cells [3][2]int
	for axis := range c.dims {
		if !(p[axis] <= q[axis]) {
			return 0
		}
		a, b := p[axis]-c.low[axis], q[axis]-c.low[axis]
		slack := float64((math.Abs(p[axis]) + math.Abs(q[axis]) + c.reach[axis]) * rounding)
		cells[axis][0], cells[axis][1] = c.span(axis, a-slack, b+slack)
	}
	x, y, z := cells[0], cells[1], cells[2]
	s.of = &c.lattice
	s.begin(x[0], x[1], y[0], y[1], z[0], z[1])
	s.from, s.to, s.box = c.from(&p), q, true
	if c.wrap {
		for axis := range c.dims {
			s.to[axis] = s.from[axis] + (q[axis] - p[axis])
		}
	}
	return c.find(s, 0)
}

// find continues a search, and returns the number of the next hits; 0 at the end.
func (c *cloud) find(s *search, n int) int {
	for s.first < s.end || s.next() {
		first, end := s.first, min(s.end, s.first+len(s.hits)-n)
		s.first = end
		switch {
		case s.box || c.wrap:
			n = c.other(s, n, first, end)
		case c.dims == 3:
			n = test(c.deep, s, n, first, end)
		default:
			n = test(c.flat, s, n, first, end)
		}
		if n == len(s.hits) {
			break
		}
	}
	return n
}

// test adds the entries [first, end) that are in a disc or ball to n hits.
func test[P spot](at []P, s *search, n, first, end int) int {
	x, y, z, limit := s.from[0], s.from[1], s.from[2], s.limit
	at = at[:end]
	for i := first; i < len(at); i++ {
		square := squareFrom(&at[i], x, y, z)
		s.hits[n&31] = uint32(i)
		hit := 0
		if square <= limit {
			hit = 1
		}
		n += hit
	}
	return n
}

// other is test on a torus and for boxes.
func (c *cloud) other(s *search, n, first, end int) int {
	for i := first; i < end; i++ {
		in := true
		if s.box {
			var p [3]float64
			p[0], p[1], p[2] = c.at(i)
			for axis, x := range p[:c.dims] {
				if c.wrap && x < s.from[axis] {
					x += c.edge[axis]
				}
				in = in && s.from[axis] <= x && x <= s.to[axis]
			}
		} else {
			in = c.squareTo(s, i) <= s.limit
		}
		if in {
			s.hits[n&31] = uint32(i)
			n++
		}
	}
	return n
}

func noRadius(radius float64) string {
	return fmt.Sprintf("space: a search with radius %v; give 0 or more", radius)
}
