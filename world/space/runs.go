package space

import "math"

// runs are ranges of entries: all that a search may find, and others from the same cells, without
// duplicates.
type runs struct {
	first, end int // entries of the current run
	of         *lattice

	// Adjacent cells, in rows and planes.
	row, wide int64 // first cell of the next row; cells in each
	left      int64 // rows of this plane; 0 for the other ways
	rows      int64 // of each plane
	planes    int64 // left after this one
	tail      int   // entries from 0 on that belong to the last row

	way    way
	region region // for the other ways
}

// A region is a range of cells that runs visit row by row.
type region struct {
	x0, x1, y0, y1 int32  // first and last cells
	z0, z1         int32  // remaining planes
	y              int32  // the next row
	done           uint32 // buckets
}

// A way is how runs continue when no rows are left.
type way uint8

const (
	through way = iota // plane by plane
	folded             // row by row, across the borders of a torus
	turned             // the same, and the next row continues at its beginning
	hashed             // through the buckets of all rows
	whole              // one run of all entries
)

// rounding bounds the rounding error of a distance, relative to the numbers in it.
const rounding = 1.0 / (1 << 48)

// around sets r, of which only the lattice is set, to the runs that cover all entries in a ball.
func (r *runs) around(x, y, z, radius float64) {
	l := r.of
	var x0, x1, y0, y1, z0, z1 int
	if l.wrap || l.hashed {
		x0, x1 = l.near(0, x, radius)
		y0, y1 = l.near(1, y, radius)
		if l.dims == 3 {
			z0, z1 = l.near(2, z, radius)
		}
	} else {
		x0, x1 = reached(x, radius, l.low[0], l.scale[0], l.last[0], l.reach[0])
		y0, y1 = reached(y, radius, l.low[1], l.scale[1], l.last[1], l.reach[1])
		if l.dims == 3 {
			z0, z1 = reached(z, radius, l.low[2], l.scale[2], l.last[2], l.reach[2])
		}
	}
	r.begin(x0, x1, y0, y1, z0, z1)
}

// reached is lattice.near for an axis of a bounded box, with the lattice's numbers in registers,
// which matters for searches with few neighbours.
func reached(x, radius, low, scale, end, reach float64) (first, last int) {
	radius += float64((math.Abs(x) + radius + reach) * rounding)
	x -= low
	return clamped(float64((x-radius)*scale), end), clamped(float64((x+radius)*scale), end)
}

// clamped returns the cell of a coordinate in cells, along an axis whose last cell is end.
func clamped(x, end float64) int {
	switch {
	case !(x > 0):
		return 0
	case x >= end:
		return int(end)
	}
	return int(x)
}

// near returns the first and the last cell along an axis that a ball reaches; on a torus as in
// span, and also without a box.
func (l *lattice) near(axis int, x, radius float64) (first, last int) {
	radius += float64((math.Abs(x) + radius + l.reach[axis]) * rounding)
	if l.hashed {
		scale := l.scale[axis]
		return bounded(float64((x - radius) * scale)), bounded(float64((x + radius) * scale))
	}
	x = l.relative(axis, x)
	return l.span(axis, x-radius, x+radius)
}

// span returns the first and the last cell along an axis from a to b, relative to the box. On a
// torus the last one may be one round ahead.
func (l *lattice) span(axis int, a, b float64) (first, last int) {
	if !l.wrap {
		return l.index(axis, a), l.index(axis, b)
	}
	if !(float64((b-a)*l.scale[axis]) < l.last[axis]) {
		return 0, l.n[axis] - 1
	}
	first, last = l.index(axis, wrapped(a, l.edge[axis])), l.index(axis, wrapped(b, l.edge[axis]))
	if last < first {
		last += l.n[axis]
	}
	return first, last
}

// begin sets r, of which only the lattice is set, to the runs of a range of cells.
func (r *runs) begin(x0, x1, y0, y1, z0, z1 int) {
	l := r.of
	if l.plain(x0, x1, y0, y1, z0, z1) {
		r.row = int64(z0*l.stride[2]+y0*l.stride[1]+x0) & l.mask
		r.wide = int64(x1 - x0 + 1)
		r.rows, r.planes = int64(y1-y0+1), int64(z1-z0)
		r.left = r.rows
		return
	}
	r.beginApart(x0, x1, y0, y1, z0, z1)
}

// plain reports whether the rows between two cells at this distance are contiguous and share no
// buckets.
func (l *lattice) plain(x0, x1, y0, y1, z0, z1 int) bool {
	if l.hashed {
		rows := max(y1-y0, z1-z0)
		return rows < len(l.clear) && x1-x0 < l.clear[rows]
	}
	return x1 < l.n[0] && y1 < l.n[1] && z1 < l.n[2]
}

// beginApart is begin across the border of a torus, and for rows that share buckets.
func (r *runs) beginApart(x0, x1, y0, y1, z0, z1 int) {
	g := &r.region
	g.x0, g.x1, g.y0, g.y1 = int32(x0), int32(x1), int32(y0), int32(y1)
	g.z0, g.z1, g.y = int32(z0), int32(z1), int32(y0)
	if r.way = folded; r.of.hashed {
		r.beginHashed()
	}
}

// next moves to the next run, if there is one.
func (r *runs) next() bool {
	if r.tail > 0 {
		r.first, r.end, r.tail = 0, r.tail, 0
		return true
	}
	for {
		for l := r.of; r.left > 0; {
			row, end := r.row, r.row+r.wide
			if beyond := end - int64(l.cells()); beyond > 0 {
				end -= beyond
				r.tail = int(l.starts[beyond])
			}
			r.first, r.end = int(l.starts[row]), int(l.starts[end])
			r.row = (row + int64(l.stride[1])) & l.mask
			r.left--
			if r.first < r.end {
				return true
			}
			if r.tail > 0 {
				r.first, r.end, r.tail = 0, r.tail, 0
				return true
			}
		}
		if r.way != through {
			return r.nextFolded()
		}
		if r.planes == 0 {
			return false
		}
		r.planes--
		r.row = (r.row + int64(r.of.stride[2]) - r.rows*int64(r.of.stride[1])) & r.of.mask
		r.left = r.rows
	}
}

// nextFolded is next for all ways except through.
func (r *runs) nextFolded() bool {
	l := r.of
	switch r.way {
	case whole:
		r.first, r.end, r.way = 0, int(l.starts[l.cells()]), through
		return r.end > 0
	case hashed:
		return r.nextBuckets()
	}
	for r.region.z0 <= r.region.z1 {
		row := (fold(int(r.region.z0), l.n[2])*l.n[1] + fold(int(r.region.y), l.n[1])) * l.n[0]
		first, last := r.cells()
		r.first, r.end = int(l.starts[row+first]), int(l.starts[row+last+1])
		if r.first < r.end {
			return true
		}
	}
	return false
}

// cells returns the first and the last cell of the next run in its row, and moves behind it.
func (r *runs) cells() (first, last int) {
	n := r.of.n[0]
	first, last = int(r.region.x0), int(r.region.x1)
	switch {
	case r.way == turned:
		first, last = 0, last-n
	case last >= n:
		r.way = turned
		return first, n - 1
	}
	r.way = folded
	if r.region.y++; r.region.y > r.region.y1 {
		r.region.y = r.region.y0
		r.region.z0++
	}
	return first, last
}

// fold returns the place on a torus of a cell that may be one round ahead.
func fold(i, n int) int {
	if i >= n {
		return i - n
	}
	return i
}
