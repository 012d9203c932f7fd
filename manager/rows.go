package manager

import "math/bits"

// Busy returns the objects among x of a block whose home rows are others', or were never used. None
// of x may have the component.
func (bs *Blocks) Busy(block uint32, x uint64) uint64 {
	checkCounts(bs.rows)
	b := &bs.list[block]
	if ofBlocks(bs.rows) && bs.isHome(b, block) {
		return 0
	}
	first := b.row(block << 6)
	for y := x; y != 0; y &= y - 1 {
		if bs.rows.isFree(first + uint32(bits.TrailingZeros64(y))) {
			x &^= y & -y
		}
	}
	return x
}

// take returns a row for use: from the free list, else an unused one.
func (m *Manager) take() (row uint32, ok bool) {
	checkFree(m)
	c := m.count
	if c.Free != 0 {
		row = c.Free - 1
		checkFresh(m, row, 1)
		checkListed(m, row)
		m.Rows.unlink(row)
		return row, true
	}
	if c.High < uint32(m.Rows.Cap()) {
		checkNext(m)
		c.High++
		if m.Data.lazy {
			m.Data.useRows(c.High-1, c.High)
		}
		return c.High - 1, true
	}
	return 0, false
}

// takeHome takes a given row for use, if it is on the free list. Rows that were never used are not
// even read.
func (m *Manager) takeHome(row uint32) bool {
	if !m.Rows.isFree(row) {
		return false
	}
	checkFresh(m, row, 1)
	checkListed(m, row)
	m.Rows.unlink(row)
	return true
}

// release resets an unmounted row, and returns it to its block or to the free list.
func (m *Manager) release(row uint32) {
	if m.Data.apart { // an inlined copy of resetRow
		m.Data.resetApart(row)
	}
	for i := range m.Data.Columns {
		m.Data.Columns[i].Reset(int(row))
	}
	noteFreed(m, row, 1)
	if !ByBlock(m) {
		m.Rows.list(row)
	}
}

// resetEach resets the rows first+i for each bit i of x, which are freed.
func resetEach(m *Manager, first uint32, x uint64) {
	var s, n uint32
	for x != 0 {
		s, n, x = NextRun(x)
		m.Data.resetRows(int(first+s), int(first+s+n))
		noteFreed(m, first+s, n)
	}
}

// releaseAll is release for the rows first+i for each bit i of x, ascending. The rows are still
// mounted.
func (m *Manager) releaseAll(first uint32, x uint64) {
	var s, n uint32
	for x != 0 {
		s, n, x = NextRun(x)
		row := first + s
		m.Data.resetRows(int(row), int(row+n))
		m.Rows.mountRun(row, n, false)
		noteFreed(m, row, n)
		checkFree(m)
		m.Rows.listAll(row, n)
	}
}
