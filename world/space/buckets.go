package space

// beginHashed brings r before its first run, without a box. A search through its rows takes the
// square of their number.
func (r *Runs) beginHashed() {
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

// nextBuckets is Next without a box. Rows may share buckets, so it goes through the buckets in
// their order, from the nearest that a row has to the nearest.
func (r *Runs) nextBuckets() bool {
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
		r.First, r.End = int(l.starts[first]), int(l.starts[end])
		if r.First < r.End {
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
