package manager

import (
	"math/bits"
)

// Busy returns the objects among x of a block whose home rows are in use, or were never used. None
// of x may have the component.
func (m *Manager) Busy(block uint32, x uint64) uint64 {
	m.checkCounts()
	first := m.blocks[block].row(block << 6)
	if b := &m.blocks[block]; ByBlock(m) && m.isHome(b, block) {
		return x & b.Kept
	}
	for y := x; y != 0; y &= y - 1 {
		row := first + uint32(bits.TrailingZeros64(y))
		if m.owners.isFree(row) || m.owners.isKept(row) {
			x &^= y & -y
		}
	}
	return x
}

// Kept reports whether the rows reserved for the objects x of a block are all unused. It reports
// true for a mark. A slab's block is 64 rows that share a word.
func (m *Manager) Kept(block uint32, x uint64) bool {
	b := &m.blocks[block]
	switch {
	case m.Kind.Mark:
		return true
	case b.Kept&x != 0:
		return false
	case ByBlock(m):
		return m.isHome(b, block)
	}
	m.checkCounts()
	first := b.row(block << 6)
	if first&63 != 0 || first >= m.count.High || !m.owners.inSlab(first) ||
		m.RowBits(first>>6)&x != 0 {
		return false
	}
	if m.count.Suspended|m.count.Loose == 0 {
		return true
	}
	objects := m.owners.words(first, 64)
	for ; x != 0; x &= x - 1 {
		if objects[bits.TrailingZeros64(x)&63] != 0 { // suspended for another object, or loose
			return false
		}
	}
	return true
}

// take returns a row for use: from the free list, else an unused one, else one reserved for a slab.
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
			m.rise(c.High-1, c.High)
		}
		return c.High - 1, true
	}
	return m.takeKept()
}

// takeHome takes a given row for use by an object, if it is on the free list or reserved for an
// object of a slab. Rows that were never used are not even read.
func (m *Manager) takeHome(row, object uint32) bool {
	if m.owners.isFree(row) {
		m.checkFresh(row, 1)
		m.unlink(row)
		return true
	}
	if !m.owners.isKept(row) {
		return false
	}
	m.checkFresh(row, 1)
	if m.owners.home(row) != object {
		m.evict(row)
	}
	return true
}

// takeKept returns the lowest unused row of a slab. It is the last resort of take.
func (m *Manager) takeKept() (row uint32, ok bool) {
	m.checkSearch()
	c := m.count
	if m.Live() == m.Cap() {
		return 0, false
	}
	for row = c.Search; row < c.High; row++ {
		switch {
		case row&63 == 0 && m.RowBits(row>>6) == full:
			row += 63
		case m.owners.isKept(row):
			c.Search = row + 1
			m.checkFresh(row, 1)
			m.evict(row)
			return row, true
		}
	}
	return 0, false
}

// unlink takes a row off the free list.
func (m *Manager) unlink(row uint32) {
	m.checkListed(row)
	m.owners.unlink(row)
}

// release resets an unmounted row, and returns it to its slab or to the free list.
func (m *Manager) release(row uint32) {
	if m.apart { // an inlined copy of resetRow
		m.resetApart(row)
	}
	for i := range m.Columns {
		m.Columns[i].Reset(int(row))
	}
	m.noteFreed(row, 1)
	if m.owners.homeOf(row) != 0 {
		m.keep(row)
		return
	}
	m.owners.list(row)
}

// keep resets an unmounted row and returns it to its slab.
func (m *Manager) keep(row uint32) {
	if ByBlock(m) {
		return
	}
	if m.owners.word(row) != 0 {
		m.owners.setWord(row, 0)
	}
	m.count.Search = min(m.count.Search, row)
}

// keepAll is keep for the rows of objects x of a block, which are in lockstep in one slab.
func (m *Manager) keepAll(block uint32, x uint64) {
	first := m.blocks[block].row(block << 6)
	m.owners.unmountBut(first>>6, ^x)
	m.count.Search = min(m.count.Search, first+uint32(bits.TrailingZeros64(x)))
	var s, n uint32
	if m.owners.home(first) != block<<6 { // objects names who is at home by 0
		for y := x; y != 0; {
			s, n, y = NextRun(y)
			m.owners.idle(first+s, n)
		}
	}
	resetEach(m, first, x)
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

// Spare returns the number of rows that can be reserved for a slab: unused ones, rounded down to
// 64.
func (m *Manager) Spare() int { return max(0, m.Cap()-m.nextSlab()) &^ 63 }

// nextSlab returns the first row of a new slab.
func (m *Manager) nextSlab() int { return int(m.count.High+63) &^ 63 }

// Reserve reserves n rows for the n objects from first on, as their home rows. n is a multiple of
// 64 and at most Spare; first is a multiple of 64, and none of the objects ever had the component.
func (m *Manager) Reserve(first, n uint32) {
	c := m.count
	row := uint32(m.nextSlab())
	m.checkUnused(c.High, row+n)
	m.rise(c.High, row+n)
	for r := row; r > c.High; r-- { // the rows before the slab become free, the lowest first
		m.release(r - 1)
	}
	c.High = row + n
	c.Reserved += n
	m.reshapeMany()
	for k := first >> 6; k < (first+n)>>6; k++ {
		m.owners.setBase(&m.blocks[k], k, row-first)
	}
	m.owners.reserve(row, first, n)
}

// Keeps reports whether the manager can reserve rows for slabs.
func (m *Manager) Keeps() bool { return !m.Kind.Mark && !m.packed && !ByBlock(m) }
