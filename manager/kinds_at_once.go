package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
)

// AddEach adds the components and marks of several managers to an object that has none of them and
// keeps no row suspended, as [Manager.Add] of one after the other does. The caller has checked that
// there are rows.
func AddEach(managers []*Manager, object uint32) {
	if len(managers) == 0 {
		return
	}
	block, bit, t := object>>6, uint64(1)<<(object&63), *managers[0].tick
	loose := managers[0].Objects.Owners[block] == 0 // then kinds by block stand by
	for _, m := range managers {
		b := buffer.At[blockRecord](m.blockBase, int(block))
		row, byBlock := object+b.Base, ByBlock(m)
		if uint(row) >= m.rows || byBlock && m.owners.homeOf(row)+b.Base != 1 {
			_, _ = m.Add(object) // a mark, or the block has no rows yet
			continue
		}
		if !byBlock { // an inlined copy of takeHome and owners.mount
			if row >= m.count.High || m.owners.word(row)-free >= unmounted-free {
				_, _ = m.Add(object) // never used, and not even read, or in use
				continue
			}
			m.checkListed(row)
			m.owners.cut(m.owners.word(row), m.owners.links[row])
			m.owners.setWord(row, object)
			m.owners.setMounted(row>>6, 1<<(row&63))
		}
		m.checkFresh(row, 1)
		*buffer.At[uint64](m.changedBase, int(row>>6)) = t
		c := m.count
		c.Changed, c.Shape = t, uint32(t)
		c.Mounted++
		m.changes.reshape(row)
		was := b.held()
		b.Present |= bit
		if was == 0 && (!byBlock || !loose) {
			noteKind(m, block)
		}
		if was|bit|m.heard == full {
			m.afterEnter(b, was, block, bit)
		}
	}
}

// HaveRoom reports whether each manager has an unused row.
func HaveRoom(managers []*Manager) bool {
	for _, m := range managers {
		if uint(m.count.High) >= m.rows && m.Live() >= m.Cap() && !m.Kind.Mark {
			return false
		}
	}
	return true
}

// CheckRoom returns an error unless each manager has n unused rows. It wraps [ErrFull]. Marks have
// room for every object.
func CheckRoom(n int, managers ...*Manager) error {
	for _, m := range managers {
		if n > m.Cap()-m.Live() && !m.Kind.Mark {
			return refusal(m, ErrFull, 0)
		}
	}
	return nil
}

// DropAll disposes all rows that an object has or keeps suspended, and takes its marks. Kinds of
// its neighbours alone are passed over by loads that do not wait for each other.
func (a *Arena) DropAll(object uint32) {
	block, bit := object>>6, uint64(1)<<(object&63)
	a.checkKinds(block)
	if a.Words == 1 {
		a.dropEach(a.Managers, a.kinds[block], object)
	} else {
		for w, kinds := range a.KindsNear(object) {
			a.dropEach(a.Managers[w<<6:], kinds, object)
		}
	}
	settle(a, block, 0, settledBut(a, block, bit)&bit)
}

// dropEach is [Manager.Drop] of several managers, a bit each. Where a row is in lockstep, and no
// watcher has to know, it does all of it without a call: hot path.
func (a *Arena) dropEach(managers []Manager, kinds uint64, object uint32) {
	block, bit, t := object>>6, uint64(1)<<(object&63), uint32(*a.Tick)
	loose := a.Objects.Owners[block] == 0 // then kinds by block stand by
	for ; kinds != 0; kinds &= kinds - 1 {
		m := &managers[bits.TrailingZeros64(kinds)]
		b := buffer.At[blockRecord](m.blockBase, int(block))
		was, row := b.held(), object+b.Base
		if b.Present&^b.Odd&bit == 0 {
			m.Drop(object) // odd or suspended, or there is nothing
			continue
		}
		if was|m.heard == full || uint(row) >= m.rows {
			m.dropPresent(b, object)
			continue
		}
		byBlock := ByBlock(m)
		if b.Present &^= bit; was == bit && (!byBlock || !loose) && !standsBy(m, block) {
			m.forgetKind(block)
		}
		c := m.count
		c.Mounted--
		c.Shape = t
		m.changes.reshape(row)
		if !byBlock { // an inlined copy of release
			m.owners.unmountBut(row>>6, ^(1 << (row & 63)))
			m.checkFree()
			m.owners.list(row)
		}
		m.noteFreed(row, 1)
		switch m.only { // an inlined copy of resetRow
		case 4:
			*buffer.At[[4]byte](m.columnBase, int(row)) = [4]byte(m.value[:4])
		case 8:
			*buffer.At[[8]byte](m.columnBase, int(row)) = [8]byte(m.value[:8])
		case 12:
			*buffer.At[[12]byte](m.columnBase, int(row)) = [12]byte(m.value[:12])
		case 16:
			*buffer.At[[16]byte](m.columnBase, int(row)) = m.value
		default:
			m.resetRow(row)
		}
	}
}
