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
	// Over is the panic of a batch that has no walk, or is used after its turn.
	Over = "flatecs: this Batch has no walk, or is over: it is valid until its loop continues; " +
		"take one that a query yields, and copy values that you need later"

	noIDs = "flatecs: batches of a row-wise query have no ids; omit RowWise"

	noLists = "flatecs: the batches of a row-wise query hold objects that do not match, whose " +
		"lists must not change; omit RowWise"
)

// Len returns the number of objects in the batch.
func (b *Batch) Len() int { return int(b.n) }

// ID returns object i of the batch. It panics if i is out of range, and for a row-wise query.
func (b *Batch) ID(i int) gameobject.ID {
	switch {
	case uint(i) >= uint(b.n):
		panicOutside(i, b.n)
	case b.Plan.RowWise:
		panic(noIDs)
	case b.present == 0:
		return b.objects.At(b.Row(0, i))
	}
	t := bits.TrailingZeros32(b.present)
	object, _ := b.Plan.Terms[t].ObjectOf(layout.Row(b.Row(t, i)))
	return b.objects.At(object)
}

//go:noinline
func panicOutside(i int, rows uint32) {
	panic(fmt.Sprintf("flatecs: a batch of %d has no row %d; rows go from 0 to Len()-1", rows, i))
}

// AppendIDs appends the objects of the batch to dst. It panics for a row-wise query.
func (b *Batch) AppendIDs(dst []gameobject.ID) []gameobject.ID {
	if b.Plan.RowWise {
		panic(noIDs)
	}
	old, n := len(dst), int(b.n)
	dst = slices.Grow(dst, n)[:old+n]
	ids, r, t := dst[old:], b.objects, bits.TrailingZeros32(b.withRows())
	switch first, scattered := b.row[t], b.strewn>>t&1 != 0; {
	case b.present == 0 && scattered:
		r.AtRows(ids, b.rows[0][:n], 0)
	case b.present == 0:
		r.AtEach(ids, first)
	case scattered:
		b.listedIDs(ids, t)
	default:
		b.Plan.Terms[t].Rows.IDsFrom(ids, first)
	}
	return dst
}

// listedIDs writes the objects of the listed rows of a term to dst. In lockstep, the offset is the
// same for all objects of a block.
func (b *Batch) listedIDs(dst []gameobject.ID, t int) {
	m, rows, from := b.Plan.Terms[t], &b.rows[t], uint16(0)
	if b.inOrder {
		m.Rows.IDs(dst, rows[:b.n])
		return
	}
	for _, l := range b.blocks {
		if ids, part := dst[from:l.end], rows[from:l.end]; l.block == noBlock || l.odd>>t&1 != 0 {
			m.Rows.IDs(ids, part)
		} else {
			b.objects.AtRows(ids, part, m.Blocks.Base(l.block))
		}
		from = l.end
	}
}

// RowOf returns the row of object i of the batch in the columns of a kind. It panics if i is out of
// range, and if the query does not ask for fields of the kind.
func (b *Batch) RowOf(i int, k layout.Kind) layout.Row {
	return layout.Row(b.Row(b.termOf(i, k), i))
}

// termOf returns the term that asks for the fields of a kind. It panics like RowOf.
func (b *Batch) termOf(i int, k layout.Kind) int {
	if uint(i) < uint(b.n) {
		for t, m := range b.Plan.Terms {
			if m.Kind == k.Spec() {
				return t
			}
		}
	}
	return b.refuseRow(i, k)
}

//go:noinline
func (b *Batch) refuseRow(i int, k layout.Kind) int {
	if uint(i) >= uint(b.n) {
		panicOutside(i, b.n)
	}
	panic("flatecs: this query does not ask for fields of kind " + k.String() +
		"; add one to Read or Write")
}

// Row returns the row of object i in the columns of a term.
func (b *Batch) Row(term, i int) uint32 {
	if b.strewn>>term&1 != 0 {
		return b.rows[term][i]
	}
	return b.row[term] + uint32(i)
}

// RowsFrom returns the row of object i of the batch in the columns of a kind, and how many objects
// from i on have consecutive rows. It panics like RowOf.
func (b *Batch) RowsFrom(i int, k layout.Kind) (first layout.Row, n int) {
	term := b.termOf(i, k)
	row := b.Row(term, i)
	if b.strewn>>term&1 == 0 {
		return layout.Row(row), int(b.n) - i
	}
	n = 1
	for i+n < int(b.n) && b.rows[term][i+n] == row+uint32(n) {
		n++
	}
	return layout.Row(row), n
}

// Holes returns the number of rows of the batch that do not match, in a row-wise query.
func (b *Batch) Holes() int { return int(b.holes) }

// Gathered reports whether the rows of some kind are scattered: its columns are copies.
func (b *Batch) Gathered() bool { return b.strewn != 0 }

// Whole reports whether the objects of the batch have every optional kind too.
func (b *Batch) Whole() bool { return b.present == 1<<len(b.Plan.Terms)-1 }

// Column returns a field of the batch's objects: a T per row, in place or as copies that are
// written back. It is nil for an optional field that the objects lack. It panics if the query does
// not ask for the field, and after the turn of the batch.
func Column[T any](b *Batch, turn uint64, f layout.Field[T]) []T {
	if b == nil || b.Turn != turn {
		panic(Over)
	}
	i := b.Plan.ColumnOf(f.Spec())
	c := &b.Plan.Columns[i]
	t := c.Term & (query.MaxTerms - 1)
	base, row := c.Base, int(b.row[t]) // contiguous
	if (b.present&^b.strewn)>>t&1 == 0 {
		if b.present>>t&1 == 0 {
			return nil
		}
		base, row = b.gather(i, c), 0
	}
	return buffer.Span[T](base, row, int(b.n))
}

// gather copies a column of scattered rows to scratch, on first use.
func (b *Batch) gather(i int, c *query.Column) buffer.Base {
	dst := b.copyOf(c, b.n)
	if b.copied>>i&1 == 0 {
		b.copied |= 1 << i
		kernel.GatherBytes(dst, c.Rows.Bytes, c.Rows.Stride, b.rows[c.Term][:b.n])
	}
	return buffer.BaseOf(dst)
}

// scatter writes back the copies that the system may have changed.
func (b *Batch) scatter() {
	for i := range b.Plan.Columns {
		if c := &b.Plan.Columns[i]; c.Mode == query.Write && b.copied>>i&1 != 0 {
			kernel.ScatterBytes(c.Rows.Bytes, b.copyOf(c, b.n), c.Rows.Stride,
				b.rows[c.Term][:b.n])
		}
	}
}

// copyOf returns the memory for a column's copy of n rows.
func (b *Batch) copyOf(c *query.Column, n uint32) []byte {
	return b.scratch[c.Copy:][:int(n)*c.Rows.Stride]
}

// Lists is [Column] for a list: it returns the runs, and whether the query writes them.
func Lists(b *Batch, turn uint64, f *layout.FieldSpec) (runs []layout.Run, writes bool) {
	if b == nil || b.Turn != turn {
		panic(Over)
	}
	i := b.Plan.ColumnOf(f)
	c := &b.Plan.Columns[i]
	if b.Plan.RowWise {
		panic(noLists)
	}
	switch t := c.Term & (query.MaxTerms - 1); {
	case (b.present&^b.strewn)>>t&1 != 0: // contiguous
		runs = buffer.Span[layout.Run](c.Base, int(b.row[t]), int(b.n))
	case b.present>>t&1 != 0:
		runs = buffer.Span[layout.Run](b.gather(i, c), 0, int(b.n))
	}
	return runs, c.Mode == query.Write
}

// HeapOf returns the heap of a list that the query asks for.
func (b *Batch) HeapOf(f *layout.FieldSpec) *manager.Heap {
	t := b.Plan.Columns[b.Plan.ColumnOf(f)].Term & (query.MaxTerms - 1)
	return manager.HeapOf(b.Plan.Terms[t], f)
}
