package manager

import "math/bits"

// Busy returns the objects among x of a block whose home rows are others', or were never used. None
// of x may have the component.
func (m *Manager) Busy(block uint32, x uint64) uint64 {
	m.checkCounts()
	b := &m.blocks[block]
	if ByBlock(m) && isHome(m, b, block) {
		return 0
	}
	first := b.row(block << 6)
	for y := x; y != 0; y &= y - 1 {
		if m.owners.isFree(first + uint32(bits.TrailingZeros64(y))) {
			x &^= y & -y
		}
	}
	return x
}

// take returns a row for use: from the free list, else an unused one.
func (m *Manager) take() (row uint32, ok bool) {
	m.checkFree()
	c := m.count
	if c.Free != 0 {
		row = c.Free - 1
		m.checkFresh(row, 1)
		m.unlink(row)
		return row, true
	}
	if c.High < uint32(m.Cap()) {
		m.checkNext()
		c.High++
		if m.lazy {
			m.useRows(c.High-1, c.High)
		}
		return c.High - 1, true
	}
	return 0, false
}

// takeHome takes a given row for use, if it is on the free list. Rows that were never used are not
// even read.
func (m *Manager) takeHome(row uint32) bool {
	if !m.owners.isFree(row) {
		return false
	}
	m.checkFresh(row, 1)
	m.unlink(row)
	return true
}

// unlink takes a row off the free list.
func (m *Manager) unlink(row uint32) {
	m.checkListed(row)
	m.owners.unlink(row)
}

// release resets an unmounted row, and returns it to its block or to the free list.
func (m *Manager) release(row uint32) {
	if m.apart { // an inlined copy of resetRow
		m.resetApart(row)
	}
	for i := range m.Columns {
		m.Columns[i].Reset(int(row))
	}
	m.noteFreed(row, 1)
	if !ByBlock(m) {
		m.owners.list(row)
	}
}

// resetEach resets the rows first+i for each bit i of x, which are freed.
func resetEach(m *Manager, first uint32, x uint64) {
	var s, n uint32
	for x != 0 {
		s, n, x = NextRun(x)
		m.resetRows(int(first+s), int(first+s+n))
		m.noteFreed(first+s, n)
	}
}

// releaseAll is release for the rows first+i for each bit i of x, ascending. The rows are still
// mounted.
func (m *Manager) releaseAll(first uint32, x uint64) {
	var s, n uint32
	for x != 0 {
		s, n, x = NextRun(x)
		row := first + s
		m.resetRows(int(row), int(row+n))
		m.owners.mountRun(row, n, false)
		m.noteFreed(row, n)
		m.checkFree()
		m.owners.listAll(row, n)
	}
}
