package space

import "math"

// A lattice is the geometry of the cells, without their contents.
type lattice struct {
	dims   int
	wrap   bool       // a torus
	hashed bool       // no box
	low    [3]float64 // corner of the box; 0 without one
	edge   [3]float64 // edges of the box
	scale  [3]float64 // cells per world unit
	last   [3]float64 // last cell of each axis
	reach  [3]float64 // the largest number that occurs in computations with its coordinates
	n      [3]int     // cells along each axis; in a hashed lattice, buckets × 1 × 1
	stride [3]int     // from a cell to the next one along each axis
	mask   int64      // of the number of a cell; -1 in a box
	clear  [5]int     // buckets between rows that are up to 0, 1, … 4 apart along y and z
	starts []uint32   // first entry per cell, and behind the last cell the number of entries
}

// latticeOf returns the lattice of checked options, for room objects.
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
		// Slightly more than Size, so that a ball of that radius reaches at most into the next
		// cell.
		l.scale[axis] = min(float64(l.n[axis])/l.edge[axis], 1/(o.Size+l.slack(axis, o.Size)))
		l.last[axis] = float64(l.n[axis] - 1)
	}
	l.stride, l.mask = [3]int{1, l.n[0], l.n[0] * l.n[1]}, -1
	return l
}

// slack is an upper bound of the rounding error of a distance along an axis, between a position in
// the box and a position that a ball around it reaches.
func (l *lattice) slack(axis int, radius float64) float64 {
	return float64((2*l.reach[axis] + radius) * rounding)
}

// cells returns the number of cells.
func (l *lattice) cells() int { return l.n[0] * l.n[1] * l.n[2] }

// relative returns a coordinate relative to the corner of the box, and on a torus within it.
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
	if x < 0 { // after rounding
		x += edge
	}
	if x >= edge {
		return 0
	}
	return x
}

// index returns the cell of a relative coordinate along an axis. The cells at the border have no
// outer bound.
func (l *lattice) index(axis int, x float64) int {
	x = float64(x * l.scale[axis])
	if l.hashed {
		return bounded(x)
	}
	return clamped(x, l.last[axis])
}

// locate finds the cells of positions, and reports whether all are inside the box, as most are.
func (l *lattice) locate(cells []uint32, at *[3][chunk]float64) (inside bool) {
	inside = true
	clear(cells)
	for axis := range l.dims {
		low, scale, end := l.low[axis], l.scale[axis], math.Float64bits(l.edge[axis])
		last, stride, mask := l.n[axis]-1, uint32(l.stride[axis]), uint32(l.mask)
		at, cells := at[axis][:len(cells)], cells
		if l.hashed {
			for i, x := range at {
				inside = inside && x-x == 0
				cells[i] = (cells[i] + uint32(bounded(float64(x*scale)))*stride) & mask
			}
			continue
		}
		for i, x := range at {
			x -= low
			if math.Float64bits(x) >= end { // includes coordinates below 0 and NaN
				inside = false
			}
			cells[i] += uint32(min(int(float64(x*scale)), last)) * stride
		}
	}
	return inside
}

// holds reports whether locate finds the cell of a position: inside the box, including its borders
// unless it is a torus; without a box, any finite position.
func (l *lattice) holds(p *[3]float64) bool {
	for axis := range l.dims {
		x, edge := p[axis]-l.low[axis], l.edge[axis]
		if x-x != 0 || !l.hashed && (x < 0 || x > edge || x == edge && l.wrap) {
			return false
		}
	}
	return true
}

// cell returns the cell of a finite position.
func (l *lattice) cell(p *[3]float64) uint32 {
	c := 0
	for axis := l.dims - 1; axis >= 0; axis-- {
		c = c*l.n[axis] + l.index(axis, l.relative(axis, p[axis]))
	}
	return uint32(c)
}

// fold moves n positions into the box of a torus.
func (l *lattice) fold(at *[3][chunk]float64, n int) {
	if !l.wrap {
		return
	}
	for axis := range l.dims {
		for i, x := range at[axis][:n] {
			at[axis][i] = l.relative(axis, x)
		}
	}
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

// shorter returns the difference of two coordinates on a torus, the shortest way.
func (l *lattice) shorter(axis int, x float64) float64 {
	switch edge := l.edge[axis]; {
	case x > edge/2:
		x -= edge
	case x < -edge/2:
		x += edge
	}
	return x
}

// finite reports whether no coordinate is NaN or infinite.
func finite(p *[3]float64) bool { return (p[0]-p[0])+(p[1]-p[1])+(p[2]-p[2]) == 0 }

// buckets returns the number of buckets for so many entries: a power of two. Most stay empty, so
// that a search seldom finds entries of other cells.
func buckets(entries int) int {
	n := 64
	for n < entries || n < 8*entries && n < 1<<20 {
		n *= 2
	}
	return n
}

// wind places the cells in n buckets, a power of two. Rows of cells are wound around the buckets:
// the next row along y begins a golden section further. With three axes, the offsets along y and z
// are the sections whose multiples keep the largest distances for a plane of rows, which come from
// the plastic ratio ρ: 1/ρ and 1/ρ². So cells that share a bucket are far from each other, and in a
// world with fewer than half as many cells as buckets no two share one, whether it is wide or long.
func (l *lattice) wind(n int) {
	if l.n[0] == n && l.mask == int64(n-1) {
		return
	}
	l.n[0], l.mask = n, int64(n-1)
	l.stride = [3]int{1, section(n, 0.6180339887498949), 0}
	if l.dims == 3 {
		l.stride[1], l.stride[2] = section(n, 0.7548776662466927), section(n, 0.5698402909980532)
	}
	l.clear = [5]int{n, n, n, n, n}
	for y := -4; y <= 4; y++ {
		for z := -4; z <= 4; z++ {
			if y == 0 && z == 0 || z != 0 && l.dims < 3 {
				continue
			}
			away := int(l.bucket(0, y, z))
			for reach := max(y, -y, z, -z); reach < len(l.clear); reach++ {
				l.clear[reach] = min(l.clear[reach], away, n-away)
			}
		}
	}
}

// section returns a part of n, as an odd number.
func section(n int, part float64) int { return int(float64(float64(n)*part)) | 1 }

// bucket returns the bucket of a cell. Consecutive cells of a row have consecutive buckets.
func (l *lattice) bucket(x, y, z int) uint32 {
	return uint32(int64(x+y*l.stride[1]+z*l.stride[2]) & l.mask)
}

// far is the last cell from the origin without a box; the last cells have no outer bound.
const far = 1 << 28

// bounded returns the cell of a coordinate in cells: the cell below it or, after rounding, the
// next.
func bounded(x float64) int {
	switch {
	case !(x > -far):
		return -far
	case x >= far:
		return far
	}
	return int(x+far) - far
}

// beginHashed prepares r for its first run, without a box. A search takes time in proportion to the
// square of the number of its rows.
func (r *runs) beginHashed() {
	r.way = hashed
	rows := (int64(r.region.y1-r.region.y0) + 1) * (int64(r.region.z1-r.region.z0) + 1)
	entries := int64(r.of.starts[r.of.n[0]])
	if rows > 1<<12 || rows*rows > entries || int(r.region.x1-r.region.x0)+1 >= r.of.n[0] {
		r.way = whole
	}
}

// nextBuckets is next without a box. Rows may share buckets, so it visits buckets in ascending
// order, always continuing with the row whose next bucket is lowest.
func (r *runs) nextBuckets() bool {
	l, g := r.of, &r.region
	x0, y0, y1, z0, z1 := int(g.x0), int(g.y0), int(g.y1), int(g.z0), int(g.z1)
	n, wide := uint32(l.n[0]), uint32(g.x1-g.x0+1)
	for g.done < n {
		first, end, done := n, n, g.done
		for z := z0; z <= z1; z++ {
			for y := y0; y <= y1; y++ {
				a := l.bucket(x0, y, z)
				first, end = nearer(first, end, max(a, done), min(a+wide, n))
				if a+wide > n {
					first, end = nearer(first, end, done, a+wide-n)
				}
			}
		}
		g.done, r.first, r.end = end, int(l.starts[first]), int(l.starts[end])
		if r.first < r.end {
			return true
		}
	}
	return false
}

// nearer returns the range of buckets that begins first, or the longer one if both begin together.
// The second range may be empty.
func nearer(first, end, a, b uint32) (uint32, uint32) {
	if a < b && (a < first || a == first && b > end) {
		return a, b
	}
	return first, end
}
