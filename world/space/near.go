package space

import (
	"fmt"
	"math"
)

// Runs are ranges of entries. They contain every entry that was asked for, and others from the same
// cells, but none twice:
//
//	points := view.Points()
//	for near := view.Near(at, 5); near.Next(); {
//		for i := near.First; i < near.End; i++ {
//			if distance(points[i], at) <= 5 {
//
// The order of the runs, and within them, is the same on every machine.
type Runs struct {
	First, End int // entries of the run that Next went to

	of *lattice

	// Cells beside each other, in rows that are as far from each other as all rows are. A torus
	// needs more where it closes, and so does space without a box.
	row, wide int // first cell of the next row; cells in it
	left      int // rows

	lo, hi [3]int32 // first and last cell per axis; on a torus, the last may be behind its end
	y, z   int32    // of the next row
	way    way
	rest   bool   // on a torus: the row continues at its beginning
	pos    uint32 // without a box: the buckets before are done
}

// A way is how Runs go on when there are no rows left.
type way uint8

const (
	planes way = iota // to the rows of the next z
	folded            // row by row, across the borders of a torus
	hashed            // through the buckets of all rows
	everything
)

// rounding is more than what rounding adds to a distance, relative to the numbers in it.
const rounding = 1.0 / (1 << 48)

// Near returns runs with all entries whose distance from at is radius or less. It panics if radius
// is negative or NaN.
func (v View[T]) Near(at T, radius float64) (r Runs) {
	c := v.of()
	p := c.at(&at)
	r.around(&c.lattice, &p, radius)
	return r
}

// Rect returns runs with all entries from low to high, both included. On a torus, high may be beyond
// the box. There is no entry if high is less than low on an axis, or one of them is NaN.
func (v View[T]) Rect(low, high T) (r Runs) {
	c := v.of()
	p, q := c.at(&low), c.at(&high)
	for axis := range c.dims {
		if !(p[axis] <= q[axis]) {
			return Runs{}
		}
		a, b := p[axis]-c.low[axis], q[axis]-c.low[axis]
		slack := float64((math.Abs(p[axis]) + math.Abs(q[axis]) + c.reach[axis]) * rounding)
		r.bound(&c.lattice, axis, a-slack, b+slack)
	}
	r.begin(&c.lattice)
	return r
}

// around sets r to the runs with all entries that are in a ball.
func (r *Runs) around(l *lattice, p *[3]float64, radius float64) {
	if !(radius >= 0) {
		panic(fmt.Sprintf("space: a search with radius %v; give 0 or more", radius))
	}
	*r = Runs{}
	for axis := range l.dims {
		far := radius + float64((math.Abs(p[axis])+radius+l.reach[axis])*rounding)
		x := l.relative(axis, p[axis])
		r.bound(l, axis, x-far, x+far)
	}
	r.begin(l)
}

// bound sets the cells along an axis to those from a to b, relative to the box.
func (r *Runs) bound(l *lattice, axis int, a, b float64) {
	switch {
	case !l.wrap:
		r.lo[axis], r.hi[axis] = int32(l.index(axis, a)), int32(l.index(axis, b))
	case float64((b-a)*l.scale[axis]) < l.last[axis]:
		first, last := l.index(axis, wrapped(a, l.edge[axis])), l.index(axis, wrapped(b, l.edge[axis]))
		if last < first {
			last += l.n[axis]
		}
		r.lo[axis], r.hi[axis] = int32(first), int32(last)
	default:
		r.hi[axis] = int32(l.n[axis] - 1)
	}
}

// begin brings r before its first run.
func (r *Runs) begin(l *lattice) {
	r.of, r.y, r.z = l, r.lo[1], r.lo[2]
	n := &l.n
	switch {
	case l.hashed:
		r.beginHashed()
	case l.wrap && (int(r.hi[0]) >= n[0] || int(r.hi[1]) >= n[1] || int(r.hi[2]) >= n[2]):
		r.way = folded
	default:
		r.plane()
	}
}

// plane goes to the rows of the next z.
func (r *Runs) plane() {
	n := &r.of.n
	r.row = (int(r.z)*n[1]+int(r.lo[1]))*n[0] + int(r.lo[0])
	r.wide, r.left = int(r.hi[0]-r.lo[0])+1, int(r.hi[1]-r.lo[1])+1
	r.z++
}

// Next goes to the next run, if there is one.
func (r *Runs) Next() bool {
	for {
		for ; r.left > 0; r.left-- {
			starts := r.of.starts[r.row:]
			first, end := starts[0], starts[r.wide]
			r.row += r.of.n[0]
			if first < end {
				r.First, r.End = int(first), int(end)
				r.left--
				return true
			}
		}
		if r.of == nil || r.way != planes || r.z > r.hi[2] {
			break
		}
		r.plane()
	}
	return r.of != nil && r.way != planes && r.nextFolded()
}

// nextFolded is Next for all but planes.
func (r *Runs) nextFolded() bool {
	l := r.of
	switch r.way {
	case everything:
		r.First, r.End, r.way = 0, int(l.starts[l.cells()]), planes
		r.z = r.hi[2] + 1
		return r.End > 0
	case hashed:
		return r.nextBuckets()
	}
	for r.z <= r.hi[2] {
		row := (fold(r.z, l.n[2])*l.n[1] + fold(r.y, l.n[1])) * l.n[0]
		first, last := r.cells()
		r.First, r.End = int(l.starts[row+first]), int(l.starts[row+last+1])
		if r.First < r.End {
			return true
		}
	}
	return false
}

// cells returns the first and the last cell of the next run in its row, and goes on behind it.
func (r *Runs) cells() (first, last int) {
	first, last = int(r.lo[0]), int(r.hi[0])
	n := r.of.n[0]
	switch {
	case r.rest:
		first, last = 0, last-n
	case last >= n:
		r.rest = true
		return first, n - 1
	}
	r.rest = false
	if r.y++; r.y > r.hi[1] {
		r.y = r.lo[1]
		r.z++
	}
	return first, last
}

// fold returns the place on a torus of a cell that may be one round ahead.
func fold(i int32, n int) int {
	if int(i) >= n {
		return int(i) - n
	}
	return int(i)
}
