package systems

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/manager"
)

const (
	full    = ^uint64(0)
	minBusy = 48 // matching rows of a block from which a row-wise system runs over the others too:
	// of any 64 rows side by side in a run, some match, and their stamp is for them all
)

// collect adds the objects x of block k, split into groups that have the same optional kinds.
func (w *walk) collect(k uint32, x uint64, yield func(Batch) bool) bool {
	if !w.optional {
		return w.add(k, x, yield)
	}
	for x != 0 {
		present, same := w.alike(k, x)
		if present != w.present {
			if !w.flush(yield) {
				return false
			}
			w.present = present
		}
		if !w.add(k, same, yield) {
			return false
		}
		x &^= same
	}
	return true
}

// alike returns the optional kinds that the lowest of the objects x has, and the longest prefix of
// x with the same ones.
func (w *walk) alike(k uint32, x uint64) (present uint32, same uint64) {
	present, same = w.required, x
	low := x & -x
	for t := bits.OnesCount32(w.required); t < len(w.terms); t++ {
		p := w.terms[t].Blocks[k].Present
		if p&low != 0 {
			present |= 1 << t
			same &= p
		} else {
			same &^= p
		}
	}
	if other := x &^ same; other != 0 {
		same = x & (other&-other - 1)
	}
	return present, same
}

// add adds the objects x of block k, all with the same kinds: to the run if their runs are long
// enough, otherwise to the lists.
func (w *walk) add(k uint32, x uint64, yield func(Batch) bool) bool {
	s := uint32(bits.TrailingZeros64(x))
	odd := w.aim(&w.next, k, k<<6+s)
	n, runs := bits.OnesCount64(x), bits.OnesCount64(x&^(x<<1))
	switch {
	case w.forced:
		return w.addList(k, x, yield)
	case w.rowWise && odd == 0 && n >= minBusy:
		return w.addHoles(k, x, yield)
	case odd&x != 0, runs > 1 && runs*manager.MinRun > n:
		return w.addList(k, x, yield)
	}
	return w.addRuns(k, x, yield)
}

// addRuns adds the objects x of block k, all in lockstep, run by run. next holds the rows of the
// first object.
func (w *walk) addRuns(k uint32, x uint64, yield func(Batch) bool) bool {
	for {
		s := uint32(bits.TrailingZeros64(x))
		n := uint32(bits.TrailingZeros64(^(x >> s)))
		if !w.grow(n, w.tail, yield) {
			return false
		}
		if x &^= full >> (64 - n) << s; x == 0 {
			return true
		}
		w.aim(&w.next, k, k<<6+uint32(bits.TrailingZeros64(x)))
	}
}

// addList adds the objects x of block k, and lists their rows in the kinds whose rows do not
// continue the batch.
func (w *walk) addList(k uint32, x uint64, yield func(Batch) bool) bool {
	n := uint32(bits.OnesCount64(x))
	if (w.holes != 0 || w.strewn != 0 && w.n+n > batchSize) && !w.flush(yield) {
		return false
	}
	loose, odd := w.list(k, x)
	if loose &^= w.strewn; loose != 0 {
		if w.n+n > batchSize { // the batch is a run that is too long to be listed
			return w.flush(yield) && w.addList(k, x, yield)
		}
		w.strew(loose)
	}
	if w.n == 0 {
		w.row = w.next
	}
	if w.n += n; w.strewn != 0 {
		w.blocks = append(w.blocks, listed{uint16(w.n), odd})
	}
	return true
}

// list appends the rows of the objects x of block k to the lists. It returns the terms whose rows
// do not continue the batch, and those with odd objects.
func (w *walk) list(k uint32, x uint64) (loose uint32, odd uint16) {
	at := min(w.n, batchSize)
	if w.present == 0 {
		rows := w.rows[0].at(at)
		straight := kernel.ListRows(rows, &noPage, k<<6, 0, x)
		if !w.continues(0, rows[0], straight) {
			loose = 1
		}
		return loose, 0
	}
	for y := w.present; y != 0; y &= y - 1 {
		t := bits.TrailingZeros32(y) & (maxTerms - 1)
		m, rows := w.terms[t], w.rows[t].at(at)
		if straight := m.RowsOf(rows, k, x); !w.continues(t, rows[0], straight) {
			loose |= 1 << t
		}
		if m.Blocks[k].Odd&x != 0 {
			odd |= 1 << t
		}
	}
	return loose, odd
}

// continues records the first row after the batch and reports whether the rows continue it.
func (w *walk) continues(t int, first uint32, straight bool) bool {
	w.next[t] = first
	return straight && !w.forced && (w.n == 0 || first == w.row[t]+w.n)
}

var noPage [64]uint32 // the page of a block without odd objects

// strew turns the runs of some terms into lists.
func (w *walk) strew(terms uint32) {
	if w.strewn == 0 {
		for end := uint32(0); end < w.n; {
			end = min(end+64, w.n)
			w.blocks = append(w.blocks, listed{end: uint16(end)})
		}
	}
	w.strewn |= terms
	for ; terms != 0; terms &= terms - 1 {
		t := bits.TrailingZeros32(terms) & (maxTerms - 1)
		kernel.Iota(w.rows[t][:w.n], w.row[t])
	}
}

// addHoles adds the objects x of block k, which has no odd objects, to the run of a row-wise
// system. The run may include rows between them that belong to the block or to no object. If a row
// between them belongs to another block, the objects are listed instead.
func (w *walk) addHoles(k uint32, x uint64, yield func(Batch) bool) bool {
	holes, busy := w.idle(k, ^x)
	s, end := uint32(bits.TrailingZeros64(x)), uint32(bits.Len64(x))
	below, above := uint64(1)<<s-1, full<<(end-1)<<1
	if busy&^below&^above != 0 {
		return w.addList(k, x, yield)
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
	if w.holes+uint32(bits.OnesCount64(holes)) > maxHoles && !w.flush(yield) {
		return false
	}
	if !w.grow(end-s, gap, yield) {
		return false
	}
	if w.n == end-s { // the run begins here
		holes &^= below
	}
	w.tail = uint32(bits.OnesCount64(holes & above))
	w.addHole(w.n-end, holes)
	if end+w.tail == 64 {
		w.complete = k + 1
	}
	return true
}

// addHole records rows that do not match, as a mask relative to first, counted from the start of
// the run.
func (w *walk) addHole(first uint32, rows uint64) {
	if rows != 0 {
		kernel.ListRows(w.rows[0].at(w.holes), &noPage, first, 0, rows)
		w.holes += uint32(bits.OnesCount64(rows))
	}
}

// addJoined is addHoles for a block whose rows, like those of the block before, all belong to its
// own objects, in lockstep and consecutive.
func (w *walk) addJoined(k uint32, yield func(Batch) bool) bool {
	x := w.matching(k)
	n := uint32(bits.OnesCount64(x))
	if w.complete != k || n < minBusy || w.holes+64-n > maxHoles {
		return x == 0 || w.collect(k, x, yield)
	}
	first, end := w.n+w.tail, uint32(bits.Len64(x))
	w.n, w.tail, w.complete = first+end, 64-end, k+1
	w.addHole(first, ^x)
	return true
}

// idle splits objects of block k into those whose rows a run may include and the others.
func (w *walk) idle(k uint32, objects uint64) (idle, busy uint64) {
	for i, t := range w.terms {
		absent := objects &^ t.Blocks[k].Present
		if absent == 0 || w.present>>i&1 == 0 {
			continue
		}
		if w.job.whole == nil { // in a task, a free row may lie between the objects of another task
			absent = t.Busy(k, absent)
		}
		busy |= absent
	}
	return objects &^ busy, busy
}
