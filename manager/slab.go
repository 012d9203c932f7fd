package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
)

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
	m.reshape()
	for k := first >> 6; k < (first+n)>>6; k++ {
		m.bases[k] = row - first
		m.Blocks[k].Base = row - first
	}
	for w := row >> 6; w < (row+n)>>6; w++ {
		m.slabs[w>>6] |= 1 << (w & 63)
	}
}

// inSlab reports whether a row below High belongs to a slab.
func (m *Manager) inSlab(row uint32) bool {
	return m.count.Reserved != 0 && m.slabs[row>>12]>>(row>>6&63)&1 != 0
}

// isKept reports whether a row is reserved for an object of a slab, and unused.
func (m *Manager) isKept(row uint32) bool {
	return m.count.Reserved != 0 && row < m.count.High && m.objects[row] == 0 &&
		m.mounted[row>>6]>>(row&63)&1 == 0
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
		case row&63 == 0 && m.mounted[row>>6] == full:
			row += 63
		case m.isKept(row):
			c.Search = row + 1
			return row, true
		}
	}
	return 0, false
}

// keep resets an unmounted row and returns it to its slab.
func (m *Manager) keep(row uint32) {
	m.objects[row] = 0
	m.count.Search = min(m.count.Search, row)
}

// keepAll is keep for the rows first+i for each bit i of x, all of one slab word.
func (m *Manager) keepAll(first uint32, x uint64) {
	m.mounted[first>>6] &^= x
	m.count.Search = min(m.count.Search, first+uint32(bits.TrailingZeros64(x)))
	var s, n uint32
	for x != 0 {
		s, n, x = nextRun(x)
		row := first + s
		clear(m.objects[row : row+n])
		m.resetRows(int(row), int(row+n))
	}
}

// AddBlock adds a component to the objects x of a block, which must have none. The caller has
// checked that there are rows for all of them.
func (m *Manager) AddBlock(block uint32, x uint64) {
	b := &m.Blocks[block]
	if m.Kind.Mark {
		m.reshape()
		m.count.Mounted += uint32(bits.OnesCount64(x))
		m.enterAll(b, block, x)
		return
	}
	if m.Kept(block, x) {
		m.placeAll(b, block, x)
		return
	}
	if b.Suspended&x == 0 && m.chained(block<<6+b.Base, x) {
		m.placeChained(b, block, x)
		return
	}
	for ; x != 0; x &= x - 1 {
		_, _ = m.Add(block<<6 + uint32(bits.TrailingZeros64(x))) // there is room
	}
}

// Kept reports whether the rows reserved for the objects x of a block are all unused. It reports
// true for a mark. A slab's block is 64 rows that share a word.
func (m *Manager) Kept(block uint32, x uint64) bool {
	b := &m.Blocks[block]
	switch {
	case m.Kind.Mark:
		return true
	case b.Suspended&x != 0:
		return false
	}
	m.checkCounts()
	first := block<<6 + b.Base
	if first&63 != 0 || first >= m.count.High || !m.inSlab(first) || m.mounted[first>>6]&x != 0 {
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

// placeAll mounts the home rows of the objects x of a block.
func (m *Manager) placeAll(b *Block, block uint32, x uint64) {
	first := block<<6 + b.Base
	objects := m.objects[first:][:64]
	if x == full {
		kernel.Iota(objects, block<<6)
	} else {
		for y := x; y != 0; y &= y - 1 {
			i := uint32(bits.TrailingZeros64(y))
			objects[i] = block<<6 + i
		}
	}
	m.mounted[first>>6] |= x
	m.changed[first>>6] = *m.tick
	m.count.Changed = *m.tick
	m.reshape()
	m.count.Mounted += uint32(bits.OnesCount64(x))
	m.enterAll(b, block, x)
}
