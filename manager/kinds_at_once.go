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
	if RowsByBlock && Follows(managers[0].changes.arena) {
		addEachByBlock(managers, object)
		return
	}
	block, bit, t := object>>6, uint64(1)<<(object&63), *managers[0].tick
	for _, m := range managers {
		b := buffer.At[blockRecord](m.blockBase, int(block))
		row := object + b.Base
		if uint(row) >= m.rows || row >= m.count.High {
			_, _ = m.Add(object) // a mark, or the row was never used, or there is no such row
			continue
		}
		// From here on, an inlined copy of takeHome and owners.mount.
		o := buffer.At[uint32](m.owners.objectBase, int(row))
		if home, next := m.owners.homeOf(row), *o; home != 0 {
			if next != 0 || home+b.Base != 1 { // in use, or kept for another object
				_, _ = m.Add(object)
				continue
			}
		} else if next-free < unmounted-free {
			m.checkListed(row)
			m.owners.cut(next, m.owners.links[row])
			*o = object
		} else {
			_, _ = m.Add(object)
			continue
		}
		m.checkFresh(row, 1)
		*buffer.At[uint64](m.owners.mountedBase, int(row>>6)) |= 1 << (row & 63)
		*buffer.At[uint64](m.changedBase, int(row>>6)) = t
		c := m.count
		c.Changed, c.Shape = t, uint32(t)
		c.Mounted++
		m.changes.reshape(row)
		was := b.held()
		b.Present |= bit
		if was == 0 {
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
		if c := m.count; uint(c.High) >= m.rows &&
			m.Live() >= m.Cap() && !m.Kind.Mark {
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
	block, t := object>>6, uint32(*a.Tick)
	bit := a.settled[block] & (1 << (object & 63))
	a.checkKinds(block)
	r := a.recipeOf(block)
	if bit == 0 || a.kinds[block]&^r.mask != 0 || r.calls {
		if a.dropElse(r, object, bit); bit == 0 {
			return
		}
	}
	r.note(object)
	if RowsByBlock && Follows(a) {
		*turnOf(a, int(a.Objects.Owners[block])) = *a.Tick
		a.rest(r.managers, block, bit)
		return
	}
	without, at := ^bit, int(block)*sizeOfBlock
	for _, m := range r.managers {
		b := buffer.AtByte[blockRecord](m.blockBase, at)
		row := object + b.Base
		if uint(row) >= m.restful {
			continue // the bytes are damaged
		}
		b.Present &= without
		*buffer.At[uint64](m.owners.mountedBase, int(row>>6)) &= without
		c := m.count
		c.Mounted--
		c.Shape = t
		if row < c.Search {
			c.Search = row
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
		}
	}
}

// dropElse is DropAll for an object that is not settled, and bit is 0. Otherwise it disposes rows
// of kinds that are not in the recipe, and resets those of the recipe that take a call.
//
//go:noinline
func (a *Arena) dropElse(r *recipe, object uint32, bit uint64) {
	block := object >> 6
	if a.Words != 1 {
		for w, kinds := range a.KindsNear(object) {
			a.dropEach(a.Managers[w<<6:], kinds, object)
		}
		return
	}
	a.dropEach(a.Managers, a.kinds[block]&^r.mask, object)
	if bit == 0 {
		if len(r.managers) > 0 {
			a.rest(r.managers, block, 1<<(object&63))
		}
		return
	}
	a.settled[block] |= bit // whatever left
	for _, m := range r.managers {
		if row := m.blocks[block].row(object); m.only == 0 && uint(row) < m.restful {
			m.resetRow(row)
		}
	}
}

// dropEach is [Manager.Drop] of several managers, a bit each. Where a row is in lockstep, and no
// watcher has to know, it does all of it without a call: hot path.
func (a *Arena) dropEach(managers []Manager, kinds uint64, object uint32) {
	if RowsByBlock && Follows(a) {
		dropEachByBlock(managers, kinds, object)
		return
	}
	block, bit, t := object>>6, uint64(1)<<(object&63), uint32(*a.Tick)
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
		if b.Present &^= bit; was == bit {
			m.forgetKind(block)
		}
		*buffer.At[uint64](m.owners.mountedBase, int(row>>6)) &^= 1 << (row & 63)
		c := m.count
		c.Mounted--
		c.Shape = t
		m.changes.reshape(row)
		m.checkFree()
		// From here on, an inlined copy of release.
		if home := m.owners.homeOf(row); home != 0 {
			if row < c.Search {
				c.Search = row
			}
			if home+b.Base != 1 {
				m.owners.setWord(row, 0)
			}
		} else {
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
