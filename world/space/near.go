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

	of     *lattice
	x0, x1 int // first and last cell of each row; on a torus, the last may be behind its end
	y0, y1 int // first and last row
	z0, z1 int
	y, z   int    // of the next row
	rest   bool   // on a torus: the row continues at its beginning
	all    bool   // without a box: one run of all entries
	pos    uint32 // without a box: the buckets before are done
}

// rounding is more than what rounding adds to a distance, relative to the numbers in it.
const rounding = 1.0 / (1 << 48)

// Near returns runs with all entries whose distance from at is radius or less. There is none at a
// position that is NaN or infinite. It panics if radius is negative or NaN.
func (v View[T]) Near(at T, radius float64) Runs {
	c := v.of()
	p := c.at(&at)
	return c.around(&p, radius, len(c.points))
}

// Rect returns runs with all entries from low to high, both included. On a torus, high may be beyond
// the box. There is no entry if high is less than low on an axis, or one of them is NaN.
func (v View[T]) Rect(low, high T) Runs {
	c := v.of()
	r := Runs{of: &c.lattice}
	p, q := c.at(&low), c.at(&high)
	for axis := range c.dims {
		if !(p[axis] <= q[axis]) {
			return Runs{}
		}
		a, b := p[axis]-c.low[axis], q[axis]-c.low[axis]
		slack := float64((math.Abs(p[axis]) + math.Abs(q[axis]) + c.reach[axis]) * rounding)
		r.bound(axis, a-slack, b+slack)
	}
	return r.begin(len(c.points))
}

// around returns runs with all of so many entries that are in a ball.
func (l *lattice) around(p *[3]float64, radius float64, entries int) Runs {
	if !(radius >= 0) {
		panic(fmt.Sprintf("space: a search with radius %v; give 0 or more", radius))
	}
	if !finite(p) {
		return Runs{}
	}
	r := Runs{of: l}
	for axis := range l.dims {
		x := l.relative(axis, p[axis])
		far := radius + float64((math.Abs(p[axis])+radius+l.reach[axis])*rounding)
		r.bound(axis, x-far, x+far)
	}
	return r.begin(entries)
}

// bound sets the cells along an axis to those from a to b, relative to the box.
func (r *Runs) bound(axis int, a, b float64) {
	l := r.of
	first, last := 0, l.n[axis]-1
	switch {
	case !l.wrap:
		first, last = l.index(axis, a), l.index(axis, b)
	case float64((b-a)*l.scale[axis]) < l.last[axis]:
		first, last = l.index(axis, wrapped(a, l.edge[axis])), l.index(axis, wrapped(b, l.edge[axis]))
		if last < first {
			last += l.n[axis]
		}
	}
	switch axis {
	case 0:
		r.x0, r.x1 = first, last
	case 1:
		r.y0, r.y1 = first, last
	default:
		r.z0, r.z1 = first, last
	}
}

// begin returns r before its first run.
func (r *Runs) begin(entries int) Runs {
	r.y, r.z = r.y0, r.z0
	if r.of.hashed { // a search through r's rows takes the square of their number
		rows := int64(r.y1-r.y0+1) * int64(r.z1-r.z0+1)
		r.all = rows > 1<<12 || rows*rows > int64(entries) || r.x1-r.x0+1 >= r.of.n[0]
	}
	return *r
}

// Next goes to the next run, if there is one.
func (r *Runs) Next() bool {
	l := r.of
	switch {
	case l == nil:
		return false
	case l.hashed:
		return r.nextBuckets()
	}
	for r.z <= r.z1 {
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
	first, last = r.x0, r.x1
	n := r.of.n[0]
	switch {
	case r.rest:
		first, last = 0, r.x1-n
	case r.x1 >= n:
		r.rest = true
		return first, n - 1
	}
	r.rest = false
	if r.y++; r.y > r.y1 {
		r.y = r.y0
		r.z++
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

// nextBuckets is Next without a box. Rows may share buckets, so it goes through the buckets in
// their order, from the nearest that a row has to the nearest.
func (r *Runs) nextBuckets() bool {
	l := r.of
	n := uint32(l.n[0])
	if r.all {
		r.First, r.End, r.pos = 0, int(l.starts[n]), n
		r.all = false
		return r.End > 0
	}
	for r.pos < n {
		first, end := n, n
		wide := uint32(r.x1 - r.x0 + 1)
		for z := r.z0; z <= r.z1; z++ {
			for y := r.y0; y <= r.y1; y++ {
				a := l.bucket(r.x0, y, z)
				first, end = r.nearer(first, end, a, min(a+wide, n))
				if a+wide > n {
					first, end = r.nearer(first, end, 0, a+wide-n)
				}
			}
		}
		r.pos = end
		r.First, r.End = int(l.starts[first]), int(l.starts[end])
		if r.First < r.End {
			return true
		}
	}
	return false
}

// nearer returns the one of two ranges of buckets that begins first, of what is to be done of it;
// of two that begin together, the longer one.
func (r *Runs) nearer(first, end, a, b uint32) (uint32, uint32) {
	if a = max(a, r.pos); a < b && (a < first || a == first && b > end) {
		return a, b
	}
	return first, end
}
