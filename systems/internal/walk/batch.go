package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// Flush yields what has been collected, if anything: a batch, until yield returns. False ends the
// walk.
func (w *Walk) Flush(yield func(*Walk) bool) bool { return w.n == 0 || w.send(yield) }

// send yields the collected batch.
func (w *Walk) send(yield func(*Walk) bool) bool {
	w.audit.checkCopies()
	if w.holes != 0 {
		w.keepHoles()
	}
	w.out = true
	w.audit.begin(w)
	more := yield(w)
	if w.ended { // by Abandon
		return false
	}
	w.audit.finish(w)
	w.putBack()
	return more
}

// putBack puts copies and holes back to their rows, and stamps those that may be written.
func (w *Walk) putBack() {
	w.Turn++
	switch {
	case w.strewn != 0:
		w.scatter()
	case w.holes != 0:
		w.restoreHoles()
	}
	w.stamp()
	w.audit.poison(w)
	w.out = false
	w.begin()
}

// StampOpen stamps what the batches that are out may have written by now.
func (l *Walks) StampOpen() {
	for _, w := range l.slots {
		if w != nil && w.out {
			w.stamp()
		}
	}
}

// stamp stamps the rows that the batch may have written.
func (w *Walk) stamp() {
	if w.walks.Part {
		return // tasks are stamped after all have ended
	}
	for x := w.Written & w.present; x != 0; x &= x - 1 {
		t := bits.TrailingZeros32(x) & (query.MaxTerms - 1)
		if w.strewn>>t&1 != 0 {
			w.stampList(t)
		} else {
			w.Terms[t].Stamps.Touch(w.row[t], w.n)
		}
	}
}

// stampList stamps the listed rows of a term. Rows of one block in lockstep share the stamp of the
// first or the last one.
func (w *Walk) stampList(t int) {
	rows, from := &w.rows[t], uint16(0)
	if w.inOrder {
		w.Terms[t].Stamps.TouchAscending(rows[:w.n])
		return
	}
	for _, b := range w.blocks {
		part := rows[from:b.end]
		if b.odd>>t&1 == 0 {
			part = []uint32{part[0], part[len(part)-1]}
		}
		w.Terms[t].Stamps.TouchRows(part)
		from = b.end
	}
}

// keepHoles saves the rows of the run that do not match.
func (w *Walk) keepHoles() {
	w.holes, w.tail = w.holes-w.tail, 0
	for i := range w.Columns {
		if c := &w.Columns[i]; c.Mode == query.Write {
			holes := w.rows[0][:w.holes]
			kernel.GatherBytes(w.copyOf(c, w.holes), w.runOf(c), c.Rows.Stride, holes)
		}
	}
}

// restoreHoles makes those rows what they were.
func (w *Walk) restoreHoles() {
	for i := range w.Columns {
		if c := &w.Columns[i]; c.Mode == query.Write {
			holes := w.rows[0][:w.holes]
			kernel.ScatterBytes(w.runOf(c), w.copyOf(c, w.holes), c.Rows.Stride, holes)
		}
	}
}

// runOf returns a column's rows of the run.
func (w *Walk) runOf(c *query.Column) []byte {
	return c.Rows.Bytes[int(w.row[c.Term])*c.Rows.Stride:][:int(w.n)*c.Rows.Stride]
}
