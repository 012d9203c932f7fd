package space

import "math"

// buckets returns the number of buckets for so many entries: a power of two. Most stay empty, so
// that few entries are met that are somewhere else.
func buckets(entries int) int {
	n := 64
	for n < entries || n < 8*entries && n < 1<<20 {
		n *= 2
	}
	return n
}

// wind sets where the cells are in n buckets, a power of two. Rows of cells are wound around them:
// the next row along y begins a golden section further, and of three axes those along y and z the
// sections whose multiples keep the largest distances for a plane of rows, which come from the
// plastic ratio ρ: 1/ρ and 1/ρ². So cells that share a bucket are far from each other, and a world
// of less than half as many cells as buckets has none, whether it is wide or long.
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

// bucket returns the bucket of a cell. Those of a row of cells follow each other.
func (l *lattice) bucket(x, y, z int) uint32 {
	return uint32(int64(x+y*l.stride[1]+z*l.stride[2]) & l.mask)
}

// apart reports whether rows of cells share no buckets: those between cells that are so far from
// each other.
func (l *lattice) apart(x, y, z int) bool {
	rows := max(y, z)
	return rows < len(l.clear) && x < l.clear[rows]
}

// wound returns the first and the last cell along an axis that a ball reaches.
func wound(x, radius, scale float64) (first, last int) {
	radius += float64((math.Abs(x) + radius) * rounding)
	return bounded(float64((x - radius) * scale)), bounded(float64((x + radius) * scale))
}

// far is how many cells from the origin those without a box end; the last ones go on without end.
const far = 1 << 28

// bounded returns the cell of a coordinate in cells: the one below it, or by rounding the next.
func bounded(x float64) int {
	switch {
	case !(x > -far):
		return -far
	case x >= far:
		return far
	}
	return int(x+far) - far
}

// beginHashed brings r before its first run, without a box. A search through its rows takes the
// square of their number.
func (r *runs) beginHashed() {
	r.way = hashed // planes counts the buckets that are done
	x0, x1 := apart(r.row)
	y0, y1 := apart(r.wide)
	z0, z1 := apart(r.rows)
	rows := (int64(y1-y0) + 1) * (int64(z1-z0) + 1)
	entries := int64(r.of.starts[r.of.n[0]])
	if rows > 1<<12 || rows*rows > entries || x1-x0+1 >= r.of.n[0] {
		r.way = whole
	}
}

// nextBuckets is next without a box. Rows may share buckets, so it goes through the buckets in
// their order, from the nearest that a row has to the nearest.
func (r *runs) nextBuckets() bool {
	l := r.of
	x0, x1 := apart(r.row)
	y0, y1 := apart(r.wide)
	z0, z1 := apart(r.rows)
	n, wide := uint32(l.n[0]), uint32(x1-x0+1)
	for r.planes < int64(n) {
		first, end, done := n, n, uint32(r.planes)
		for z := z0; z <= z1; z++ {
			for y := y0; y <= y1; y++ {
				a := l.bucket(x0, y, z)
				first, end = nearer(first, end, max(a, done), min(a+wide, n))
				if a+wide > n {
					first, end = nearer(first, end, done, a+wide-n)
				}
			}
		}
		r.planes = int64(end)
		r.first, r.end = int(l.starts[first]), int(l.starts[end])
		if r.first < r.end {
			return true
		}
	}
	return false
}

// nearer returns the one of two ranges of buckets that begins first; of two that begin together,
// the longer one. The second may be empty.
func nearer(first, end, a, b uint32) (uint32, uint32) {
	if a < b && (a < first || a == first && b > end) {
		return a, b
	}
	return first, end
}
