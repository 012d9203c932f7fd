package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
)

// Busy returns the objects among x of a block whose home rows are in use, or were never used. None
// of x may have the component.
func (m *Manager) Busy(block uint32, x uint64) uint64 {
	m.checkCounts()
	first := block<<6 + m.Blocks[block].Base
	for y := x; y != 0; y &= y - 1 {
		row := first + uint32(bits.TrailingZeros64(y))
		if m.isFree(row) || m.isKept(row) {
			x &^= y & -y
		}
	}
	return x
}

// Kept reports whether the rows reserved for the objects x of a block are all unused. It reports
// true for a mark. A slab's block is 64 rows that share a word.
func (m *Manager) Kept(block uint32, x uint64) bool {
	b := &m.Blocks[block]
	switch {
	case m.Kind.Mark:
		return true
	case b.Kept&x != 0:
		return false
	}
	m.checkCounts()
	first := block<<6 + b.Base
	if first&63 != 0 || first >= m.count.High || !m.inSlab(first) || m.mountedIn(first>>6)&x != 0 {
		return false
	}
	if m.count.Suspended|m.count.Loose == 0 {
		return true
	}
	objects := m.objects[first:][:64]
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
	if c.High < uint32(len(m.objects)) {
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
	if row >= m.count.High || uint(row) >= uint(len(m.objects)) {
		return false
	}
	o := m.objects[row]
	if o-free < unmounted-free {
		m.checkListed(row)
		m.checkFresh(row, 1)
		m.cut(o, m.links[row])
		return true
	}
	if o != 0 || !m.isKept(row) {
		return false
	}
	m.checkFresh(row, 1)
	if m.home(row) != object {
		m.evict(row)
	}
	return true
}

// takeKept returns the lowest unused row of a slab. It is the last resort of take.
func (m *Manager) takeKept() (row uint32, ok bool) {
	m.checkSearch()
	c := m.count
	if m.Live() == len(m.objects) {
		return 0, false
	}
	for row = c.Search; row < c.High; row++ {
		switch {
		case row&63 == 0 && m.mountedIn(row>>6) == full:
			row += 63
		case m.isKept(row):
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
	m.cut(m.objects[row], m.links[row])
}

// cut removes the row between two rows from the free list.
func (m *Manager) cut(next, before uint32) {
	if next != free {
		m.links[next-free-1] = before
	}
	if before != 0 {
		m.objects[before-1] = next
	} else {
		m.count.Free = next - free
	}
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
	o, head := &m.objects[row], &m.count.Free
	if m.homeOf(row) != 0 {
		m.keep(row)
		return
	}
	*o, m.links[row] = free|*head, 0
	if *head != 0 {
		m.links[*head-1] = row + 1
	}
	*head = row + 1
}

// keep resets an unmounted row and returns it to its slab.
func (m *Manager) keep(row uint32) {
	if m.objects[row] != 0 {
		m.objects[row] = 0
	}
	m.count.Search = min(m.count.Search, row)
}

// keepAll is keep for the rows of objects x of a block, which are in lockstep in one slab.
func (m *Manager) keepAll(block uint32, x uint64) {
	first := block<<6 + m.Blocks[block].Base
	m.unmountAll(first>>6, x)
	m.count.Search = min(m.count.Search, first+uint32(bits.TrailingZeros64(x)))
	away := m.home(first) != block<<6 // objects names who is at home by 0
	var s, n uint32
	for x != 0 {
		s, n, x = NextRun(x)
		row := first + s
		if away {
			clear(m.objects[row : row+n])
		}
		m.resetRows(int(row), int(row+n))
		m.noteFreed(row, n)
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
		m.mountRun(row, n, false)
		m.noteFreed(row, n)
		m.checkFree()
		head := &m.count.Free
		if *head != 0 {
			m.links[*head-1] = row + 1
		}
		objects, links := m.objects[row:row+n], m.links[row:row+n]
		kernel.Iota(objects, free|row) // each row links to the one before it
		kernel.Iota(links, row+2)
		objects[0], links[n-1] = free|*head, 0
		*head = row + n
	}
}

// chained reports whether the rows first+i for each bit i of x are free, and neighbouring ones were
// disposed one after the other.
func (m *Manager) chained(first uint32, x uint64) bool {
	var s, n uint32
	for x != 0 {
		s, n, x = NextRun(x)
		row := first + s
		if row >= m.count.High || m.count.High-row < n || !m.isFree(row) {
			return false
		}
		objects, next := m.objects[row : row+n][1:], free|(row+1)
		for len(objects) >= 4 { // four at a time: hot path
			if o := objects; o[0] != next || o[1] != next+1 || o[2] != next+2 || o[3] != next+3 {
				return false
			}
			objects, next = objects[4:], next+4
		}
		for i, o := range objects {
			if o != next+uint32(i) {
				return false
			}
		}
	}
	return true
}

// Spare returns the number of rows that can be reserved for a slab: unused ones, rounded down to
// 64.
func (m *Manager) Spare() int { return max(0, len(m.objects)-m.nextSlab()) &^ 63 }

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
		m.bases[k] = row - first
		m.Blocks[k].Base = row - first
	}
	for w := row >> 6; w < (row+n)>>6; w++ {
		m.homes[w] = first - row + 1
	}
}

// Keeps reports whether the manager can reserve rows for slabs.
func (m *Manager) Keeps() bool { return !m.Kind.Mark && !m.packed }
