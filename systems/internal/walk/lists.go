package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// addList adds the objects x of block k, and lists their rows in the kinds whose rows do not
// continue the batch.
func (w *Walk) addList(k uint32, x uint64, yield func(*Walk) bool) bool {
	n := uint32(bits.OnesCount64(x))
	if (w.holes != 0 || w.strewn != 0 && w.n+n > query.BatchSize) && !w.Flush(yield) {
		return false
	}
	loose, odd := w.listRows(k, x)
	if loose &^= w.strewn; loose != 0 {
		if w.n+n > query.BatchSize { // the batch is a run that is too long to be listed
			return w.Flush(yield) && w.addList(k, x, yield)
		}
		w.strew(loose)
	}
	if w.n == 0 {
		w.row = w.next
	}
	if w.n += n; w.strewn != 0 {
		w.blocks = append(w.blocks, listed{uint16(w.n), odd, k})
	}
	return true
}

// addFew adds what it can of the objects of block k to a walk over one kind, and returns the rest.
// Of a kind that few objects have, that is all: single objects, whose rows go on where the batch
// ends, or are listed.
func addFew(w *Walk, k uint32) (rest uint64) {
	m := w.Terms[0]
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
		case w.n == 0:
			w.row[0] = row
		case w.strewn != 0 && w.n < query.BatchSize:
			w.rows[0][w.n] = row
			w.blocks = append(w.blocks, listed{uint16(w.n + 1), uint16(odd >> i & 1), k})
		case w.strewn != 0 || row != w.row[0]+w.n:
			return x
		}
		w.n++
	}
	return 0
}

const few = 8 // objects of a block

// listRows appends the rows of the objects x of block k to the lists. It returns the terms whose
// rows do not continue the batch, and those with odd objects.
func (w *Walk) listRows(k uint32, x uint64) (loose uint32, odd uint16) {
	at := min(w.n, query.BatchSize)
	if w.present == 0 {
		rows := w.rows[0].at(at)
		straight := kernel.ListRows(rows, &noPage, k<<6, 0, x)
		if !w.continues(0, rows[0], straight) {
			loose = 1
		}
		return loose, 0
	}
	for y := w.present; y != 0; y &= y - 1 {
		t := bits.TrailingZeros32(y) & (query.MaxTerms - 1)
		m, rows := w.Terms[t], w.rows[t].at(at)
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
	w.next[t] = first
	return straight && !w.Forced && (w.n == 0 || first == w.row[t]+w.n)
}

var noPage [64]uint32 // the page of a block without odd objects

// strew turns the runs of some terms into lists.
func (w *Walk) strew(terms uint32) {
	if w.strewn == 0 {
		for end := uint32(0); end < w.n; {
			end = min(end+64, w.n)
			w.blocks = append(w.blocks, listed{uint16(end), 0, noBlock})
		}
	}
	w.strewn |= terms
	for ; terms != 0; terms &= terms - 1 {
		t := bits.TrailingZeros32(terms) & (query.MaxTerms - 1)
		kernel.Iota(w.rows[t][:w.n], w.row[t])
	}
}
