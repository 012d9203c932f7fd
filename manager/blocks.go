package manager

import "math/bits"

// AddBlock adds a component to the objects x of a block, which must have none. The caller has
// checked that there are rows for all of them. The bytes come out as if the components had been
// added one by one, ascending.
func (m *Manager) AddBlock(block uint32, x uint64) {
	b := &m.Blocks.list[block]
	switch {
	case x == 0:
		return
	case m.Kind.Mark:
	case ByBlock(m) && b.Kept&x == 0:
		stampBlock(m, b, block, x)
	case ByBlock(m), b.Kept&x != 0, !takeTogether(m, b, block, x):
		for ; x != 0; x &= x - 1 {
			_, _ = m.Add(block<<6 + uint32(bits.TrailingZeros64(x))) // there is room
		}
		return
	}
	m.Stamps.reshapeMany()
	tally(m, uint32(bits.OnesCount64(x)))
	m.enterAll(b, block, x)
}

// takeTogether mounts rows on the objects x of a block, if all of them get their home rows, which
// are free, or are the first of their block and get rows that were never used. Otherwise it does
// nothing and returns false.
func takeTogether(m *Manager, b *blockRecord, block uint32, x uint64) bool {
	fresh := false
	if first := b.row(block << 6); !m.Rows.chained(first, x) {
		if fresh = b.held() == 0 && freshFor(m, first, x); !fresh {
			return false
		}
	}
	var s, n uint32
	for x != 0 {
		s, n, x = NextRun(x)
		object := block<<6 + s
		row := b.row(object)
		if fresh { // there is one run
			row = m.count.High
			checkUnused(&m.Rows, row, row+n)
			m.Data.useRows(row, row+n)
			m.count.High += n
			m.Blocks.rebase(b, block, row-object)
		} else {
			checkListed(m, row)
			checkListed(m, row+n-1)
			checkFresh(m, row, n)
			m.Rows.unlinkRun(row, n)
		}
		m.Rows.mountOnAll(row, object, n)
		m.Stamps.stamp(row, n)
	}
	return true
}

// freshFor reports whether objects x, whose home rows are first+i for each bit i, are consecutive
// and would get rows that were never used, one after the other.
func freshFor(m *Manager, first uint32, x uint64) bool {
	s, n, rest := NextRun(x)
	c := m.count
	unused := first+s >= c.High && first+s <= first+s+n // no home row was ever used
	return rest == 0 && unused && c.Free == 0 && uint32(m.Rows.Cap())-c.High >= n
}

// DropBlock removes the component from the objects x of a block. All of them must have it.
func (m *Manager) DropBlock(block uint32, x uint64) {
	b := &m.Blocks.list[block]
	if x&(x-1) == 0 { // one object, or none
		if x != 0 {
			m.Drop(block<<6 + uint32(bits.TrailingZeros64(x)))
		}
		return
	}
	checkBlock(&m.Blocks, block)
	checkCounts(&m.Rows)
	m.Stamps.reshapeMany()
	if b.Odd&x != 0 || m.Packed {
		for ; x != 0; x &= x - 1 {
			m.Drop(block<<6 + uint32(bits.TrailingZeros64(x)))
		}
		return
	}
	tally(m, -uint32(bits.OnesCount64(x)))
	m.leaveAll(b, block, x)
	switch first := b.row(block << 6); {
	case m.Kind.Mark:
	case ByBlock(m):
		resetEach(m, first, x)
	default:
		m.releaseAll(first, x)
	}
}

// DisposeBlock disposes the rows that the objects x of a block have or keep suspended.
func (m *Manager) DisposeBlock(block uint32, x uint64) {
	if b := &m.Blocks.list[block]; b.Kept&x == 0 {
		m.DropBlock(block, x&m.Blocks.Present(block))
		return
	}
	for ; x != 0; x &= x - 1 {
		m.Drop(block<<6 + uint32(bits.TrailingZeros64(x)))
	}
}
