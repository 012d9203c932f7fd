package space

// beginHashed brings r before its first run, without a box. A search through its rows takes the
// square of their number.
func (r *Runs) beginHashed() {
	r.way = hashed
	rows := (int64(r.hi[1]-r.lo[1]) + 1) * (int64(r.hi[2]-r.lo[2]) + 1)
	entries := int64(r.of.starts[r.of.n[0]])
	if rows > 1<<12 || rows*rows > entries || int(r.hi[0]-r.lo[0])+1 >= r.of.n[0] {
		r.way = everything
	}
}

// nextBuckets is Next without a box. Rows may share buckets, so it goes through the buckets in
// their order, from the nearest that a row has to the nearest.
func (r *Runs) nextBuckets() bool {
	l := r.of
	n := uint32(l.n[0])
	for r.pos < n {
		first, end := n, n
		wide := uint32(r.hi[0]-r.lo[0]) + 1
		for z := r.lo[2]; z <= r.hi[2]; z++ {
			for y := r.lo[1]; y <= r.hi[1]; y++ {
				a := l.bucket(int(r.lo[0]), int(y), int(z))
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
