package manager

import "math/bits"

// reshape notes a change of structure: of who has the component, or of any row's use.
func (m *Manager) reshape() { m.count.Shape = uint32(*m.tick) }

// reshapedSince reports whether the structure was changed at a tick or later. Where that was more
// than 2³¹ ticks ago, it may say so though it was not.
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

// TouchRows stamps rows with the world's tick, at least one.
func (m *Manager) TouchRows(rows []uint32) {
	t, changed := *m.tick, m.changed
	m.count.Changed = t
	for _, r := range rows {
		changed[r>>6] = t
	}
}

// Changed returns those of the objects x of a block, all of which have the component, whose values
// may have been written after a tick. It may name an object whose neighbour was written, and never
// leaves one out.
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
