package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/manager"
)

const (
	maxHoles = 64 // rows of a run that are put back
	minBusy  = 48 // matching rows of a block from which a row-wise system runs over all rows:
	// of any 64 consecutive rows of a run, some match, and all share their stamp
)

// joins returns the blocks of a group that are in lockstep with the previous block, completely, in
// every kind whose fields the plan asks for.
func (w *Walk) joins(g int) uint64 {
	blocks := full
	for _, t := range w.plan.Terms {
		blocks &= t.Blocks.Groups[g].Whole & t.Objects.Groups[g].Full
	}
	return blocks & (blocks << 1)
}

// addHoles adds the objects x of block k, which has no odd objects, to the run. The run may include
// rows between them that are the block's own, or on no object, and rows between them and the
// adjacent blocks. If rows of other objects are in between, it adds nothing, and the caller lists
// the objects.
func (w *Walk) addHoles(k uint32, x uint64, yield func(*Batch) bool) (added, more bool) {
	holes, busy := w.idle(k, ^x)
	s, end := uint32(bits.TrailingZeros64(x)), uint32(bits.Len64(x))
	below, above := uint64(1)<<s-1, full<<(end-1)<<1
	if busy&^below&^above != 0 {
		return false, true
	}
	gap := w.batch.tail
	if busy&below == 0 {
		gap += s
	} else {
		holes &^= below
	}
	if b := busy & above; b != 0 {
		holes &= b&-b - 1
	}
	if w.batch.holes+uint32(bits.OnesCount64(holes)) > maxHoles && !w.Flush(yield) {
		return true, false
	}
	if !w.lengthen(end-s, gap, yield) {
		return true, false
	}
	if w.batch.n == end-s { // the run begins here
		holes &^= below
	}
	w.batch.tail = uint32(bits.OnesCount64(holes & above))
	w.noteHoles(w.batch.n-end, holes)
	if end+w.batch.tail == 64 {
		w.batch.complete = k + 1
	}
	return true, true
}

// noteHoles records rows that do not match, as a mask relative to first, counted from the start of
// the run.
func (w *Walk) noteHoles(first uint32, rows uint64) {
	b := &w.batch
	if rows != 0 {
		kernel.ListRows(b.rows[0].at(b.holes), &noPage, first, 0, rows)
		b.holes += uint32(bits.OnesCount64(rows))
	}
}

// join is addHoles for the objects x of a joined block k, if the block before it is complete. It
// reports whether it added them.
func (w *Walk) join(k uint32, x uint64) bool {
	b := &w.batch
	n := uint32(bits.OnesCount64(x))
	if b.complete != k || n < minBusy || b.holes+64-n > maxHoles {
		return false
	}
	first, end := b.n+b.tail, uint32(bits.Len64(x))
	b.n, b.tail, b.complete = first+end, 64-end, k+1
	w.noteHoles(first, ^x)
	return true
}

// idle splits objects of block k into those whose rows a run may include and the others.
func (w *Walk) idle(k uint32, objects uint64) (idle, busy uint64) {
	for i, t := range w.plan.Terms {
		absent := objects &^ t.Blocks.Present(k)
		if absent == 0 || w.batch.present>>i&1 == 0 {
			continue
		}
		if !w.walks.Part || manager.ByBlock(t) { // a free row may be between another task's objects
			absent = t.Blocks.Busy(k, absent)
		}
		busy |= absent
	}
	return objects &^ busy, busy
}
