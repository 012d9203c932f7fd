package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
)

// Present says which of 64 objects have the component, owners which rows are mounted on which. This
// file reads and writes the first. So do copies on hot paths, [Manager.Rebuild], and checks.

// Present returns the objects of a block that have the component, a bit each.
func (bs *Blocks) Present(block uint32) uint64 { return bs.list[block].Present }

// InLockstep returns the objects of a block whose rows are object + base.
func (bs *Blocks) InLockstep(block uint32) uint64 { return bs.Present(block) &^ bs.Odd(block) }

// Odd returns the objects of a block whose rows are elsewhere, whether they have the component or
// keep it suspended.
func (bs *Blocks) Odd(block uint32) uint64 { return bs.list[block].Odd }

// Base returns the distance of rows from objects in lockstep in a block: row minus object, modulo
// 2³².
func (bs *Blocks) Base(block uint32) uint32 { return bs.list[block].row(0) }

// InPlace returns the row of an object that has the component in lockstep, and whether it does.
func (bs *Blocks) InPlace(object uint32) (row uint32, ok bool) {
	b := &bs.list[object>>6]
	return b.row(object), (b.Present&^b.Odd)>>(object&63)&1 != 0
}

// Holds returns the objects of a block that have the component, or keep it suspended.
func (bs *Blocks) Holds(block uint32) uint64 { return bs.list[block].held() }

// Owners writes the objects that the rows from row on are mounted on to dst. What it writes for a
// row that is on none means nothing.
func (r *Rows) Owners(dst []uint32, row uint32) {
	if !ofBlocks(r) {
		copy(dst, r.words(row, uint32(r.Cap())-row))
		return
	}
	for len(dst) > 0 {
		n := min(64-row&63, uint32(len(dst)))
		kernel.Iota(dst[:n], r.Owner(row))
		dst, row = dst[n:], row+n
	}
}

// afterEnter is the rest of enter where a block became full or ceased to be empty, or is watched.
func (m *Manager) afterEnter(b *blockRecord, was uint64, block uint32, x uint64) {
	if was == 0 {
		noteKind(m, block)
	}
	if b.held() == full {
		m.Blocks.join(block)
	}
	if m.heard != 0 && x != 0 {
		m.Blocks.kinds.gain(block, x)
		tell(m, block, x, 0)
	}
}

// enterAll is enter for the objects x of a block, none of which may have the component.
func (m *Manager) enterAll(b *blockRecord, block uint32, x uint64) {
	if x != 0 {
		was := b.held()
		b.Present |= x
		m.afterEnter(b, was, block, x)
	}
}

// afterLeave is the rest of leave where a block was full or became empty, or is watched. The rows
// of the objects x were object + base, modulo 2³², and still hold their values.
func (m *Manager) afterLeave(was uint64, block uint32, x uint64, base uint32) {
	if !standsBy(m, block) {
		m.Blocks.forgetKind(block)
	}
	if was == full {
		m.Blocks.join(block)
	}
	if m.heard != 0 && x != 0 {
		m.Blocks.kinds.lose(block, x, m.Blocks.Holds(block))
		tell(m, block, x, base)
	}
}

// noteKind sets the block's bits of the kind.
func noteKind(m *Manager, block uint32) {
	m.Blocks.Groups[block>>6].Any |= 1 << (block & 63)
	k := &m.Blocks.kinds
	k.words[int(block)*k.stride+k.word] |= k.bit
}

// forgetKind clears the block's bits of the kind if no object has or keeps a row.
func (bs *Blocks) forgetKind(block uint32) {
	if k := &bs.kinds; bs.list[block].held() == 0 {
		bs.Groups[block>>6].Any &^= 1 << (block & 63)
		k.words[int(block)*k.stride+k.word] &^= k.bit
	}
}

// leaveAll is leave for the objects x of a block. All must have the component, and none may be odd.
func (m *Manager) leaveAll(b *blockRecord, block uint32, x uint64) {
	if x != 0 {
		was := b.held()
		b.Present &^= x
		b.Kept &^= x
		m.afterLeave(was, block, x, b.row(0))
	}
}

// join updates Whole for a block that became or ceased to be full, and for the next block.
func (bs *Blocks) join(block uint32) {
	before := block > 0 && bs.complete(block-1)
	for k := block; k <= block+1 && k < uint32(bs.used()); k++ {
		g, bit, whole := &bs.Groups[k>>6], uint64(1)<<(k&63), bs.complete(k)
		if whole && (!before || bs.Base(k-1) == bs.Base(k)) {
			g.Whole |= bit
		} else {
			g.Whole &^= bit
		}
		before = whole
	}
}

// whole reports whether all of block k is complete, and joined to the block before if
// that one is whole too.
func (bs *Blocks) whole(k uint32) bool {
	if !bs.complete(k) {
		return false
	}
	return k == 0 || !bs.complete(k-1) || bs.Base(k-1) == bs.Base(k)
}

// complete reports whether all objects of a block are present, in lockstep.
func (bs *Blocks) complete(block uint32) bool {
	b := &bs.list[block]
	return b.Present == full && b.Odd == 0
}

// used returns the number of blocks that may have objects.
func (bs *Blocks) used() int {
	return int(bs.rows.registry.Count.High+63) / 64
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

// held returns the objects of a block that have the component, or whose rows are kept.
func (b *blockRecord) held() uint64 { return b.Present | b.Kept }

// lives returns the objects of a block that are alive.
func (bs *Blocks) lives(block uint32) uint64 { return *buffer.At[uint64](bs.livesBase, int(block)) }

// isHome reports whether 64 rows belong to a block of a kind by block.
func (bs *Blocks) isHome(b *blockRecord, block uint32) bool {
	first, r := b.row(block<<6), bs.rows
	return uint(first) < r.fixed && first < r.count.High && r.isGiven(first) &&
		r.home(first) == block<<6
}
