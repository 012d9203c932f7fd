package space

import (
	"fmt"
	"iter"
)

// NearEach yields, for each of points in turn, the entries whose distance from it is radius or
// less, in the order of [View.Near], with the squares of the distances. The first value is the
// index of the point. It is the fastest search around many points with few neighbours:
//
//	for i, hit := range monsters.NearEach(world.Column(b, Place), 2) {
//		b.Dispose(i)
//		wounds[hit.Entry]++
//	}
//
// NearEach of another view's Points yields the pairs of both views, in the order of cells. A point
// that is NaN or infinite has no hits. It panics if radius is negative or NaN.
func (v View[T]) NearEach(points []T, radius float64) iter.Seq2[int, Hit] {
	return func(yield func(point int, hit Hit) bool) {
		var s sweep
		s.radius = radius
		for n := v.sweep(&s, points); n > 0; n = v.sweep(&s, points) {
			for i, p := range s.pairs[:n] {
				if !yield(s.first+int(p>>32), Hit{int(uint32(p)), s.squares[i]}) {
					return
				}
			}
		}
	}
}

// Pairs yields each pair of entries whose distance is radius or less, once: the lower entry first,
// in the order of lower entries. It panics if radius is negative or NaN.
func (v View[T]) Pairs(radius float64) iter.Seq2[int, int] {
	return v.PairsOf(0, v.Len(), radius)
}

// PairsOf is [View.Pairs] for lower entries from first to before end, so that several tasks can
// share a search. It also panics if these are not a range of entries.
func (v View[T]) PairsOf(first, end int, radius float64) iter.Seq2[int, int] {
	return func(yield func(a, b int) bool) {
		var s sweep
		s.radius, s.above, s.first = radius, true, first
		points := v.of().points
		mustBeRange(first, end, len(points))
		points = points[:end]
		for n := v.sweep(&s, points); n > 0; n = v.sweep(&s, points) {
			for _, p := range s.pairs[:n] {
				if !yield(s.first+int(p>>32), int(uint32(p))) {
					return
				}
			}
		}
	}
}

// mustBeRange panics if first to before end is no range of n entries.
func mustBeRange(first, end, n int) {
	if first < 0 || end < first || end > n {
		panic(fmt.Sprintf("space: pairs of the entries from %d to before %d, of %d; give a range "+
			"of them", first, end, n))
	}
}

// A sweep is the state of a search around many points. It is on the stack of the loop. Most rows of
// cells have at most two entries, so the search avoids branches on their number and on tests: it
// collects candidates, and tests them together.
type sweep struct {
	pairs    [candidates + few]uint64 // pairs of a point in at and an entry: candidates, then hits
	squares  [candidates]float64      // per hit, of the distance
	at       [3][chunk]float64        // coordinates of points, on a torus within the box
	from, to [3][chunk]int32          // cells that balls around them reach; empty if not finite
	first    int                      // index of the first point in at
	next, n  int                      // the next point in at; points in at
	above    bool                     // the points are entries; hits are the entries behind
	apart    bool                     // near searches around the next point
	near     search
	radius   float64
}

const (
	candidates = 512 // tested together
	few        = 4   // candidates that are added together: most rows of cells have no more
)

// sweep continues a sweep around points, and returns the number of the next hits; 0 at the end.
func (v View[T]) sweep(s *sweep, points []T) (hits int) {
	c := v.of()
	if !(s.radius >= 0) {
		panic(noRadius(s.radius))
	}
	for hits == 0 {
		switch {
		case s.next == s.n:
			if s.first += s.n; s.first >= len(points) {
				return 0
			}
			c.read(s, points[s.first:][:min(chunk, len(points)-s.first)])
		case s.apart:
			p := c.source.coordinates(&points[s.first+s.next])
			hits = c.cloud.searchApart(s, &p)
		case c.cloud.dims == 3:
			hits = choose(c.cloud.deep, s, c.cloud.collect(s))
		default:
			hits = choose(c.cloud.flat, s, c.cloud.collect(s))
		}
	}
	return hits
}

// read sets the coordinates of the next points, and the cells that balls around them reach.
func (c *Cells[T]) read(s *sweep, points []T) {
	s.next, s.n = 0, len(points)
	c.source.read(&s.at, points)
	for axis := range c.source.dims {
		c.cloud.reachEach(s, axis)
	}
	c.cloud.fold(&s.at, s.n)
}

// reachEach sets the cells along an axis that balls around the points reach: those of lattice.near,
// plus one at the border of a box, or none for a point that is not finite.
func (l *lattice) reachEach(s *sweep, axis int) {
	low, scale, n, last := l.low[axis], l.scale[axis], float64(l.n[axis]), l.n[axis]-1
	ahead := min(float64((s.radius+l.slack(axis, s.radius))*scale), n)
	back := ahead
	if s.above && axis == l.dims-1 {
		back = 0 // preceding cells have lower entries
	}
	for i, x := range s.at[axis][:s.n] {
		first, end := 1, 0
		switch {
		case x-x != 0:
		case l.wrap || l.hashed:
			first, end = l.near(axis, x, s.radius)
			if l.wrap && end-first == last {
				end++ // distances the other way round may be shorter
			}
		default:
			if x = float64((x - low) * scale); x < 0 {
				x = 0
			} else if x > n {
				x = n
			}
			first, end = min(max(0, int(x-back)), last), min(int(x+ahead), last)
		}
		s.from[axis][i], s.to[axis][i] = int32(first), int32(end)
	}
}

// collect collects candidates around points, as long as there is room, and returns their number.
func (c *cloud) collect(s *sweep) (n int) {
	stride, round := int64(c.stride[1]), c.wrap || c.hashed
	for ; s.next < s.n; s.next++ {
		i := uint(s.next) % chunk
		x0, x1 := int64(s.from[0][i]), int64(s.to[0][i])
		y0, y1 := int64(s.from[1][i]), int64(s.to[1][i])
		z0, z1 := int64(s.from[2][i]), int64(s.to[2][i])
		if round && !c.plain(int(x0), int(x1), int(y0), int(y1), int(z0), int(z1)) {
			s.apart = true
			return n
		}
		above := uint32(0)
		if s.above {
			above = uint32(s.first + int(i) + 1)
		}
		found := n
		for z := z0; z <= z1; z++ {
			row := z*int64(c.stride[2]) + y0*stride + x0
			if found = c.collectRows(s, found, row, y1-y0+1, x1-x0+1, above); found < 0 {
				s.apart = s.apart || n == 0
				return n
			}
		}
		n = found
	}
	return n
}

// collectRows adds the entries of rows of cells, from number above on, to n candidates around the
// next point, and returns how many these are then; -1 if they are too many, or if a row goes on at
// the beginning of the table, so that the point is searched around apart. It is a function of its
// own so that its variables are in registers.
func (c *cloud) collectRows(s *sweep, n int, row, rows, wide int64, above uint32) int {
	starts, stride, mask := c.starts, int64(c.stride[1]), c.mask
	point := uint64(s.next) % chunk << 32
	for ; rows > 0; rows-- {
		row &= mask
		if uint(row+wide) >= uint(len(starts)) {
			s.apart = true
			return -1
		}
		b := max(starts[row], above)
		left := int(starts[row+wide]) - int(b)
		if left >= candidates-n {
			return -1
		}
		for pair := point | uint64(b); ; pair += few {
			at := uint(n) % candidates // of which the compiler knows that it is in bounds
			to := (*[few]uint64)(s.pairs[at : at+few])
			to[0], to[1], to[2], to[3] = pair, pair+1, pair+2, pair+3
			n += min(max(left, 0), few)
			if left -= few; left <= 0 {
				break
			}
		}
		row += stride
	}
	return n
}

// choose keeps the candidates that are in reach, and returns their number.
func choose[P spot](at []P, s *sweep, n int) (hits int) {
	limit := float64(s.radius * s.radius)
	found := uint(0) // of which the compiler knows that it is in bounds
	for _, pair := range s.pairs[:n] {
		k := pair >> 32 % chunk
		square := squareFrom(&at[uint32(pair)], s.at[0][k], s.at[1][k], s.at[2][k])
		s.pairs[found%candidates], s.squares[found%candidates] = pair, square
		hit := uint(0)
		if square <= limit {
			hit = 1
		}
		found += hit
	}
	return int(found)
}

// searchApart continues around the next point, at p, and returns the number of the next hits.
func (c *cloud) searchApart(s *sweep, p *[3]float64) (hits int) {
	var found int
	if s.near.of == nil {
		found = c.near(&s.near, p[0], p[1], p[2], s.radius)
	} else {
		found = c.find(&s.near, 0)
	}
	for _, e := range s.near.hits[:found] {
		if int(e) > s.first+s.next || !s.above {
			s.pairs[hits] = uint64(s.next)<<32 | uint64(e)
			s.squares[hits] = c.squareTo(&s.near, int(e))
			hits++
		}
	}
	if found < len(s.near.hits) {
		s.near, s.apart = search{}, false
		s.next++
	}
	return hits
}
