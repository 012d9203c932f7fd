package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/systems/internal/query"
)

const (
	maxHoles = 64 // rows of a run that are put back
	minBusy  = 48 // matching rows of a block from which a row-wise system runs over the others too:
	// of any 64 rows side by side in a run, some match, and their stamp is for them all
)

// A gaps is what a run of a row-wise system knows of the rows in it that do not match. Its system
// runs over them, which is faster than to step round them; then they are made what they were.
//
//	block       4                        5                       6
//	rows        ■ ■ · ■ ■ … ■ ■ ■ · ·    ■ ■ · ■ … ■ ■ ■ ■ ·     ■ ■ ■ …    ■ matches, · not
//	run, n      ├───────────────────────────────────────────┤
//	holes           ↑             ↑ ↑        ↑               ↑   5, by their place in the run
//	tail                                                     ↑   1: of them, the ones behind it
//	complete                                                     6
//	joined                               1                       1
//
//	tail        becomes part of the run when that goes on, and is forgotten when it goes out
//	complete    the blocks before this one are in the run to their last row, tail included
//	joined      a bit per block: it and the one before are all in lockstep, every row their own,
//	            and follow each other in every kind
//
// Where complete is the next block and that is joined, the block is added without a look at who has
// the rows between. The holes are listed in rows[0], and what they hold is in scratch while the
// batch is out.
type gaps struct {
	holes    uint32 // rows in the run and right behind it that do not match
	tail     uint32 // of those, the ones behind
	complete uint32 // block after those whose rows are all in the run, holes included
	joined   uint64 // a bit per block of the group
}

// joins returns the blocks of a group that are in lockstep with the one before, completely, in
// every kind whose fields are asked for.
func (w *Walk) joins(g int) uint64 {
	blocks := full
	for _, t := range w.terms {
		blocks &= t.Groups[g].Whole
	}
	return blocks & (blocks << 1)
}

// addHoles adds the objects x of block k, where nobody is odd, to the run. It may run over the rows
// between them that are the block's own, or on no object, and over those between them and the block
// before or after. Where another's are between, it adds nothing: the objects are to be listed.
func (w *Walk) addHoles(k uint32, x uint64, yield func(*Walk) bool) (added, more bool) {
	holes, busy := w.idle(k, ^x)
	s, end := uint32(bits.TrailingZeros64(x)), uint32(bits.Len64(x))
	below, above := uint64(1)<<s-1, full<<(end-1)<<1
	if busy&^below&^above != 0 {
		return false, true
	}
	gap := w.tail
	if busy&below == 0 {
		gap += s
	} else {
		holes &^= below
	}
	if b := busy & above; b != 0 {
		holes &= b&-b - 1
	}
	if w.holes+uint32(bits.OnesCount64(holes)) > maxHoles && !w.Flush(yield) {
		return true, false
	}
	if !w.lengthen(end-s, gap, yield) {
		return true, false
	}
	if w.n == end-s { // the run begins here
		holes &^= below
	}
	w.tail = uint32(bits.OnesCount64(holes & above))
	w.noteHoles(w.n-end, holes)
	if end+w.tail == 64 {
		w.complete = k + 1
	}
	return true, true
}

// noteHoles records rows that do not match, as a mask relative to first, counted from the start of
// the run.
func (w *Walk) noteHoles(first uint32, rows uint64) {
	if rows != 0 {
		kernel.ListRows(w.rows[0].at(w.holes), &noPage, first, 0, rows)
		w.holes += uint32(bits.OnesCount64(rows))
	}
}

// join is addHoles for the objects x of a joined block k, if the block before it is complete. It
// reports whether they are added.
func (w *Walk) join(k uint32, x uint64) bool {
	n := uint32(bits.OnesCount64(x))
	if w.complete != k || n < minBusy || w.holes+64-n > maxHoles {
		return false
	}
	first, end := w.n+w.tail, uint32(bits.Len64(x))
	w.n, w.tail, w.complete = first+end, 64-end, k+1
	w.noteHoles(first, ^x)
	return true
}

// idle splits objects of block k into those whose rows a run may include and the others.
func (w *Walk) idle(k uint32, objects uint64) (idle, busy uint64) {
	for i, t := range w.terms {
		absent := objects &^ t.Present(k)
		if absent == 0 || w.present>>i&1 == 0 {
			continue
		}
		if !w.walks.Part { // in a task, a free row may lie between the objects of another task
			absent = t.Busy(k, absent)
		}
		busy |= absent
	}
	return objects &^ busy, busy
}

// keepHoles saves the rows of the run that do not match.
func (w *Walk) keepHoles() {
	for i := range w.columns {
		if c := &w.columns[i]; c.mode == query.Write {
			holes := w.rows[0][:w.holes]
			kernel.GatherBytes(w.copyOf(c, w.holes), w.runOf(c), c.column.Stride, holes)
		}
	}
}

// restoreHoles makes those rows what they were.
func (w *Walk) restoreHoles() {
	for i := range w.columns {
		if c := &w.columns[i]; c.mode == query.Write {
			holes := w.rows[0][:w.holes]
			kernel.ScatterBytes(w.runOf(c), w.copyOf(c, w.holes), c.column.Stride, holes)
		}
	}
}

// runOf returns a column's rows of the run.
func (w *Walk) runOf(c *planColumn) []byte {
	return c.column.Bytes[int(w.row[c.term])*c.column.Stride:][:int(w.n)*c.column.Stride]
}
