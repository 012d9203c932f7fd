package manager

import (
	"iter"
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// declared returns k. It panics if k is nil or undeclared.
func declared(k *layout.KindSpec) *layout.KindSpec {
	if k == nil {
		panic("flatecs: this is no kind, or a field of none; declare it with layout.NewKind")
	}
	return k
}

// Slot returns the index of a kind in Managers, or -1 if this world does not have it.
func (a *Arena) Slot(k *layout.KindSpec) int {
	if int(declared(k).Number) < len(a.slots) {
		return int(a.slots[k.Number]) - 1
	}
	return -1
}

// Find returns the manager of a kind, or nil if this world does not have it.
func (a *Arena) Find(k *layout.KindSpec) *Manager {
	if slot := a.Slot(k); slot >= 0 {
		return &a.Managers[slot]
	}
	return nil
}

// Kinds returns the kinds that any object of a block has, one bit per manager, 64 to a word.
func (a *Arena) Kinds(block uint32) []uint64 {
	return a.kinds[int(block)*a.Words:][:a.Words]
}

// KindsNear returns the kinds that the given object, or a neighbour of it, has or keeps suspended,
// like [Arena.Kinds]. In a world of many kinds the neighbours are few.
func (a *Arena) KindsNear(object uint32) []uint64 {
	if len(a.eights) == 0 {
		return a.Kinds(object >> 6)
	}
	return a.eights[int(object>>3)*a.Words:][:a.Words]
}

// gain notes that the objects x of a block have the kind.
func (k *kindMask) gain(block uint32, x uint64) {
	if len(k.eights) == 0 {
		return
	}
	for x != 0 {
		i := bits.TrailingZeros64(x) >> 3
		k.eights[(int(block)<<3+i)*k.stride+k.word] |= k.bit
		x &^= 0xff << (i << 3)
	}
}

// lose notes that the objects x of a block have the kind no more, where some of the block have or
// keep it still.
func (k *kindMask) lose(block uint32, x, still uint64) {
	if len(k.eights) == 0 {
		return
	}
	for x != 0 {
		i := bits.TrailingZeros64(x) >> 3
		eight := uint64(0xff) << (i << 3)
		if still&eight == 0 {
			k.eights[(int(block)<<3+i)*k.stride+k.word] &^= k.bit
		}
		x &^= eight
	}
}

// near returns a bit for each 8 objects of a block: the kind is among theirs.
func (k *kindMask) near(block uint32) (x uint8) {
	if len(k.eights) == 0 {
		return 0
	}
	for i := range 8 {
		if k.eights[(int(block)<<3+i)*k.stride+k.word]&k.bit != 0 {
			x |= 1 << i
		}
	}
	return x
}

// eighths returns a bit for each 8 bits of x: one of them is set.
func eighths(x uint64) (y uint8) {
	for i := range 8 {
		if x>>(i<<3)&0xff != 0 {
			y |= 1 << i
		}
	}
	return y
}

// Among yields the managers of the kinds that any object of a block has or keeps suspended.
func (a *Arena) Among(block uint32) iter.Seq[*Manager] {
	return func(yield func(*Manager) bool) {
		a.checkKinds(block)
		a.each(a.Kinds(block), yield)
	}
}

// AmongNear is [Arena.Among] for [Arena.KindsNear].
func (a *Arena) AmongNear(object uint32) iter.Seq[*Manager] {
	return func(yield func(*Manager) bool) {
		a.checkKinds(object >> 6)
		a.each(a.KindsNear(object), yield)
	}
}

// each yields the managers of a set of kinds.
func (a *Arena) each(words []uint64, yield func(*Manager) bool) {
	for w, kinds := range words {
		for ; kinds != 0; kinds &= kinds - 1 {
			if !yield(&a.Managers[w<<6+bits.TrailingZeros64(kinds)]) {
				return
			}
		}
	}
}

// DropAll disposes all rows that an object has or keeps suspended, and takes its marks. Kinds of
// its neighbours alone are passed over by loads that do not wait for each other.
func (a *Arena) DropAll(object uint32) {
	a.checkKinds(object >> 6)
	if a.Words == 1 {
		kinds := a.kinds[object>>6]
		if a.Objects.Owners[object>>6] == 0 {
			a.dropEach(a.Managers, kinds, object)
			return
		}
		r, settled, bit := a.recipeOf(object>>6), &a.settled[object>>6], uint64(1)<<(object&63)
		if kinds &^= r.mask; *settled&bit == 0 {
			a.dropEach(a.Managers, kinds, object)
			a.rest(r.managers, object>>6, bit)
			return
		}
		if kinds != 0 {
			a.dropEach(a.Managers, kinds, object)
			*settled |= bit // whatever left
		}
		restEach(r.managers, object)
		return
	}
	for w, kinds := range a.KindsNear(object) {
		a.dropEach(a.Managers[w<<6:], kinds, object)
	}
}

// dropEach is [Manager.Drop] of several managers, a bit each. Where a row is in lockstep, and
// neither the group nor a watcher has to know, it does all of it without a call: hot path.
func (a *Arena) dropEach(managers []Manager, kinds uint64, object uint32) {
	block, bit, t := object>>6, uint64(1)<<(object&63), uint32(*a.Tick)
	for ; kinds != 0; kinds &= kinds - 1 {
		m := &managers[bits.TrailingZeros64(kinds)]
		b := buffer.At[Block](m.blockBase, int(block))
		was, row := b.held(), object+b.Base
		if b.present&^b.Odd&bit == 0 {
			m.Drop(object) // odd or suspended, or there is nothing
			continue
		}
		if was == bit || was|m.heard == full || uint(row) >= m.rows {
			m.dropPresent(b, object)
			continue
		}
		b.present &^= bit
		*buffer.At[uint64](m.mountedBase, int(row>>6)) &^= 1 << (row & 63)
		c := m.count
		c.Mounted--
		c.Shape = t
		m.Reshaped++
		m.moved[m.Reshaped%Recent] = row
		m.checkFree()
		// From here on, an inlined copy of release.
		if home := m.homeOf(row); home != 0 {
			if row < c.Search {
				c.Search = row
			}
			if home+b.Base != 1 {
				m.objects[row] = 0
			}
		} else {
			m.objects[row], m.links[row] = free|c.Free, 0
			if c.Free != 0 {
				m.links[c.Free-1] = row + 1
			}
			c.Free = row + 1
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

// Refuse returns the error of an id that the registry refused.
func (a *Arena) Refuse(err error, id gameobject.ID) error {
	return &Error{err, "game object", id, a.Objects.Cap()}
}
