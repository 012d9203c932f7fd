package walk

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
)

const (
	// Over says that a batch is not, or not any more, that of a walk.
	Over = "flatecs: this Batch has no walk, or is over: it is valid until its loop continues; " +
		"take one that a query yields, and copy values that you need later"

	noIDs = "flatecs: batches of a row-wise query have no ids; omit RowWise"

	noLists = "flatecs: the batches of a row-wise query hold objects that do not match, whose " +
		"lists must not change; omit RowWise"
)

// Len returns the number of objects in the batch that is out.
func (w *Walk) Len() int { return int(w.n) }

// ID returns object i of the batch. It panics when i is not inside, and when the query is row-wise.
func (w *Walk) ID(i int) gameobject.ID {
	switch {
	case uint(i) >= uint(w.n):
		panicOutside(i, w.n)
	case w.RowWise:
		panic(noIDs)
	case w.present == 0:
		return w.walks.Objects.At(w.Row(0, i))
	}
	t := bits.TrailingZeros32(w.present)
	object, _ := w.Terms[t].ObjectOf(layout.Row(w.Row(t, i)))
	return w.walks.Objects.At(object)
}

//go:noinline
func panicOutside(i int, rows uint32) {
	panic(fmt.Sprintf("flatecs: a batch of %d has no row %d; rows go from 0 to Len()-1", rows, i))
}

// AppendIDs appends the objects of the batch to dst. It panics when the query is row-wise.
func (w *Walk) AppendIDs(dst []gameobject.ID) []gameobject.ID {
	if w.RowWise {
		panic(noIDs)
	}
	old, n := len(dst), int(w.n)
	dst = slices.Grow(dst, n)[:old+n]
	ids, r, t := dst[old:], w.walks.Objects, bits.TrailingZeros32(w.withRows())
	switch first, scattered := w.row[t], w.strewn>>t&1 != 0; {
	case w.present == 0 && scattered:
		r.AtRows(ids, w.rows[0][:n], 0)
	case w.present == 0:
		r.AtEach(ids, first)
	case scattered:
		w.listedIDs(ids, t)
	default:
		w.Terms[t].Rows.IDsFrom(ids, first)
	}
	return dst
}

// listedIDs writes the objects of the listed rows of a term to dst. Those of a block in lockstep
// are all as far from their rows.
func (w *Walk) listedIDs(dst []gameobject.ID, t int) {
	m, rows, from := w.Terms[t], &w.rows[t], uint16(0)
	if w.inOrder {
		m.Rows.IDs(dst, rows[:w.n])
		return
	}
	for _, b := range w.blocks {
		if ids, part := dst[from:b.end], rows[from:b.end]; b.block == noBlock || b.odd>>t&1 != 0 {
			m.Rows.IDs(ids, part)
		} else {
			w.walks.Objects.AtRows(ids, part, m.Blocks.Base(b.block))
		}
		from = b.end
	}
}

// RowOf returns the row of object i of the batch in the columns of a kind. It panics when i is not
// inside, and when the query does not ask for fields of the kind.
func (w *Walk) RowOf(i int, k layout.Kind) layout.Row {
	return layout.Row(w.Row(w.termOf(i, k), i))
}

// termOf returns the term that asks for the fields of a kind. It panics like RowOf.
func (w *Walk) termOf(i int, k layout.Kind) int {
	if uint(i) < uint(w.n) {
		for t, m := range w.Terms {
			if m.Kind == k.Spec() {
				return t
			}
		}
	}
	return w.refuseRow(i, k)
}

//go:noinline
func (w *Walk) refuseRow(i int, k layout.Kind) int {
	if uint(i) >= uint(w.n) {
		panicOutside(i, w.n)
	}
	panic("flatecs: this query does not ask for fields of kind " + k.String() +
		"; add one to Read or Write")
}

// Row returns the row of object i in the columns of a term.
func (w *Walk) Row(term, i int) uint32 {
	if w.strewn>>term&1 != 0 {
		return w.rows[term][i]
	}
	return w.row[term] + uint32(i)
}

// RowsFrom returns the row of object i of the batch in the columns of a kind, and how many objects
// from i on have consecutive rows. It panics like RowOf.
func (w *Walk) RowsFrom(i int, k layout.Kind) (first layout.Row, n int) {
	term := w.termOf(i, k)
	row := w.Row(term, i)
	if w.strewn>>term&1 == 0 {
		return layout.Row(row), int(w.n) - i
	}
	n = 1
	for i+n < int(w.n) && w.rows[term][i+n] == row+uint32(n) {
		n++
	}
	return layout.Row(row), n
}

// Holes returns how many rows of the batch do not match, of a row-wise query.
func (w *Walk) Holes() int { return int(w.holes) }

// Gathered reports whether the rows of some kind do not lie side by side: its columns are copies.
func (w *Walk) Gathered() bool { return w.strewn != 0 }

// Whole reports whether the objects of the batch have every optional kind too.
func (w *Walk) Whole() bool { return w.present == 1<<len(w.Terms)-1 }

// Column returns a field of the batch's objects: a T per row, in place or as copies that are put
// back. An optional field that they do not have is nil. It panics when the query does not ask for
// the field, and when the batch was of another turn.
func Column[T any](w *Walk, turn uint64, f layout.Field[T]) []T {
	if w == nil || w.Turn != turn {
		panic(Over)
	}
	i := w.ColumnOf(f.Spec())
	c := &w.Columns[i]
	t := c.Term & (query.MaxTerms - 1)
	base, row := c.Base, int(w.row[t]) // side by side
	if (w.present&^w.strewn)>>t&1 == 0 {
		if w.present>>t&1 == 0 {
			return nil
		}
		base, row = w.gather(i, c), 0
	}
	return buffer.Span[T](base, row, int(w.n))
}

// gather copies a column of scattered rows to scratch, on first use.
func (w *Walk) gather(i int, c *query.Column) buffer.Base {
	dst := w.copyOf(c, w.n)
	if w.copied>>i&1 == 0 {
		w.copied |= 1 << i
		kernel.GatherBytes(dst, c.Rows.Bytes, c.Rows.Stride, w.rows[c.Term][:w.n])
	}
	return buffer.BaseOf(dst)
}

// scatter writes back the copies that the system may have changed.
func (w *Walk) scatter() {
	for i := range w.Columns {
		if c := &w.Columns[i]; c.Mode == query.Write && w.copied>>i&1 != 0 {
			kernel.ScatterBytes(c.Rows.Bytes, w.copyOf(c, w.n), c.Rows.Stride,
				w.rows[c.Term][:w.n])
		}
	}
}

// copyOf returns the memory for a column's copy of n rows.
func (w *Walk) copyOf(c *query.Column, n uint32) []byte {
	return w.scratch[c.Copy:][:int(n)*c.Rows.Stride]
}

// Lists is [Column] for a list: it returns the runs, and whether the query writes them.
func Lists(w *Walk, turn uint64, f *layout.FieldSpec) (runs []layout.Run, writes bool) {
	if w == nil || w.Turn != turn {
		panic(Over)
	}
	i := w.ColumnOf(f)
	c := &w.Columns[i]
	if w.RowWise {
		panic(noLists)
	}
	switch t := c.Term & (query.MaxTerms - 1); {
	case (w.present&^w.strewn)>>t&1 != 0: // side by side
		runs = buffer.Span[layout.Run](c.Base, int(w.row[t]), int(w.n))
	case w.present>>t&1 != 0:
		runs = buffer.Span[layout.Run](w.gather(i, c), 0, int(w.n))
	}
	return runs, c.Mode == query.Write
}

// HeapOf returns the heap of a list that the query asks for.
func (w *Walk) HeapOf(f *layout.FieldSpec) *manager.Heap {
	return manager.HeapOf(w.Terms[w.Columns[w.ColumnOf(f)].Term&(query.MaxTerms-1)], f)
}
