package space

import "math"

// A Hit is an entry that a search found.
type Hit struct {
	Entry  int
	Square float64 // of the distance
}

// Nearest fills dst with the entries nearest to at, the nearest first; ties are ordered by entry.
// radius, in world units, bounds the search; math.Inf(1) does not bound it:
//
//	for _, hit := range view.Nearest(hits[:1], at, 30) { // at most one
//		target = view.ID(hit.Entry)
//	}
//
// It returns the filled part of dst: fewer than len(dst) hits if fewer entries are in reach, and no
// hits around a position that is NaN or infinite. It panics if radius is negative or NaN.
func (v View[T]) Nearest(dst []Hit, at T, radius float64) []Hit {
	c := v.of()
	if !(radius >= 0) {
		panic(noRadius(radius))
	}
	p := c.source.coordinates(&at)
	if len(dst) == 0 || len(c.points) == 0 || !finite(&p) {
		return dst[:0]
	}
	limit := float64(radius * radius)
	reach := c.cloud.guess(len(dst), len(c.points), radius)
	for {
		found, seen := c.cloud.nearest(dst[:0:len(dst)], &p, reach, limit)
		if seen == len(c.points) || reach == radius {
			return found
		}
		if reach = c.cloud.further(found, reach); reach < 0 {
			return found
		}
		reach = min(reach, radius)
	}
}

// guess returns the radius of the first search for wanted of all entries, assuming that all are
// spread evenly: radius if few entries are expected in it, or a radius that holds the wanted
// number.
func (l *lattice) guess(wanted, of int, radius float64) float64 {
	const few = 10 // times wanted; more cost more than a second search
	if l.hashed {
		return 0 // the number of occupied cells is not known
	}
	share := float64(of) / float64(l.cells())
	if l.expected(share, float64(radius*l.scale[0])) <= float64(few*wanted) {
		return radius
	}
	reach := 0.0 // in cells
	for l.expected(share, reach) < float64(wanted) {
		reach += reach + .5
	}
	return min(reach/l.scale[0], radius)
}

// expected returns the number of entries that a search is expected to visit if they are spread
// evenly. The radius is in cells.
func (l *lattice) expected(share, radius float64) float64 {
	side := 2*radius + 1
	if l.dims == 3 {
		share *= side
	}
	return float64(share * side * side)
}

// further returns the radius of the next search after a search that found these hits, or -1 if no
// unvisited entry can be nearer.
func (l *lattice) further(found []Hit, reach float64) float64 {
	if len(found) < cap(found) {
		return 2 * max(reach, .25/l.scale[0])
	}
	last := found[len(found)-1].Square
	if last <= float64(reach*reach) {
		return -1
	}
	return float64(math.Sqrt(last) * (1 + rounding)) // at least the root, despite rounding
}

// nearest returns the nearest entries within radius, and the number of entries that it visited. It
// omits entries whose square is more than limit.
func (c *cloud) nearest(dst []Hit, p *[3]float64, radius, limit float64) (hits []Hit, seen int) {
	near, x, y, z := runs{of: &c.lattice}, p[0], p[1], p[2]
	near.around(x, y, z, radius)
	if c.wrap {
		from := c.from(p)
		x, y, z = from[0], from[1], from[2]
	}
	for near.next() {
		seen += near.end - near.first
		for i := near.first; i < near.end; i++ {
			q, r, t := c.at(i)
			q, r, t = q-x, r-y, t-z
			if c.wrap {
				q, r, t = c.shorter(0, q), c.shorter(1, r), c.shorter(2, t)
			}
			if s := float64(q*q) + float64(r*r) + float64(t*t); s <= limit {
				dst, limit = insert(dst, Hit{i, s}, limit)
			}
		}
	}
	return dst, seen
}

// insert inserts a hit into sorted hits; if there is no room, it drops the last one. It returns the
// largest square that is still wanted.
func insert(hits []Hit, h Hit, limit float64) ([]Hit, float64) {
	n := len(hits)
	switch {
	case n < cap(hits):
		hits = hits[:n+1]
	case !h.before(&hits[n-1]):
		return hits, limit
	default:
		n--
	}
	for ; n > 0 && h.before(&hits[n-1]); n-- {
		hits[n] = hits[n-1]
	}
	hits[n] = h
	if len(hits) == cap(hits) {
		limit = hits[len(hits)-1].Square
	}
	return hits, limit
}

func (h *Hit) before(o *Hit) bool {
	return h.Square < o.Square || h.Square == o.Square && h.Entry < o.Entry
}
