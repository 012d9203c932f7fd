package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// Flush yields the collected objects as a batch, if there are any. It returns false if the walk
// ends.
func (w *Walk) Flush(yield func(*Batch) bool) bool { return w.batch.n == 0 || w.send(yield) }

// send yields the collected batch.
func (w *Walk) send(yield func(*Batch) bool) bool {
	b := &w.batch
	w.audit.checkCopies()
	if b.holes != 0 {
		b.keepHoles()
	}
	w.out = true
	w.audit.begin(b)
	more := yield(b)
	if w.ended { // by Abandon
		return false
	}
	w.audit.finish(b)
	w.putBack()
	return more
}

// putBack writes copies and holes back to their rows, and stamps the rows that may be written.
func (w *Walk) putBack() {
	b := &w.batch
	b.Turn++
	switch {
	case b.strewn != 0:
		b.scatter()
	case b.holes != 0:
		b.restoreHoles()
	}
	if !w.walks.Part { // tasks stamp after all have ended
		b.stamp()
	}
	w.audit.poison(b)
	w.out = false
	b.begin()
}

// StampOpen stamps the rows that the current batches may have written by now.
func (l *Walks) StampOpen() {
	for _, w := range l.slots {
		if w != nil && w.out && !l.Part {
			w.batch.stamp()
		}
	}
}

// stamp stamps the rows that the batch may have written.
func (b *Batch) stamp() {
	for x := b.Plan.Written & b.present; x != 0; x &= x - 1 {
		t := bits.TrailingZeros32(x) & (query.MaxTerms - 1)
		if b.strewn>>t&1 != 0 {
			b.stampList(t)
		} else {
			b.Plan.Terms[t].Stamps.Touch(b.row[t], b.n)
		}
	}
}

// stampList stamps the listed rows of a term. Rows of one block in lockstep share the stamp of the
// first or the last one.
func (b *Batch) stampList(t int) {
	rows, from := &b.rows[t], uint16(0)
	if b.inOrder {
		b.Plan.Terms[t].Stamps.TouchAscending(rows[:b.n])
		return
	}
	for _, l := range b.blocks {
		part := rows[from:l.end]
		if l.odd>>t&1 == 0 {
			part = []uint32{part[0], part[len(part)-1]}
		}
		b.Plan.Terms[t].Stamps.TouchRows(part)
		from = l.end
	}
}

// keepHoles saves the rows of the run that do not match.
func (b *Batch) keepHoles() {
	b.holes, b.tail = b.holes-b.tail, 0
	for i := range b.Plan.Columns {
		if c := &b.Plan.Columns[i]; c.Mode == query.Write {
			holes := b.rows[0][:b.holes]
			kernel.GatherBytes(b.copyOf(c, b.holes), b.runOf(c), c.Rows.Stride, holes)
		}
	}
}

// restoreHoles restores these rows.
func (b *Batch) restoreHoles() {
	for i := range b.Plan.Columns {
		if c := &b.Plan.Columns[i]; c.Mode == query.Write {
			holes := b.rows[0][:b.holes]
			kernel.ScatterBytes(b.runOf(c), b.copyOf(c, b.holes), c.Rows.Stride, holes)
		}
	}
}

// runOf returns the run's rows of a column.
func (b *Batch) runOf(c *query.Column) []byte {
	return c.Rows.Bytes[int(b.row[c.Term])*c.Rows.Stride:][:int(b.n)*c.Rows.Stride]
}
