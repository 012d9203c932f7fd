package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
)

// Which objects have the component is said by three words: present, of each 64 objects; mounted, of
// each 64 rows; and the owner of each row that is mounted, in objects. The functions of this file
// read and write them. Only these do it too: inlined copies on hot paths (mount, [AddEach],
// [Arena.DropAll], [Place.InLockstep]), [Manager.Rebuild], which makes them, vacate and moveRows,
// which clear them, and what checks them.

// Present returns the objects of a block that have the component, a bit each.
func (m *Manager) Present(block uint32) uint64 { return m.Blocks[block].present }

// InLockstep returns the objects of a block whose rows are object + base.
func (m *Manager) InLockstep(block uint32) uint64 {
	b := &m.Blocks[block]
	return b.present &^ b.Odd
}

// Holds returns the objects of a block that have the component, or keep it suspended.
func (m *Manager) Holds(block uint32) uint64 {
	b := &m.Blocks[block]
	return b.present | b.Kept&m.lives(block)
}

// suspended returns the objects of a block that keep the component, and do not have it.
func (m *Manager) suspended(block uint32) uint64 {
	b := &m.Blocks[block]
	return b.Kept &^ b.present & m.lives(block)
}

// isMounted reports whether a row is on an object.
func (m *Manager) isMounted(row uint32) bool { return m.mounted[row>>6]>>(row&63)&1 != 0 }

// mountedIn returns which of 64 rows are on objects, a bit each.
func (m *Manager) mountedIn(word uint32) uint64 { return m.mounted[word] }

// homeOf returns the word of homes of a row that there is.
func (m *Manager) homeOf(row uint32) uint32 { return *buffer.At[uint32](m.homeBase, int(row>>6)) }

// home returns the object for which a row of a slab is reserved.
func (m *Manager) home(row uint32) uint32 { return row + m.homes[row>>6] - 1 }

// Owner returns the object of a row that is mounted.
func (m *Manager) Owner(row uint32) uint32 {
	switch o := m.objects[row]; {
	case o == 0 && m.inSlab(row):
		return m.home(row)
	case o == objectZero:
		return 0
	default:
		return o
	}
}

// owned returns what objects holds for a row that is mounted on an object.
func (m *Manager) owned(row, object uint32) uint32 {
	switch {
	case !m.inSlab(row):
		return object
	case m.home(row) == object:
		return 0
	case object == 0:
		return objectZero
	}
	return object
}

// Owners writes the objects that the rows from row on are mounted on to dst. What it writes for a
// row that is on none means nothing.
func (m *Manager) Owners(dst []uint32, row uint32) {
	for len(dst) > 0 {
		n := copy(dst[:min(64-row&63, uint32(len(dst)))], m.objects[row:])
		if m.inSlab(row) {
			for i := range dst[:n] {
				dst[i] = m.Owner(row + uint32(i))
			}
		}
		dst, row = dst[n:], row+uint32(n)
	}
}

// RowBits returns a bit per row, 64 to a word, of those that are on objects, as a view of the
// world.
func (m *Manager) RowBits() []uint64 { return m.mounted }

// mountOn mounts a row on an object.
//
//go:noinline
func (m *Manager) mountOn(row, object uint32) {
	if o := m.owned(row, object); m.objects[row] != o { // a page that was never written stays so
		m.objects[row] = o
	}
	m.mounted[row>>6] |= 1 << (row & 63)
}

// mountOnAll mounts n rows, at most 64, on consecutive objects.
func (m *Manager) mountOnAll(row, object, n uint32) {
	kernel.Iota(m.objects[row:row+n], object)
	m.mountRun(row, n, true)
}

// mountHome mounts the home rows of the objects x of a block, first+i for each bit i, which share a
// word.
func (m *Manager) mountHome(first, block uint32, x uint64) {
	if m.inSlab(first) && m.home(first) == block<<6 {
		m.mounted[first>>6] |= x
		return
	}
	for ; x != 0; x &= x - 1 {
		i := uint32(bits.TrailingZeros64(x))
		m.evict(first + i)
		m.mountOn(first+i, block<<6+i)
	}
}

// unmount notes that a row is on no object. What it is now, the caller writes to objects.
func (m *Manager) unmount(row uint32) { m.mounted[row>>6] &^= 1 << (row & 63) }

// unmountAll is unmount for rows of a word, a bit each.
func (m *Manager) unmountAll(word uint32, x uint64) { m.mounted[word] &^= x }

// mountRun marks n rows, at most 64, as mounted or as unmounted.
func (m *Manager) mountRun(row, n uint32, on bool) {
	for at, end := row, row+n; at < end; {
		to := min(end, at|63+1)
		x := full >> (64 - (to - at)) << (at & 63)
		if w := &m.mounted[at>>6]; on {
			*w |= x
		} else {
			*w &^= x
		}
		at = to
	}
}

// enter records that object has the component. Its base and row are already set.
func (m *Manager) enter(b *Block, object uint32) {
	was, bit := b.held(), uint64(1)<<(object&63)
	if b.present |= bit; was == 0 || was|bit|m.heard == full {
		m.afterEnter(b, was, object>>6, bit)
	}
}

// afterEnter is the rest of enter where a block became full or ceased to be empty, or is watched.
func (m *Manager) afterEnter(b *Block, was uint64, block uint32, x uint64) {
	if was == 0 {
		m.Groups[block>>6].Any |= 1 << (block & 63)
		k := &m.kinds
		k.words[int(block)*k.stride+k.word] |= k.bit
	}
	if b.held() == full {
		m.join(block)
	}
	if m.heard != 0 && x != 0 {
		m.kinds.gain(block, x)
		m.tell(block, x, 0)
	}
}

// enterAll is enter for the objects x of a block, none of which may have the component.
func (m *Manager) enterAll(b *Block, block uint32, x uint64) {
	if x != 0 {
		was := b.held()
		b.present |= x
		m.afterEnter(b, was, block, x)
	}
}

// leave records that object does not have the component any more. Its row was row.
func (m *Manager) leave(b *Block, object, row uint32) {
	was, bit := b.held(), uint64(1)<<(object&63)
	*m.settled(object >> 6) &^= bit
	if b.present &^= bit; was == bit || was|m.heard == full {
		m.afterLeave(was, object>>6, bit, row-object)
	}
}

// afterLeave is the rest of leave where a block was full or became empty, or is watched. The rows
// of the objects x were object + base, modulo 2³², and still hold their values.
func (m *Manager) afterLeave(was uint64, block uint32, x uint64, base uint32) {
	m.forgetKind(block)
	if was == full {
		m.join(block)
	}
	if m.heard != 0 && x != 0 {
		m.kinds.lose(block, x, m.Holds(block))
		m.tell(block, x, base)
	}
}

// forgetKind clears the block's bits of the kind if no object has or keeps a row.
func (m *Manager) forgetKind(block uint32) {
	if k := &m.kinds; m.Blocks[block].held() == 0 {
		m.Groups[block>>6].Any &^= 1 << (block & 63)
		k.words[int(block)*k.stride+k.word] &^= k.bit
	}
}

// leaveAll is leave for the objects x of a block. All must have the component, and none may be odd.
func (m *Manager) leaveAll(b *Block, block uint32, x uint64) {
	if x != 0 {
		was := b.held()
		b.present &^= x
		b.Kept &^= x
		*m.settled(block) &^= x
		m.afterLeave(was, block, x, b.Base)
	}
}

// join updates Whole for a block that became or ceased to be full, and for the next block.
func (m *Manager) join(block uint32) {
	for k := block; k <= block+1 && k < uint32(m.blocksUsed()); k++ {
		g, bit := &m.Groups[k>>6], uint64(1)<<(k&63)
		if m.whole(k) {
			g.Whole |= bit
		} else {
			g.Whole &^= bit
		}
	}
}

// whole reports whether all of block k is complete, and joined to the block before if
// that one is whole too.
func (m *Manager) whole(k uint32) bool {
	if !m.complete(k) {
		return false
	}
	return k == 0 || !m.complete(k-1) || m.Blocks[k-1].Base == m.Blocks[k].Base
}

// complete reports whether all objects of a block are present or dormant, in lockstep.
func (m *Manager) complete(block uint32) bool {
	b := &m.Blocks[block]
	return b.held() == full && b.Odd == 0 && m.suspended(block) == 0
}

// isFree reports whether a row is on the free list.
func (m *Manager) isFree(row uint32) bool {
	return row < m.count.High && m.objects[row]-free < unmounted-free
}

// inSlab reports whether a row below High belongs to a slab.
func (m *Manager) inSlab(row uint32) bool {
	return m.homes[row>>6] != 0
}

// isKept reports whether a row is reserved for an object of a slab, and unused.
func (m *Manager) isKept(row uint32) bool {
	return m.count.Reserved != 0 && row < m.count.High && m.objects[row] == 0 && !m.isMounted(row)
}

// blocksUsed returns the number of blocks that may have objects.
func (m *Manager) blocksUsed() int {
	if m.Objects == nil {
		return len(m.Blocks)
	}
	return int(m.Objects.Count.High+63) / 64
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
func (b *Block) held() uint64 { return b.present | b.Kept }

// lives returns the objects of a block that are alive.
func (m *Manager) lives(block uint32) uint64 { return *buffer.At[uint64](m.livesBase, int(block)) }

// settled returns the place of the objects of a block that are settled.
func (m *Manager) settled(block uint32) *uint64 {
	return buffer.At[uint64](m.settledBase, int(block))
}

// isHome reports whether the base of a block leads to rows that are kept for it.
func (m *Manager) isHome(b *Block, block uint32) bool {
	first := block<<6 + b.Base
	return uint(first) < m.rows && first < m.count.High && m.inSlab(first) &&
		m.home(first) == block<<6
}

// sleep makes the objects x of a block dormant, which do not have the component.
func (m *Manager) sleep(block uint32, x uint64) {
	b := &m.Blocks[block]
	was := b.held()
	b.Kept |= x
	m.afterEnter(b, was, block, 0)
}

// rouse makes the objects x of a block dormant no more.
func (m *Manager) rouse(block uint32, x uint64) {
	b := &m.Blocks[block]
	was := b.held()
	b.Kept &^= x
	*m.settled(block) &^= x
	m.afterLeave(was, block, 0, 0)
}

// evict makes the object for which a row is kept, if any, dormant no more. It may have been created
// already, and be about to get the row.
func (m *Manager) evict(row uint32) {
	if m.homes[row>>6] == 0 {
		return
	}
	object := m.home(row)
	b, bit := &m.Blocks[object>>6], uint64(1)<<(object&63)
	if b.Kept&^b.Odd&bit != 0 && object+b.Base == row {
		m.rouse(object>>6, bit)
	}
}
