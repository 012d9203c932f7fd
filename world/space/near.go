package space

import (
	"fmt"
	"iter"
	"math"
)

// Near yields the entries whose distance from at is radius or less: on a torus, the shortest one,
// as [View.Between] has it. The order is the same on every machine. It panics if radius is negative
// or NaN.
//
//	for e := range view.Near(at, 5) {
//		target = view.ID(e)
//	}
func (v View[T]) Near(at T, radius float64) iter.Seq[int] {
	return func(yield func(entry int) bool) {
		var s search
		for n := v.near(&s, &at, radius); ; n = v.more(&s) {
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

// NearSquares is [View.Near] with the squares of the distances.
func (v View[T]) NearSquares(at T, radius float64) iter.Seq2[int, float64] {
	return func(yield func(entry int, square float64) bool) {
		var s search
		c := v.of()
		for n := v.near(&s, &at, radius); ; n = v.more(&s) {
			flat, x, y := c.flat, s.x, s.y
			for _, e := range s.hits[:n] {
				var d float64
				if s.kind == disc {
					p, q := flat[e][0]-x, flat[e][1]-y
					d = float64(p*p) + float64(q*q)
				} else {
					d = c.squareTo(&s, int(e))
				}
				if !yield(int(e), d) {
					return
				}
			}
			if n < len(s.hits) {
				return
			}
		}
	}
}

// squareTo returns the square of the distance of an entry from the center of a search.
func (c *cloud) squareTo(s *search, entry int) float64 {
	var p, d [3]float64
	p[0], p[1], p[2] = c.at(entry)
	if s.kind != round {
		return square([3]float64{p[0] - s.x, p[1] - s.y, p[2] - s.z})
	}
	for axis := range c.dims {
		d[axis] = c.shorter(axis, p[axis]-s.from[axis])
	}
	return square(d)
}

// Rect yields the entries from low to high, both included, in the same order on every machine. On a
// torus, high may be beyond the box. It yields nothing if high is less than low on an axis, or one
// of them is NaN.
func (v View[T]) Rect(low, high T) iter.Seq[int] {
	return func(yield func(entry int) bool) {
		var s search
		for n := v.rect(&s, &low, &high); ; n = v.more(&s) {
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

// A search is what is left of one. It lies on the stack of the loop over it, and hands out what it
// found some at a time, so that the loop calls nothing else: the compiler puts it where it is used.
type search struct {
	hits [32]uint32
	runs
	kind    kind
	x, y, z float64    // center
	limit   float64    // square of the radius
	from    [3]float64 // center on a torus, or lower corner
	to      [3]float64 // upper corner
}

// A kind is how entries are tested.
type kind uint8

const (
	none kind = iota
	disc
	ball
	round // a disc or ball on a torus
	box
	wide // a box on a torus
)

// near begins a search, and returns the number of its first hits.
func (v View[T]) near(s *search, at *T, radius float64) (hits int) {
	c := v.of()
	if !(radius >= 0) {
		panic(noRadius(radius))
	}
	x, y, z := c.axes[0].Of(at), c.axes[1].Of(at), 0.0
	if c.dims == 3 {
		z = c.axes[2].Of(at)
	}
	return c.near(s, x, y, z, radius)
}

// near is View.near of coordinates. What most searches need is here, in registers.
func (c *cloud) near(s *search, x, y, z, radius float64) (hits int) {
	if !((x-x)+(y-y)+(z-z) == 0) {
		return 0 // nothing is near to what is no place
	}
	s.x, s.y, s.z, s.limit = x, y, z, float64(radius*radius)
	var x0, x1, y0, y1, z0, z1 int
	switch {
	case c.wrap:
		return c.nearRound(s, radius)
	case c.hashed:
		x0, x1 = wound(x, radius, c.scale[0])
		y0, y1 = wound(y, radius, c.scale[0])
		if c.dims == 3 {
			z0, z1 = wound(z, radius, c.scale[0])
		}
	default:
		x0, x1 = reached(x, radius, c.low[0], c.scale[0], c.last[0], c.reach[0])
		y0, y1 = reached(y, radius, c.low[1], c.scale[1], c.last[1], c.reach[1])
		if c.dims == 3 {
			z0, z1 = reached(z, radius, c.low[2], c.scale[2], c.last[2], c.reach[2])
		}
	}
	s.begin(&c.lattice, x0, x1, y0, y1, z0, z1)
	if c.dims == 3 {
		s.kind = ball
		return c.balls(s)
	}
	s.kind = disc
	limit, flat := s.limit, c.flat
	row, stride := s.row, int64(c.stride[1])
	for left := s.left; left > 0; left-- {
		i, k, fits := c.run(row, s.wide, len(s.hits)-hits)
		if !fits {
			s.row, s.left = row, left
			return c.find(s, hits)
		}
		row = (row + stride) & c.mask
		for ; i < k; i++ {
			p, q := flat[i][0]-x, flat[i][1]-y
			s.hits[hits&31] = i
			hit := 0
			if float64(p*p)+float64(q*q) <= limit {
				hit = 1
			}
			hits += hit
		}
	}
	s.left = 0
	if s.way != through {
		return c.find(s, hits)
	}
	return hits
}

// balls is the loop of near over cells in space.
func (c *cloud) balls(s *search) (hits int) {
	x, y, z, limit, deep := s.x, s.y, s.z, s.limit, c.deep
	row, stride := s.row, int64(c.stride[1])
	next := int64(c.stride[2]) - s.rows*stride
	for ; s.left > 0; s.left = s.rows {
		for left := s.left; left > 0; left-- {
			i, k, fits := c.run(row, s.wide, len(s.hits)-hits)
			if !fits {
				s.row, s.left = row, left
				return c.find(s, hits)
			}
			row = (row + stride) & c.mask
			for ; i < k; i++ {
				p, q, r := deep[i][0]-x, deep[i][1]-y, deep[i][2]-z
				s.hits[hits&31] = i
				hit := 0
				if float64(p*p)+float64(q*q)+float64(r*r) <= limit {
					hit = 1
				}
				hits += hit
			}
		}
		if s.left = 0; s.planes == 0 {
			break
		}
		s.planes--
		row = (row + next) & c.mask
	}
	if s.way != through {
		return c.find(s, hits)
	}
	return hits
}

// run returns the entries of a row of cells, unless they go on at the beginning, or are more than
// there is room for hits.
func (c *cloud) run(row, wide int64, room int) (first, end uint32, fits bool) {
	if row+wide >= int64(len(c.starts)) {
		return 0, 0, false
	}
	first, end = c.starts[row], c.starts[row+wide]
	return first, end, int(end-first) <= room
}

// more goes on with a search.
func (v View[T]) more(s *search) (hits int) { return v.of().find(s, 0) }

// nearRound is near on a torus.
func (c *cloud) nearRound(s *search, radius float64) (hits int) {
	var p [3]float64
	p[0], p[1], p[2] = s.x, s.y, s.z
	s.around(&c.lattice, &p, radius)
	s.kind, s.from = round, c.from(&p)
	return c.find(s, 0)
}

// rect is near for a box.
func (v View[T]) rect(s *search, low, high *T) (hits int) {
	c := v.of()
	var cells [3][2]int
	p, q := c.coordinates(low), c.coordinates(high)
	for axis := range c.dims {
		if !(p[axis] <= q[axis]) {
			return 0
		}
		a, b := p[axis]-c.low[axis], q[axis]-c.low[axis]
		slack := float64((math.Abs(p[axis]) + math.Abs(q[axis]) + c.reach[axis]) * rounding)
		cells[axis][0], cells[axis][1] = c.span(axis, a-slack, b+slack)
	}
	x, y, z := cells[0], cells[1], cells[2]
	s.begin(&c.lattice, x[0], x[1], y[0], y[1], z[0], z[1])
	s.from, s.to, s.kind = p, q, box
	if c.wrap {
		s.from, s.kind = c.from(&p), wide
		for axis := range c.dims {
			s.to[axis] = s.from[axis] + (q[axis] - p[axis])
		}
	}
	return c.find(s, 0)
}

// find goes on with a search, and returns the number of the next hits; 0 at the end.
func (c *cloud) find(s *search, n int) int {
	for s.first < s.end || s.next() {
		first, end := s.first, min(s.end, s.first+len(s.hits)-n)
		s.first = end
		switch s.kind {
		case disc:
			n = c.disc(s, n, first, end)
		case ball:
			n = c.ball(s, n, first, end)
		default:
			n = c.other(s, n, first, end)
		}
		if n == len(s.hits) {
			break
		}
	}
	return n
}

func (c *cloud) disc(s *search, n, first, end int) int {
	x, y, limit := s.x, s.y, s.limit
	flat := c.flat[:end]
	for i := first; i < len(flat); i++ {
		p, q := flat[i][0]-x, flat[i][1]-y
		s.hits[n&31] = uint32(i)
		hit := 0
		if float64(p*p)+float64(q*q) <= limit {
			hit = 1
		}
		n += hit
	}
	return n
}

func (c *cloud) ball(s *search, n, first, end int) int {
	x, y, z, limit := s.x, s.y, s.z, s.limit
	deep := c.deep[:end]
	for i := first; i < len(deep); i++ {
		p, q, r := deep[i][0]-x, deep[i][1]-y, deep[i][2]-z
		s.hits[n&31] = uint32(i)
		hit := 0
		if float64(p*p)+float64(q*q)+float64(r*r) <= limit {
			hit = 1
		}
		n += hit
	}
	return n
}

// other is disc and ball for the other kinds.
func (c *cloud) other(s *search, n, first, end int) int {
	for i := first; i < end; i++ {
		var p [3]float64
		p[0], p[1], p[2] = c.at(i)
		in := true
		switch s.kind {
		case round:
			in = c.squareTo(s, i) <= s.limit
		default:
			for axis := range c.dims {
				x := p[axis]
				if s.kind == wide && x < s.from[axis] {
					x += c.edge[axis]
				}
				in = in && s.from[axis] <= x && x <= s.to[axis]
			}
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
