package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
)

// AddBlock adds a component to the objects x of a block, which must not have it. The caller has
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
// are free, or if they are the first of their block and get rows that were never used. Otherwise it
// does nothing and returns false.
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

// AddEach adds the components and marks of several managers to an object that has none of them and
// keeps none of their rows suspended, like [Manager.Add] for each in turn. The caller has checked
// that there are rows.
func AddEach(managers []*Manager, object uint32) {
	if len(managers) == 0 {
		return
	}
	block, bit, t := object>>6, uint64(1)<<(object&63), *managers[0].Stamps.tick
	for _, m := range managers {
		b := buffer.At[blockRecord](m.Blocks.base, int(block))
		row := object + b.Base // an inlined copy of takeHome and Rows.mount
		if uint(row) >= m.Rows.fixed || row >= m.count.High || ByBlock(m) ||
			m.Rows.word(row)-free >= unmounted-free {
			_, _ = m.Add(object) // never used, or in use
			continue
		}
		checkListed(m, row)
		m.Rows.cut(m.Rows.word(row), m.Rows.links[row])
		m.Rows.setWord(row, object)
		m.Rows.setMounted(row>>6, 1<<(row&63))
		checkFresh(m, row, 1)
		*buffer.At[uint64](m.Stamps.base, int(row>>6)) = t
		c := m.count
		c.Changed, c.Shape = t, uint32(t)
		c.Mounted++
		m.Stamps.remember(row)
		was := b.held()
		b.Present |= bit
		if was == 0 || was|bit|m.heard == full {
			m.afterEnter(b, was, block, bit)
		}
	}
}

// CheckRoom returns an error unless each manager has n unused rows. It wraps [ErrFull]. Marks have
// room for every object.
func CheckRoom(n int, managers ...*Manager) error {
	for _, m := range managers {
		if n > m.Left() {
			return refusal(m, ErrFull, 0)
		}
	}
	return nil
}

// dropRest disposes the rows of the given kinds that an object has or keeps suspended, and takes
// those marks; in a world of more than 64 kinds, of all kinds. Kinds that only its neighbours have
// are skipped by loads that do not wait for each other.
func dropRest(a *Arena, object uint32, kinds uint64) {
	checkKinds(a, object>>6)
	if a.Words == 1 {
		dropEach(a, a.Managers, kinds&a.kinds[object>>6], object)
		return
	}
	for w, kinds := range a.KindsNear(object) {
		dropEach(a, a.Managers[w<<6:], kinds, object)
	}
}

// dropEach is [Manager.Drop] of several managers, a bit each. Rows in lockstep of kinds without a
// watcher are disposed without a call: hot path.
func dropEach(a *Arena, managers []Manager, kinds uint64, object uint32) {
	block, bit, t := object>>6, uint64(1)<<(object&63), uint32(*a.Tick)
	for ; kinds != 0; kinds &= kinds - 1 {
		m := &managers[bits.TrailingZeros64(kinds)]
		b := buffer.At[blockRecord](m.Blocks.base, int(block))
		was, row := b.held(), object+b.Base
		if b.Present&^b.Odd&bit == 0 {
			m.Drop(object) // odd, suspended, or without a row
			continue
		}
		if was|m.heard == full || uint(row) >= m.Rows.fixed {
			m.dropPresent(b, object)
			continue
		}
		if b.Present &^= bit; was == bit && !standsBy(m, block) {
			m.Blocks.forgetKind(block)
		}
		c := m.count
		c.Shape = t
		m.Stamps.remember(row)
		if !ByBlock(m) { // an inlined copy of release
			c.Mounted--
			m.Rows.unmountBut(row>>6, ^(1 << (row & 63)))
			checkFree(m)
			m.Rows.list(row)
		}
		noteFreed(m, row, 1)
		switch m.Data.only { // an inlined copy of resetRow
		case 4:
			*buffer.At[[4]byte](m.Data.base, int(row)) = [4]byte(m.Data.value[:4])
		case 8:
			*buffer.At[[8]byte](m.Data.base, int(row)) = [8]byte(m.Data.value[:8])
		case 12:
			*buffer.At[[12]byte](m.Data.base, int(row)) = [12]byte(m.Data.value[:12])
		case 16:
			*buffer.At[[16]byte](m.Data.base, int(row)) = m.Data.value
		default:
			m.Data.resetRow(row)
		}
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
