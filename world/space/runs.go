package space

import "math"

// Runs are ranges of entries: all that a search may find, and others from the same cells, but none
// twice.
type runs struct {
	first, end int // entries of the run that next went to

	of *lattice

	// Cells beside each other, in rows and planes. The other ways keep pairs of cells in row, wide,
	// rows and planes.
	row, wide int64 // first cell of the next row; cells in each
	left      int64 // rows of this plane; 0 in the other ways
	rows      int64 // of each plane
	planes    int64 // left after this one
	tail      int   // entries from 0 on that belong to the last row
	way       way
}

// A way is how runs go on when no rows are left.
type way uint8

const (
	through way = iota // plane by plane
	folded             // row by row, across the borders of a torus
	rest               // the same, and the next row continues at its beginning
	hashed             // through the buckets of all rows
	whole              // one run of all entries
)

// rounding is more than what rounding adds to a distance, relative to the numbers in it.
const rounding = 1.0 / (1 << 48)

// around sets r, which is zero, to the runs with all entries that are in a ball.
func (r *runs) around(l *lattice, p *[3]float64, radius float64) {
	var cells [3][2]int
	for axis := range l.dims {
		if l.wrap || l.hashed {
			cells[axis][0], cells[axis][1] = l.near(axis, p[axis], radius)
		} else {
			cells[axis][0], cells[axis][1] = reached(
				p[axis], radius, l.low[axis], l.scale[axis], l.last[axis], l.reach[axis])
		}
	}
	r.begin(l, cells[0][0], cells[0][1], cells[1][0], cells[1][1], cells[2][0], cells[2][1])
}

// reached is lattice.near for an axis of a box that ends there, with the lattice's numbers in
// registers: of searches with few neighbours it is a good part.
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

// near returns the first and the last cell along an axis that a ball reaches; see span.
func (l *lattice) near(axis int, x, radius float64) (first, last int) {
	radius += float64((math.Abs(x) + radius + l.reach[axis]) * rounding)
	x = l.relative(axis, x)
	if l.wrap {
		return l.span(axis, x-radius, x+radius)
	}
	return l.index(axis, x-radius), l.index(axis, x+radius)
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

// begin sets r, which is zero, to the runs of a range of cells.
func (r *runs) begin(l *lattice, x0, x1, y0, y1, z0, z1 int) {
	r.of = l
	inside := x1 < l.n[0] && y1 < l.n[1] && z1 < l.n[2]
	if l.hashed {
		inside = l.apart(x1-x0, y1-y0, z1-z0)
	}
	if inside {
		r.row = int64(z0*l.stride[2]+y0*l.stride[1]+x0) & l.mask
		r.wide = int64(x1 - x0 + 1)
		r.rows, r.planes = int64(y1-y0+1), int64(z1-z0)
		r.left = r.rows
		return
	}
	r.beginApart(x0, x1, y0, y1, z0, z1)
}

// beginApart is begin across the border of a torus, and where rows share buckets.
func (r *runs) beginApart(x0, x1, y0, y1, z0, z1 int) {
	r.row, r.wide, r.rows, r.way = pair(x0, x1), pair(y0, y1), pair(z0, z1), folded
	if r.of.hashed {
		r.beginHashed()
	} else {
		r.planes = pair(y0, z0) // of the next row
	}
}

// next goes to the next run, if there is one.
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

// nextFolded is next for all ways but through planes.
func (r *runs) nextFolded() bool {
	l := r.of
	switch r.way {
	case whole:
		r.first, r.end, r.way, r.planes = 0, int(l.starts[l.cells()]), through, 0
		return r.end > 0
	case hashed:
		return r.nextBuckets()
	}
	_, z1 := apart(r.rows)
	for {
		y, z := apart(r.planes)
		if z > z1 {
			return false
		}
		row := (fold(z, l.n[2])*l.n[1] + fold(y, l.n[1])) * l.n[0]
		first, last := r.cells(y, z)
		r.first, r.end = int(l.starts[row+first]), int(l.starts[row+last+1])
		if r.first < r.end {
			return true
		}
	}
}

// cells returns the first and the last cell of the next run in row y of plane z, and goes on behind
// it.
func (r *runs) cells(y, z int) (first, last int) {
	first, last = apart(r.row)
	n := r.of.n[0]
	switch {
	case r.way == rest:
		first, last = 0, last-n
	case last >= n:
		r.way = rest
		return first, n - 1
	}
	r.way = folded
	y0, y1 := apart(r.wide)
	if y++; y > y1 {
		y, z = y0, z+1
	}
	r.planes = pair(y, z)
	return first, last
}

// fold returns the place on a torus of a cell that may be one round ahead.
func fold(i, n int) int {
	if i >= n {
		return i - n
	}
	return i
}

// pair puts two numbers of 32 bits into one, and apart gives them back.
func pair(a, b int) int64 { return int64(a)<<32 | int64(uint32(b)) }

func apart(p int64) (a, b int) { return int(p >> 32), int(int32(p)) }
