package manager

import "math/bits"

// Tidy sorts the rows by object. If rows are left over, a block whose objects form few, long
// stretches also gets rows for the gaps between them, so that the whole block is in lockstep.
// Marks, packed managers, and managers with loose or suspended rows are left as they are.
func (m *Manager) Tidy() {
	if !m.Keeps() || m.count.Loose+m.count.Suspended != 0 {
		return
	}
	m.checkPresent()
	m.owners.clearTargets()
	slack, next := uint32(m.Cap())-m.count.Mounted, uint32(0)
	for k := range uint32(m.blocksUsed()) {
		if x := m.Present(k); x != 0 {
			next = m.assignRows(k, x, next, &slack)
		}
	}
	m.moveRows(next)
	m.rebuildBlocks()
	if m.Keyed() {
		m.makeSlots()
	}
}

// assignRows notes the target row of each object of a block, and returns the
// next free target row.
func (m *Manager) assignRows(block uint32, x uint64, next uint32, slack *uint32) uint32 {
	first := uint32(bits.TrailingZeros64(x))
	span := uint32(bits.Len64(x)) - first
	gaps, stretches := span-uint32(bits.OnesCount64(x)), uint32(bits.OnesCount64(x&^(x<<1)))
	spread := gaps <= *slack && stretches*8 <= span // the gaps get rows too
	if spread {
		*slack -= gaps
	}
	base, to := next-block<<6-first, next
	for ; x != 0; x &= x - 1 {
		i := uint32(bits.TrailingZeros64(x))
		row, _ := m.RowOf(block<<6 + i)
		if spread {
			to = next + i - first
		}
		m.owners.setTarget(uint32(row), to)
		to++
	}
	m.owners.setBase(&m.blocks[block], block, base)
	return to
}

// moveRows moves every row to its target, and rebuilds the free list.
func (m *Manager) moveRows(high uint32) {
	c := m.count
	if high > c.High {
		m.rise(c.High, high)
	}
	for row := range c.High { // before the rows move
		if m.owners.inSlab(row) && m.owners.isMounted(row) {
			m.owners.setWord(row, m.Owner(row))
		}
	}
	for row := range c.High {
		for to, ok := m.owners.target(row); ok && to != row; to, ok = m.owners.target(row) {
			m.swap(row, to)
		}
	}
	old := c.High
	m.owners.unmountEach(old)
	c.High, c.Free, c.Search, c.Reserved = high, 0, 0, 0
	for row := max(old, high); row > 0; row-- { // so that the lowest free row is taken next
		r := row - 1
		switch _, ok := m.owners.target(r); {
		case ok:
			m.owners.arrive(r)
		case r < high:
			m.release(r)
		default:
			m.owners.idle(r, 1)
			m.sink(r, r+1)
		}
	}
	m.Touch(0, high)
	m.reshapeMany()
	if used := (high + 63) >> 6; old > high {
		clear(m.changed[used : (old+63)>>6])
	}
}

// swap exchanges rows a and b; afterwards the component of a is in its target row b.
func (m *Manager) swap(a, b uint32) {
	for i := range m.Columns {
		m.Columns[i].Swap(int(a), int(b))
	}
	if m.Values != nil {
		m.Values.Swap(int(a), int(b))
	}
	m.owners.swap(a, b)
}

// rebuildBlocks derives the blocks from rows and bases. The set of objects that have the component
// is unchanged.
func (m *Manager) rebuildBlocks() {
	m.clearPages()
	used := uint32(m.blocksUsed())
	for k := range used {
		b := &m.blocks[k]
		b.Odd, b.Page = 0, 0
		if b.Kept|*m.settled(k) != 0 {
			m.rouse(k, full) // no row is kept any more
		}
	}
	for row, n := range m.Runs() {
		for r := uint32(row); r < uint32(row+n); r++ {
			object := m.Owner(r)
			if b := &m.blocks[object>>6]; b.row(object) != r {
				m.stray(b, object, r)
			}
		}
	}
	for k := range used {
		m.join(k)
	}
}
