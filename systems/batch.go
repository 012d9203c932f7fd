package systems

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// A Batch is a stretch of matching objects, their components side by side. It is valid until the
// walk goes on.
type Batch struct{ w *walk }

// Len returns the number of objects in b: rows of each column.
func (b Batch) Len() int { return int(b.open().n) }

// ID returns the object of row i of b. It panics when i is not inside, and in a batch of a row-wise
// query.
func (b Batch) ID(i int) GameObject {
	w := b.open()
	switch {
	case uint(i) >= uint(w.n):
		panic("flatecs: this row is outside the batch; rows go from 0 to Len()-1")
	case w.rowWise:
		panic("flatecs: the batches of a row-wise query know no ids; leave RowWise out")
	case w.present == 0:
		return w.job.Objects.At(b.row(0, i))
	}
	t := bits.TrailingZeros32(w.present)
	object, _ := w.terms[t].ObjectOf(Row(b.row(t, i)))
	return w.job.Objects.At(object)
}

// Row returns the row of object i of b in the columns of a kind. It panics when i is not inside,
// and when the query does not ask for fields of the kind.
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

// Column returns a field of b's objects: a T per row, in place or as copies that are put back when
// the walk goes on. An optional field that the objects of b do not have is nil. It panics when the
// query does not ask for the field.
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

// Flat is [Column] as elements, for kernels: of a field of [3]float32 three float32 per row. It
// panics unless all of T is E.
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

// stretch returns how many objects from i on have rows side by side in the columns of a term.
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
