package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// addList adds the objects x of block k, and lists their rows in the kinds whose rows do not
// continue the batch.
func (w *Walk) addList(k uint32, x uint64, yield func(*Batch) bool) bool {
	b := &w.batch
	n := uint32(bits.OnesCount64(x))
	if (b.holes != 0 || b.strewn != 0 && b.n+n > query.BatchSize) && !w.Flush(yield) {
		return false
	}
	loose, odd := w.listRows(k, x)
	if loose &^= b.strewn; loose != 0 {
		if b.n+n > query.BatchSize { // the batch is a run that is too long to list
			return w.Flush(yield) && w.addList(k, x, yield)
		}
		b.strew(loose)
	}
	if b.n == 0 {
		b.row = w.next
	}
	if b.n += n; b.strewn != 0 {
		b.blocks = append(b.blocks, listed{uint16(b.n), odd, k})
	}
	return true
}

// addFew adds objects of block k to a walk over one kind as long as they are simple, and returns
// the rest. For a kind on few objects these are all objects: single objects whose rows continue the
// batch or are listed.
func addFew(w *Walk, k uint32) (rest uint64) {
	b := &w.batch
	m := w.plan.Terms[0]
	x := m.Blocks.Present(k)
	if bits.OnesCount64(x) > few {
		return x
	}
	for odd, first := m.Blocks.Odd(k), m.Blocks.Base(k)+k<<6; x != 0; x &= x - 1 {
		i := uint32(bits.TrailingZeros64(x))
		row := first + i
		if odd>>i&1 != 0 {
			row, _ = m.Blocks.HeldRow(k<<6 + i)
		}
		switch {
		case b.n == 0:
			b.row[0] = row
		case b.strewn != 0 && b.n < query.BatchSize:
			b.rows[0][b.n] = row
			b.blocks = append(b.blocks, listed{uint16(b.n + 1), uint16(odd >> i & 1), k})
		case b.strewn != 0 || row != b.row[0]+b.n:
			return x
		}
		b.n++
	}
	return 0
}

const few = 8 // objects of a block

// listRows appends the rows of the objects x of block k to the lists. It returns the terms whose
// rows do not continue the batch, and the terms with odd objects.
func (w *Walk) listRows(k uint32, x uint64) (loose uint32, odd uint16) {
	b := &w.batch
	at := min(b.n, query.BatchSize)
	if b.present == 0 {
		rows := b.rows[0].at(at)
		straight := kernel.ListRows(rows, &noPage, k<<6, 0, x)
		if !w.continues(0, rows[0], straight) {
			loose = 1
		}
		return loose, 0
	}
	for y := b.present; y != 0; y &= y - 1 {
		t := bits.TrailingZeros32(y) & (query.MaxTerms - 1)
		m, rows := w.plan.Terms[t], b.rows[t].at(at)
		if straight := m.Blocks.RowsOf(rows, k, x); !w.continues(t, rows[0], straight) {
			loose |= 1 << t
		}
		if m.Blocks.Odd(k)&x != 0 {
			odd |= 1 << t
		}
	}
	return loose, odd
}

// continues records the first row after the batch and reports whether the rows continue it.
func (w *Walk) continues(t int, first uint32, straight bool) bool {
	b := &w.batch
	w.next[t] = first
	return straight && !w.plan.Forced && (b.n == 0 || first == b.row[t]+b.n)
}

var noPage [64]uint32 // the page of a block without odd objects

// strew converts the runs of some terms to lists.
func (b *Batch) strew(terms uint32) {
	if b.strewn == 0 {
		for end := uint32(0); end < b.n; {
			end = min(end+64, b.n)
			b.blocks = append(b.blocks, listed{uint16(end), 0, noBlock})
		}
	}
	b.strewn |= terms
	for ; terms != 0; terms &= terms - 1 {
		t := bits.TrailingZeros32(terms) & (query.MaxTerms - 1)
		kernel.Iota(b.rows[t][:b.n], b.row[t])
	}
}
