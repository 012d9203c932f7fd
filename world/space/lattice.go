package space

import "math"

// A lattice is where the cells are, without what is in them.
type lattice struct {
	dims   int
	wrap   bool       // a torus
	hashed bool       // no box
	low    [3]float64 // corner of the box; 0 without one
	edge   [3]float64 // edges of the box
	scale  [3]float64 // cells per world unit
	last   [3]float64 // last cell of each axis
	reach  [3]float64 // the largest number that its coordinates are computed with
	n      [3]int     // cells along each axis; of a hashed lattice, buckets × 1 × 1
	stride [3]int     // from a cell to the next one along each axis
	mask   int64      // of the number of a cell; -1 in a box
	clear  [5]int     // buckets between rows that are up to so many apart along y and z
	starts []uint32   // first entry per cell, and behind the last cell the number of entries
}

// latticeOf returns the lattice of options that were checked, for so many objects.
func latticeOf(o *Options, dims, room int) lattice {
	l := lattice{dims: dims, wrap: o.Wrap, hashed: len(o.Low) == 0, n: [3]int{1, 1, 1}}
	if l.hashed {
		l.wind(buckets(room))
		for axis := range dims {
			l.scale[axis] = 1 / o.Size
		}
		return l
	}
	for axis := range dims {
		l.low[axis], l.edge[axis] = o.Low[axis], o.High[axis]-o.Low[axis]
		l.n[axis] = max(1, int(l.edge[axis]/o.Size))
		l.reach[axis] = math.Abs(l.low[axis]) + l.edge[axis]
		// A hair more than Size, so that a ball of that radius reaches into the next cell at most.
		l.scale[axis] = min(float64(l.n[axis])/l.edge[axis], 1/(o.Size+l.slack(axis, o.Size)))
		l.last[axis] = float64(l.n[axis] - 1)
	}
	l.stride, l.mask = [3]int{1, l.n[0], l.n[0] * l.n[1]}, -1
	return l
}

// slack is more than what rounding adds to a distance along an axis, between a position in the box
// and one that a ball around it reaches.
func (l *lattice) slack(axis int, radius float64) float64 {
	return float64((2*l.reach[axis] + radius) * rounding)
}

// cells returns the number of cells.
func (l *lattice) cells() int { return l.n[0] * l.n[1] * l.n[2] }

// relative returns a coordinate from the corner of the box on, and on a torus within it.
func (l *lattice) relative(axis int, x float64) float64 {
	x -= l.low[axis]
	if l.wrap && !(x >= 0 && x < l.edge[axis]) {
		x = wrapped(x, l.edge[axis])
	}
	return x
}

// wrapped returns x minus a multiple of edge, at least 0 and less than edge.
func wrapped(x, edge float64) float64 {
	x -= float64(math.Floor(x/edge) * edge)
	if x < 0 { // by rounding
		x += edge
	}
	if !(x < edge) {
		return 0
	}
	return x
}

// index returns the cell of a relative coordinate along an axis. Cells at the border go on without
// end.
func (l *lattice) index(axis int, x float64) int {
	x = float64(x * l.scale[axis])
	if l.hashed {
		return bounded(x)
	}
	return clamped(x, l.last[axis])
}

// inside returns the cell of a position inside of the box: most are. It is lattice.cell for them.
func (l *lattice) inside(x, y, z float64) (cell uint32, ok bool) {
	x, y, z = x-l.low[0], y-l.low[1], z-l.low[2]
	if !(x >= 0 && x < l.edge[0] && y >= 0 && y < l.edge[1] && z >= 0 && z <= l.edge[2]) {
		return 0, false // of a lattice without a box, all
	}
	i := min(int(x*l.scale[0]), l.n[0]-1)
	j := min(int(y*l.scale[1]), l.n[1]-1)
	k := min(int(z*l.scale[2]), l.n[2]-1)
	return uint32((k*l.n[1]+j)*l.n[0] + i), true
}

// cell returns the cell of a finite position, and whether that is outside of the box.
func (l *lattice) cell(p *[3]float64) (cell uint32, outside bool) {
	if l.hashed {
		x, y, z := l.index(0, p[0]), l.index(1, p[1]), 0
		if l.dims == 3 {
			z = l.index(2, p[2])
		}
		return l.bucket(x, y, z), false
	}
	c := 0
	for axis := l.dims - 1; axis >= 0; axis-- {
		x := l.relative(axis, p[axis])
		outside = outside || x < 0 || x > l.edge[axis]
		c = c*l.n[axis] + l.index(axis, x)
	}
	return uint32(c), outside
}

// between returns the vector from p to q: on a torus, the shortest one.
func (l *lattice) between(p, q *[3]float64) (d [3]float64) {
	if !l.wrap {
		return [3]float64{q[0] - p[0], q[1] - p[1], q[2] - p[2]}
	}
	from, to := l.from(p), l.from(q)
	for axis := range l.dims {
		d[axis] = l.shorter(axis, to[axis]-from[axis])
	}
	return d
}

// from returns a position in the box of a torus.
func (l *lattice) from(p *[3]float64) [3]float64 {
	from := *p
	if l.wrap {
		for axis := range l.dims {
			from[axis] = l.relative(axis, p[axis])
		}
	}
	return from
}

// shorter returns the difference of two coordinates in a torus, the shortest way.
func (l *lattice) shorter(axis int, x float64) float64 {
	switch edge := l.edge[axis]; {
	case x > edge/2:
		x -= edge
	case x < -edge/2:
		x += edge
	}
	return x
}

// square returns the square of the length of a vector.
func square(d [3]float64) float64 {
	return float64(d[0]*d[0]) + float64(d[1]*d[1]) + float64(d[2]*d[2])
}

// finite reports whether no coordinate is NaN or infinite.
func finite(p *[3]float64) bool { return (p[0]-p[0])+(p[1]-p[1])+(p[2]-p[2]) == 0 }
