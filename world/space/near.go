package space

import (
	"fmt"
	"math"
)

// Runs are ranges of entries. They contain every entry that was asked for, and others from the same
// cells, but none twice:
//
//	points, near := view.Points(), view.Near(at, 5)
//	for near.Next() {
//		for i := near.First; i < near.End; i++ {
//			if distance(points[i], at) <= 5 {
//
// A variable of the loop itself, as in for near := …; near.Next();, would be copied for each run.
// The order of the runs, and within them, is the same on every machine.
type Runs struct {
	First, End int // entries of the run that Next went to

	of *lattice

	// Cells beside each other, in rows and planes. Runs fit into the registers that results are
	// returned in, so the other ways keep pairs of cells in row, wide, rows and planes.
	row, wide int64 // first cell of the next row; cells in each
	left      int64 // rows of this plane; 0 in the other ways
	rows      int64 // of each plane
	planes    int64 // left after this one
	way       way
}

// A way is how Runs go on when no rows are left.
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

// Near returns runs with all entries whose distance from at is radius or less. It panics if radius
// is negative or NaN.
func (v View[T]) Near(at T, radius float64) (r Runs) {
	c := v.of()
	z := 0.0
	if c.dims == 3 {
		z = c.axes[2].Of(&at)
	}
	r.around(&c.lattice, c.axes[0].Of(&at), c.axes[1].Of(&at), z, radius)
	return r
}

// Rect returns runs with all entries from low to high, both included. On a torus, high may be
// beyond the box. There is no entry if high is less than low on an axis, or one of them is NaN.
func (v View[T]) Rect(low, high T) (r Runs) {
	c := v.of()
	var cells [3][2]int
	p, q := c.at(&low), c.at(&high)
	for axis := range c.dims {
		if !(p[axis] <= q[axis]) {
			return r
		}
		a, b := p[axis]-c.low[axis], q[axis]-c.low[axis]
		slack := float64((math.Abs(p[axis]) + math.Abs(q[axis]) + c.reach[axis]) * rounding)
		cells[axis][0], cells[axis][1] = c.span(axis, a-slack, b+slack)
	}
	x, y, z := cells[0], cells[1], cells[2]
	r.begin(&c.lattice, x[0], x[1], y[0], y[1], z[0], z[1])
	return r
}

// around sets r, which is zero, to the runs with all entries that are in a ball.
func (r *Runs) around(l *lattice, x, y, z, radius float64) {
	if !(radius >= 0) {
		panic(noRadius(radius))
	}
	if l.wrap || l.hashed {
		r.aroundBeyond(l, x, y, z, radius)
		return
	}
	x0, x1 := reached(x, radius, l.low[0], l.scale[0], l.last[0], l.reach[0])
	y0, y1 := reached(y, radius, l.low[1], l.scale[1], l.last[1], l.reach[1])
	z0, z1 := 0, 0
	if l.dims == 3 {
		z0, z1 = reached(z, radius, l.low[2], l.scale[2], l.last[2], l.reach[2])
	}
	r.beginInside(l, x0, x1, y0, y1, z0, z1)
}

// reached is [lattice.near] for an axis of a box that ends there, with the lattice's numbers in
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

// aroundBeyond is around where there are cells across the borders.
func (r *Runs) aroundBeyond(l *lattice, x, y, z, radius float64) {
	x0, x1 := l.near(0, x, radius)
	y0, y1 := l.near(1, y, radius)
	z0, z1 := 0, 0
	if l.dims == 3 {
		z0, z1 = l.near(2, z, radius)
	}
	r.begin(l, x0, x1, y0, y1, z0, z1)
}

func noRadius(radius float64) string {
	return fmt.Sprintf("space: a search with radius %v; give 0 or more", radius)
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
func (r *Runs) begin(l *lattice, x0, x1, y0, y1, z0, z1 int) {
	if !l.hashed && x1 < l.n[0] && y1 < l.n[1] && z1 < l.n[2] {
		r.beginInside(l, x0, x1, y0, y1, z0, z1)
		return
	}
	r.of = l
	r.row, r.wide, r.rows, r.way = pair(x0, x1), pair(y0, y1), pair(z0, z1), folded
	if l.hashed {
		r.beginHashed()
	} else {
		r.planes = pair(y0, z0) // of the next row
	}
}

// beginInside is begin for a range that does not go across a border.
func (r *Runs) beginInside(l *lattice, x0, x1, y0, y1, z0, z1 int) {
	r.of = l
	r.row, r.wide = int64((z0*l.n[1]+y0)*l.n[0]+x0), int64(x1-x0+1)
	r.rows, r.planes = int64(y1-y0+1), int64(z1-z0)
	r.left = r.rows
}

// Next goes to the next run, if there is one.
func (r *Runs) Next() bool {
	if r == nil {
		panic("space: Next of nil Runs; call it on what View.Near returns")
	}
	for {
		for l := r.of; r.left > 0; {
			row := r.row
			first, end := l.starts[row], l.starts[row+r.wide]
			r.row = row + int64(l.n[0])
			r.left--
			if first < end {
				r.First, r.End = int(first), int(end)
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
		r.row += (int64(r.of.n[1]) - r.rows) * int64(r.of.n[0])
		r.left = r.rows
	}
}

// nextFolded is Next for all ways but through planes.
func (r *Runs) nextFolded() bool {
	l := r.of
	switch r.way {
	case whole:
		r.First, r.End, r.way, r.planes = 0, int(l.starts[l.cells()]), through, 0
		return r.End > 0
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
		r.First, r.End = int(l.starts[row+first]), int(l.starts[row+last+1])
		if r.First < r.End {
			return true
		}
	}
}

// cells returns the first and the last cell of the next run in row y of plane z, and goes on behind
// it.
func (r *Runs) cells(y, z int) (first, last int) {
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
