package manager

import "math/bits"

// AddBlock adds a component to the objects x of a block, which must have none. The caller has
// checked that there are rows for all of them.
func (m *Manager) AddBlock(block uint32, x uint64) {
	if m.AddTogether(block, x, false) {
		return
	}
	for ; x != 0; x &= x - 1 {
		_, _ = m.Add(block<<6 + uint32(bits.TrailingZeros64(x))) // there is room
	}
}

// AddTogether is AddBlock where all of the objects get their home rows, or are the first of their
// block and get rows that were never used, or the kind is a mark. Otherwise it does nothing and
// returns false. The bytes come out as if the components had been added one by one, ascending or,
// where down is set, descending.
func (m *Manager) AddTogether(block uint32, x uint64, down bool) bool {
	b := &m.blocks[block]
	switch {
	case m.Kind.Mark:
		m.reshapeMany()
		m.count.Mounted += uint32(bits.OnesCount64(x))
		m.enterAll(b, block, x)
	case ByBlock(m) && b.Kept&x == 0:
		addAllByBlock(m, b, block, x)
	case m.Kept(block, x):
		m.placeAll(b, block, x)
	case ByBlock(m):
		return false // some come back
	case b.Kept&x == 0 && m.owners.chained(b.row(block<<6), x):
		m.placeChained(b, block, x, down)
	case !down && m.Holds(block) == 0 && m.freshFor(b.row(block<<6), x):
		m.placeFresh(b, block, x)
	default:
		return false
	}
	return true
}

// freshFor reports whether objects x, whose home rows are first+i for each bit i, are consecutive
// and would get rows that were never used, one after the other.
func (m *Manager) freshFor(first uint32, x uint64) bool {
	s, n, rest := NextRun(x)
	c := m.count
	unused := first+s >= c.High && first+s <= first+s+n // no home row was ever used
	return rest == 0 && unused && c.Free == 0 && uint32(m.Cap())-c.High >= n
}

// placeFresh mounts rows that were never used on consecutive objects x of a block, where no object
// has or keeps a row.
func (m *Manager) placeFresh(b *blockRecord, block uint32, x uint64) {
	s, n, _ := NextRun(x)
	row, object := m.count.High, block<<6+s
	m.checkUnused(row, row+n)
	if m.lazy {
		m.rise(row, row+n)
	}
	m.count.High += n
	if base := row - object; !b.isAt(base) {
		m.rebase(b, block, base)
	}
	m.owners.mountOnAll(row, object, n)
	m.stamp(row, n)
	m.reshapeMany()
	m.count.Mounted += n
	m.enterAll(b, block, x)
}

// placeAll mounts the home rows of the objects x of a block.
func (m *Manager) placeAll(b *blockRecord, block uint32, x uint64) {
	m.mountAll(b, block, x)
	m.enterAll(b, block, x)
}

func (m *Manager) mountAll(b *blockRecord, block uint32, x uint64) {
	first := b.row(block << 6)
	m.checkKept(first, x)
	m.mountHome(first, block, x)
	m.changed[first>>6] = *m.tick
	m.count.Changed = *m.tick
	m.reshapeMany()
	m.count.Mounted += uint32(bits.OnesCount64(x))
}

// placeChained takes the home rows of the objects x of a block off the free list and mounts them.
func (m *Manager) placeChained(b *blockRecord, block uint32, x uint64, down bool) {
	var s, n uint32
	for y := x; y != 0; {
		s, n, y = NextRun(y)
		object := block<<6 + s
		row := b.row(object)
		m.checkListed(row)
		m.checkListed(row + n - 1)
		m.checkFresh(row, n)
		m.owners.unlinkRun(row, n, down)
		m.owners.mountOnAll(row, object, n)
		m.stamp(row, n)
	}
	m.reshapeMany()
	m.count.Mounted += uint32(bits.OnesCount64(x))
	m.enterAll(b, block, x)
}

// freeTogether reports whether the objects x of a block, all of which have the component, are in
// lockstep in rows that go to the free list.
func (m *Manager) freeTogether(b *blockRecord, block uint32, x uint64) bool {
	first := b.row(block << 6)
	low, high := first+uint32(bits.TrailingZeros64(x)), first+uint32(bits.Len64(x))-1
	return b.Odd&x == 0 && !m.packed && !m.owners.inSlab(low) && !m.owners.inSlab(high)
}

// DropBlock removes the component from the objects x of a block. All of them must have it.
func (m *Manager) DropBlock(block uint32, x uint64) {
	b := &m.blocks[block]
	if x&(x-1) == 0 { // one object, or none
		if x != 0 {
			m.Drop(block<<6 + uint32(bits.TrailingZeros64(x)))
		}
		return
	}
	m.checkBlock(block)
	m.checkCounts()
	m.reshapeMany()
	if m.Kind.Mark {
		m.count.Mounted -= uint32(bits.OnesCount64(x))
		m.leaveAll(b, block, x)
		return
	}
	first := b.row(block << 6)
	if ByBlock(m) {
		m.count.Mounted -= uint32(bits.OnesCount64(x))
		m.leaveAll(b, block, x)
		resetEach(m, first, x)
		return
	}
	kept := b.Odd&x == 0 && first&63 == 0 && m.owners.inSlab(first)
	if kept || m.freeTogether(b, block, x) {
		m.count.Mounted -= uint32(bits.OnesCount64(x))
		m.leaveAll(b, block, x)
		if kept {
			m.keepAll(block, x)
		} else {
			m.releaseAll(first, x)
		}
		return
	}
	for ; x != 0; x &= x - 1 {
		m.Drop(block<<6 + uint32(bits.TrailingZeros64(x)))
	}
}

// DisposeBlock disposes the rows that the objects x of a block have or keep suspended.
func (m *Manager) DisposeBlock(block uint32, x uint64) {
	if b := &m.blocks[block]; b.Kept&^b.Present&x == 0 {
		m.DropBlock(block, x&m.Present(block))
		return
	}
	for ; x != 0; x &= x - 1 {
		m.Drop(block<<6 + uint32(bits.TrailingZeros64(x)))
	}
}
