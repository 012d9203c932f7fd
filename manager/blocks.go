package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
)

// Blocks say which objects have the component, and in which rows.
type Blocks struct {
	base      buffer.Base   // of list
	livesBase buffer.Base   // per block: the live objects
	list      []blockRecord // per 64 objects
	bases     []uint32      // row by row, per block: row minus object
	pages     *pages        // row by row: with the rows of odd objects
	kinds     kindMask
	Groups    []Group // per 64 blocks
	rows      *Rows
}

// A blockRecord is the manager's record of 64 neighbouring objects. Objects that are present and
// not odd are in lockstep: the row of each is its index plus base, modulo 2³².
type blockRecord struct {
	Present uint64 // a bit per object: has the component; see membership.go
	Odd     uint64 // a bit per object: its row is in the page
	Kept    uint64 // a bit per object: its row is suspended, with its values
	Base    uint32 // row minus object, for all that are not odd
	Page    uint32 // page with the rows of the odd objects, and its size; 0: no page
}

// A Group is the manager's record of 64 neighbouring blocks.
type Group struct {
	Any   uint64 // a bit per block: some object has the component, or keeps its row
	Whole uint64 // a bit per block: all have it; in lockstep, joined to the one before
}

// A kindMask is the bit of one kind in kinds per block, and per 8 objects.
type kindMask struct {
	words  []uint64
	eights []uint64 // empty in a world of few kinds
	stride int      // words per block, and per 8 objects
	word   int
	bit    uint64
}

// Home returns the row that Add would give to an object without a row, and whether that is its home
// row. A mark has no rows and reports true.
func (bs *Blocks) Home(object uint32) (row layout.Row, ok bool) {
	b := &bs.list[object>>6]
	if bs.Holds(object>>6)>>(object&63)&1 != 0 {
		return 0, false
	}
	if bs.rows.kind.Mark {
		return 0, true
	}
	home := b.row(object)
	if ofBlocks(bs.rows) {
		return layout.Row(home), bs.isHome(b, object>>6)
	}
	return layout.Row(home), bs.rows.isFree(home)
}

// HeldRow is [Manager.RowOf] for an object that has the component, or keeps it suspended.
func (bs *Blocks) HeldRow(object uint32) (row uint32, ok bool) {
	b := &bs.list[object>>6]
	if bs.Holds(object>>6)>>(object&63)&1 == 0 {
		return 0, false
	}
	return bs.rowIn(b, object>>6, int(object)), true
}

// RowsOf writes the rows of the objects x of a block to dst, and reports whether they are
// consecutive in the order of the objects. All of x must have the component. It may overwrite the
// rest of dst.
func (bs *Blocks) RowsOf(dst *[64]uint32, block uint32, x uint64) (straight bool) {
	checkBlock(bs, block)
	b := &bs.list[block]
	if b.Page&sizeMask != ofPlaces {
		return bs.pages.list(dst, b, b.row(block<<6), x)
	}
	odds := &noPage
	if b.Odd != 0 {
		odds = &bs.pages.of64[b.Page>>sizeBits]
	}
	return kernel.ListRows(dst, (*[64]uint32)(odds), b.row(block<<6), b.Odd, x)
}

// Present returns the objects of a block that have the component, a bit each.
func (bs *Blocks) Present(block uint32) uint64 { return bs.list[block].Present }

// InLockstep returns the objects of a block whose rows are object + base.
func (bs *Blocks) InLockstep(block uint32) uint64 { return bs.Present(block) &^ bs.Odd(block) }

// Odd returns the objects of a block whose rows are in its page, whether they have the component or
// keep it suspended.
func (bs *Blocks) Odd(block uint32) uint64 { return bs.list[block].Odd }

// Base returns the distance of rows from objects in lockstep in a block: row minus object, modulo
// 2³².
func (bs *Blocks) Base(block uint32) uint32 { return bs.list[block].row(0) }

// InPlace returns the row of an object that has the component in lockstep, and false for any other
// object.
func (bs *Blocks) InPlace(object uint32) (row uint32, ok bool) {
	b := &bs.list[object>>6]
	return b.row(object), (b.Present&^b.Odd)>>(object&63)&1 != 0
}

// Holds returns the objects of a block that have the component, or keep it suspended.
func (bs *Blocks) Holds(block uint32) uint64 { return bs.list[block].held() }

// Busy returns the objects among x of a block whose home rows are in use by other objects, or were
// never used. No object of x may have the component.
func (bs *Blocks) Busy(block uint32, x uint64) uint64 {
	checkCounts(bs.rows)
	b := &bs.list[block]
	if ofBlocks(bs.rows) && bs.isHome(b, block) {
		return 0
	}
	first := b.row(block << 6)
	for y := x; y != 0; y &= y - 1 {
		if bs.rows.isFree(first + uint32(bits.TrailingZeros64(y))) {
			x &^= y & -y
		}
	}
	return x
}

// move records that the component of an object moved to another row.
func (bs *Blocks) move(object, row uint32) {
	b := &bs.list[object>>6]
	bit := uint64(1) << (object & 63)
	was := bs.Present(object>>6) == full
	if b.Odd&bit != 0 {
		bs.dropOdd(b, object)
	}
	if base := row - object; !b.isAt(base) {
		if bs.Present(object>>6)&^b.Odd == bit { // only this object is in lockstep
			bs.rebase(b, object>>6, base)
		} else {
			bs.addOdd(b, object, row)
		}
	}
	if was {
		bs.join(object >> 6)
	}
}

// rebase sets the block's base, and moves the odd objects that fit it into lockstep.
func (bs *Blocks) rebase(b *blockRecord, block, base uint32) {
	bs.setBase(b, block, base)
	if b.Odd == 0 {
		return
	}
	checkPage(bs, b)
	for x := b.Odd; x != 0; x &= x - 1 {
		i := uint32(bits.TrailingZeros64(x))
		if bs.pages.row(b, i)-(block<<6+i) == base {
			bs.dropOdd(b, i)
		}
	}
}

// detach takes the row from an object that has a row, and returns it.
func (bs *Blocks) detach(b *blockRecord, object uint32) (row uint32) {
	if b.Odd>>(object&63)&1 == 0 {
		return b.row(object)
	}
	row = bs.pages.row(b, object)
	bs.dropOdd(b, object)
	return row
}

func (bs *Blocks) oddRow(b *blockRecord, object uint32) (row layout.Row, ok bool) {
	if (bs.Present(object>>6)&b.Odd)>>(object&63)&1 == 0 {
		return 0, false
	}
	return layout.Row(bs.pages.row(b, object)), true
}

// rowIn returns the row of object i of a block, which must have one.
func (bs *Blocks) rowIn(b *blockRecord, block uint32, i int) uint32 {
	if i &= 63; b.Odd>>i&1 != 0 {
		return bs.pages.row(b, uint32(i))
	}
	return b.row(block<<6 + uint32(i))
}

// noteKind sets the block's bits of the kind.
func (bs *Blocks) noteKind(block uint32) {
	bs.Groups[block>>6].Any |= 1 << (block & 63)
	k := &bs.kinds
	k.words[int(block)*k.stride+k.word] |= k.bit
}

// forgetKind clears the block's bits of the kind if no object has or keeps a row.
func (bs *Blocks) forgetKind(block uint32) {
	if k := &bs.kinds; bs.list[block].held() == 0 {
		bs.Groups[block>>6].Any &^= 1 << (block & 63)
		k.words[int(block)*k.stride+k.word] &^= k.bit
	}
}

// join updates Whole for a block that became full or is full no longer, and for the next block,
// which may be joined to it.
func (bs *Blocks) join(block uint32) {
	b, g, bit := &bs.list[block], &bs.Groups[block>>6], uint64(1)<<(block&63)
	next := bs.after(block)
	switch {
	case !b.isComplete():
		if g.Whole &^= bit; next != nil && next.isComplete() {
			bs.Groups[(block+1)>>6].Whole |= 1 << ((block + 1) & 63)
		}
		return
	case block == 0 || b.isAt(bs.list[block-1].Base) || !bs.list[block-1].isComplete():
		g.Whole |= bit
	}
	if next != nil && !next.isAt(b.Base) {
		bs.Groups[(block+1)>>6].Whole &^= 1 << ((block + 1) & 63)
	}
}

// after returns the record of the next block, or nil if that block never had objects.
func (bs *Blocks) after(block uint32) *blockRecord {
	if block++; block < uint32(bs.used()) {
		return &bs.list[block]
	}
	return nil
}

// whole reports whether all of block k is complete, and joined to the block before if
// that one is whole too.
func (bs *Blocks) whole(k uint32) bool {
	if !bs.list[k].isComplete() {
		return false
	}
	return k == 0 || !bs.list[k-1].isComplete() || bs.Base(k-1) == bs.Base(k)
}

// isComplete reports whether all objects of the block are present, in lockstep.
func (b *blockRecord) isComplete() bool { return b.Present == full && b.Odd == 0 }

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

// lose notes that the objects x of a block no longer have the kind; still are the objects of the
// block that have or keep it.
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

// near returns a bit for each 8 objects of a block: whether any of them has the kind.
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

// eighths returns a bit for each byte of x: whether it is not zero.
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

func (bs *Blocks) addOdd(b *blockRecord, object, row uint32) {
	checkSpare(bs)
	bs.pages.add(b, object, row)
}

func (bs *Blocks) dropOdd(b *blockRecord, i uint32) {
	checkPage(bs, b)
	bs.pages.drop(b, i)
}

// setBase moves the home rows of a block.
func (bs *Blocks) setBase(b *blockRecord, block, base uint32) {
	b.Base, bs.bases[block] = base, base
}

// blank returns the record of a block whose objects have no rows.
func (bs *Blocks) blank(block int) blockRecord {
	if len(bs.bases) == 0 {
		return blockRecord{Base: bs.list[block].Base}
	}
	return blockRecord{Base: bs.bases[block]}
}

// row returns the row of an object of the block that is in lockstep, or its home row.
func (b *blockRecord) row(object uint32) uint32 { return object + b.Base }

// isAt reports whether the block's base is base.
func (b *blockRecord) isAt(base uint32) bool { return b.Base == base }
