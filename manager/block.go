package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
)

const full = ^uint64(0) // all 64 objects of a block, or all 64 blocks of a group

// A Block is the manager's record of 64 neighbouring objects. Objects that are present and not odd
// are in lockstep: the row of each is its index plus Base, modulo 2³².
type Block struct {
	Present   uint64 // a bit per object: has the component
	Odd       uint64 // a bit per object: its row is in the page
	Suspended uint64 // a bit per object: does not have the component, but keeps its row and values
	Base      uint32 // row minus object, for all that are not odd
	Page      uint32 // page with the rows of the odd ones; undefined if there are none
}

// A Group is the manager's record of 64 neighbouring blocks.
type Group struct {
	Any   uint64 // a bit per block: some object is present
	Whole uint64 // a bit per block: all present, in lockstep, and joined to the whole block before
}

// A page holds the rows of a block's odd objects, by the object's place in the block. The first
// entry of an unused page is the next unused page plus 1.
type page [64]uint32

// pageCounters are derived from the blocks.
type pageCounters struct {
	High uint32 // pages ever used
	Free uint32 // first unused page below High, plus 1; 0: none
}

// A kindMask is the bit of one kind in kinds per block.
type kindMask struct {
	words  []uint64
	stride int // words per block
	word   int
	bit    uint64
}

// place mounts an unused row on an object without one.
func (m *Manager) place(b *Block, object, row uint32) {
	if base := row - object; base != b.Base {
		if b.Present|b.Suspended == b.Odd { // no object is in lockstep
			m.rebase(b, object>>6, base)
		} else {
			m.stray(b, object, row)
		}
	}
	m.objects[row] = object
	m.mounted[row>>6] |= 1 << (row & 63)
	m.changed[row>>6] = *m.tick
	m.count.Changed = *m.tick
	m.reshape()
	m.count.Mounted++
	was := b.Present // inlined copy of enter: hot path
	if b.Present |= 1 << (object & 63); was == 0 || b.Present|m.heard == full {
		m.entered(b, was, object>>6, 1<<(object&63))
	}
}

// rebase sets the block's base, and moves the odd objects that fit it into lockstep.
func (m *Manager) rebase(b *Block, block, base uint32) {
	b.Base, m.bases[block] = base, base
	if b.Odd == 0 {
		return
	}
	m.checkPage(b)
	for x := b.Odd; x != 0; x &= x - 1 {
		i := uint32(bits.TrailingZeros64(x))
		if m.pages[b.Page][i]-(block<<6+i) == base {
			b.Odd &^= 1 << i
		}
	}
	if b.Odd == 0 {
		m.dropPage(b)
	}
}

// stray records the row of an object that is not in lockstep.
func (m *Manager) stray(b *Block, object, row uint32) {
	if b.Odd == 0 {
		m.takePage(b)
	}
	b.Odd |= 1 << (object & 63)
	m.pages[b.Page][object&63] = row
}

// takePage gives b a page. There is always one left: a block needs a row to be odd.
func (m *Manager) takePage(b *Block) {
	m.checkSpare()
	s := m.spare
	if b.Page = s.Free - 1; s.Free != 0 {
		s.Free = m.pages[b.Page][0]
		return
	}
	b.Page = s.High
	s.High++
}

func (m *Manager) dropPage(b *Block) {
	m.checkPage(b)
	m.pages[b.Page][0] = m.spare.Free
	m.spare.Free = b.Page + 1
	b.Page = 0
}

// enter records that object has the component. Its base and row are already set.
func (m *Manager) enter(b *Block, object uint32) {
	was := b.Present
	if b.Present |= 1 << (object & 63); was == 0 || b.Present|m.heard == full {
		m.entered(b, was, object>>6, 1<<(object&63))
	}
}

// entered is the slow path of enter: the block became full or ceased to be empty, or there are
// watchers.
func (m *Manager) entered(b *Block, was uint64, block uint32, x uint64) {
	if was == 0 {
		m.Groups[block>>6].Any |= 1 << (block & 63)
		k := &m.kinds
		k.words[int(block)*k.stride+k.word] |= k.bit
	}
	if b.Present == full {
		m.join(block)
	}
	if m.heard != 0 {
		m.tell(block, x)
	}
}

// enterAll is enter for the objects x of a block, none of which may have the component.
func (m *Manager) enterAll(b *Block, block uint32, x uint64) {
	if x != 0 {
		was := b.Present
		b.Present |= x
		m.entered(b, was, block, x)
	}
}

// leave records that object, which is not odd, does not have the component any more.
func (m *Manager) leave(b *Block, object uint32) {
	was := b.Present
	if b.Present &^= 1 << (object & 63); b.Present == 0 || was|m.heard == full {
		m.left(b, was, object>>6, 1<<(object&63))
	}
}

// left is the slow path of leave: the block was full or became empty, or there are watchers.
func (m *Manager) left(b *Block, was uint64, block uint32, x uint64) {
	if b.Present == 0 {
		m.Groups[block>>6].Any &^= 1 << (block & 63)
		m.forgetKind(b, block)
	}
	if was == full {
		m.join(block)
	}
	if m.heard != 0 {
		m.tell(block, x)
	}
}

// forgetKind clears the block's bit of the kind if no object has or keeps a row.
func (m *Manager) forgetKind(b *Block, block uint32) {
	if k := &m.kinds; b.Present|b.Suspended == 0 {
		k.words[int(block)*k.stride+k.word] &^= k.bit
	}
}

// leaveAll is leave for the objects x of a block. All must have the component, and none may be odd.
func (m *Manager) leaveAll(b *Block, block uint32, x uint64) {
	if x != 0 {
		was := b.Present
		b.Present &^= x
		m.left(b, was, block, x)
	}
}

// join updates Whole for a block that became or ceased to be full, and for the next block.
func (m *Manager) join(block uint32) {
	for k := block; k <= block+1 && k < uint32(len(m.Blocks)); k++ {
		g, bit := &m.Groups[k>>6], uint64(1)<<(k&63)
		if m.whole(k) {
			g.Whole |= bit
		} else {
			g.Whole &^= bit
		}
	}
}

// whole reports whether all of block k is present in lockstep, and joined to the block before if
// that one is whole too.
func (m *Manager) whole(k uint32) bool {
	b := &m.Blocks[k]
	if b.Present != full || b.Odd != 0 {
		return false
	}
	if k == 0 {
		return true
	}
	before := &m.Blocks[k-1]
	return before.Present != full || before.Odd != 0 || before.Base == b.Base
}

// RowsOf writes the rows of the objects x of a block to dst, and reports whether they are
// consecutive in the order of the objects. All of x must have the component. Entries of dst behind
// the rows may be overwritten.
func (m *Manager) RowsOf(dst *[64]uint32, block uint32, x uint64) (straight bool) {
	m.checkBlock(block)
	b := &m.Blocks[block]
	return kernel.ListRows(dst, (*[64]uint32)(&m.pages[b.Page]), block<<6+b.Base, b.Odd, x)
}

// Stretch returns the first row of the objects x of a block, and whether their rows are consecutive
// in the order of the objects. All of x must have the component.
func (m *Manager) Stretch(block uint32, x uint64) (first uint32, ok bool) {
	m.checkBlock(block)
	b := &m.Blocks[block]
	first = m.rowIn(b, block, bits.TrailingZeros64(x))
	last := m.rowIn(b, block, 63-bits.LeadingZeros64(x))
	if last-first != uint32(bits.OnesCount64(x))-1 {
		return 0, false
	}
	if b.Odd&x == 0 {
		return first, true // as many objects as rows
	}
	for next := first; x != 0; x &= x - 1 {
		if m.rowIn(b, block, bits.TrailingZeros64(x)) != next {
			return 0, false
		}
		next++
	}
	return first, true
}

// rowIn returns the row of object i of a block, which must have one.
func (m *Manager) rowIn(b *Block, block uint32, i int) uint32 {
	if i &= 63; b.Odd>>i&1 != 0 {
		return m.pages[b.Page][i]
	}
	return block<<6 + uint32(i) + b.Base
}

// Busy returns the objects among x of a block whose home rows are in use, or were never used. None
// of x may have the component.
func (m *Manager) Busy(block uint32, x uint64) uint64 {
	m.checkCounts()
	first := block<<6 + m.Blocks[block].Base
	for y := x; y != 0; y &= y - 1 {
		row := first + uint32(bits.TrailingZeros64(y))
		if m.isFree(row) || m.isKept(row) {
			x &^= y & -y
		}
	}
	return x
}
