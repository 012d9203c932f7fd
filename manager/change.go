package manager

import "math/bits"

// reshape stamps a change of structure: an object got or lost the component, or a row changed its
// use.
func (m *Manager) reshape() { m.count.Shape = uint32(*m.tick) }

// reshapedSince reports whether the structure changed at tick or later. It may return true for an
// unchanged structure if the last change is more than 2³¹ ticks old.
func (m *Manager) reshapedSince(tick uint64) bool {
	return int32(m.count.Shape-uint32(tick)) >= 0
}

// Touch stamps n rows from row on with the world's tick. Stamps are kept per 64 rows.
func (m *Manager) Touch(row, n uint32) {
	if n == 0 {
		return
	}
	t := *m.tick
	m.count.Changed = t
	stamps := m.changed[row>>6 : (row+n-1)>>6+1]
	for i := range stamps {
		stamps[i] = t
	}
}

// TouchRows stamps rows with the world's tick. rows must not be empty.
func (m *Manager) TouchRows(rows []uint32) {
	t, changed := *m.tick, m.changed
	m.count.Changed = t
	for _, r := range rows {
		changed[r>>6] = t
	}
}

// Changed returns the objects among x of a block whose values may have been written after tick. All
// of x must have the component. It may include objects whose neighbours were written; it misses
// none.
func (m *Manager) Changed(block uint32, x uint64, tick uint64) uint64 {
	m.checkChanged()
	if m.count.Changed <= tick {
		return 0
	}
	m.checkBlock(block)
	b := &m.Blocks[block]
	first := block<<6 + b.Base  // row of the block's first object, if it is in lockstep
	low := full >> (first & 63) // objects whose rows share a stamp with it
	even, odd := x&^b.Odd, x&b.Odd
	if even&low != 0 && m.changed[first>>6] <= tick {
		even &^= low
	}
	if even&^low != 0 && m.changed[(first+63)>>6] <= tick {
		even &= low
	}
	for o := odd; o != 0; o &= o - 1 {
		bit := o & -o
		if row, _ := m.oddRow(b,
			block<<6+uint32(bits.TrailingZeros64(o))); m.changed[row>>6] <= tick {
			odd &^= bit
		}
	}
	return even | odd
}
