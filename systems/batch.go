package systems

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// A Batch is a range of matching objects, with their components side by side. It is valid until the
// loop continues.
type Batch struct{ w *walk }

// Len returns the number of objects in b, which is the number of rows of each column.
func (b Batch) Len() int { return int(b.open().n) }

// ID returns the object of row i of b. It panics if i is out of range, and in a batch of a row-wise
// query.
func (b Batch) ID(i int) GameObject {
	w := b.open()
	switch {
	case uint(i) >= uint(w.n):
		panic("flatecs: this row is outside the batch; rows go from 0 to Len()-1")
	case w.rowWise:
		panic("flatecs: batches of a row-wise query have no ids; leave RowWise out")
	case w.present == 0:
		return w.job.Objects.At(b.row(0, i))
	}
	t := bits.TrailingZeros32(w.present)
	object, _ := w.terms[t].ObjectOf(Row(b.row(t, i)))
	return w.job.Objects.At(object)
}

// Row returns the row of object i of b in the columns of a kind. It panics if i is out of range,
// and if the query does not ask for fields of the kind.
func (b Batch) Row(i int, k Kind) Row {
	if uint(i) >= uint(b.open().n) {
		panic("flatecs: this row is outside the batch; rows go from 0 to Len()-1")
	}
	for t, m := range b.w.terms {
		if m.Kind == k.Spec() {
			return Row(b.row(t, i))
		}
	}
	panic("flatecs: this query does not ask for fields of kind " + k.String() +
		"; add one to Read or Write")
}

// Column returns a field of b's objects, one T per row: in place, or as copies that are written
// back when the loop continues. It returns nil for an optional field that the objects of b do not
// have. It panics if the query does not ask for the field.
func Column[T any](b Batch, f layout.Field[T]) []T {
	w := b.open()
	i := w.column(f.Spec())
	c := &w.columns[i]
	switch {
	case w.present>>c.term&1 == 0:
		return nil
	case w.strewn>>c.term&1 != 0:
		return buffer.Span[T](w.gather(i, c), 0, int(w.n))
	}
	return buffer.Span[T](c.base, int(w.row[c.term&(maxTerms-1)]), int(w.n))
}

// Flat is [Column] as elements, for kernels: three float32 per row for a field of [3]float32. It
// panics unless T consists of E only.
func Flat[E layout.Element, T any](b Batch, f layout.Field[T]) []E {
	return layout.Flat[E](f, Column(b, f))
}

// row returns the row of object i in the columns of a term.
func (b Batch) row(term, i int) uint32 {
	if b.w.strewn>>term&1 != 0 {
		return b.w.rows[term][i]
	}
	return b.w.row[term] + uint32(i)
}

// stretch returns how many objects from i on have consecutive rows in the columns of a term.
func (b Batch) stretch(term, i int) int {
	n := b.Len()
	if b.w.strewn>>term&1 == 0 {
		return n - i
	}
	c := 1
	for i+c < n && b.w.rows[term][i+c] == b.w.rows[term][i]+uint32(c) {
		c++
	}
	return c
}
