package walk

import (
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// extend adds all objects of n blocks in lockstep, from block k on, to the run.
func (w *Walk) extend(k, n uint32, yield func(*Batch) bool) bool {
	w.findRows(&w.next, k, k<<6)
	more := w.lengthen(n<<6, w.batch.tail, yield)
	w.batch.complete = k + n
	return more
}

// lengthen adds n rows from next on to the run, if they continue it in every kind except for a gap;
// otherwise it yields the run and starts another one.
func (w *Walk) lengthen(n, gap uint32, yield func(*Batch) bool) bool {
	b := &w.batch
	if b.n != 0 {
		if b.strewn == 0 && w.follows(gap) {
			b.n, b.tail = b.n+gap+n, 0
			return true
		}
		if !w.Flush(yield) {
			return false
		}
	}
	b.row, b.n = w.next, n
	return true
}

// addRuns adds the objects x of a block, all in lockstep, run by run. next holds the rows of the
// first object. One addition yields the rows of each other run, because the distance is the same in
// every kind.
func (w *Walk) addRuns(x uint64, yield func(*Batch) bool) bool {
	b := &w.batch
	at, n, x := manager.NextRun(x)
	more := w.lengthen(n, b.tail, yield)
	for from := &w.next; more && x != 0 && w.send(yield); from = &b.row {
		was := at
		at, b.n, x = manager.NextRun(x)
		for t := range max(len(w.plan.Terms), 1) {
			b.row[t&(query.MaxTerms-1)] = from[t&(query.MaxTerms-1)] + at - was
		}
	}
	return more && x == 0
}
