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
		panic("systems: this row is outside the batch; rows go from 0 to Len()-1")
	case w.rowWise:
		panic("systems: the batches of a row-wise query know no ids; leave RowWise out")
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
		panic("systems: this row is outside the batch; rows go from 0 to Len()-1")
	}
	for t, m := range b.w.terms {
		if m.Kind == k.Spec() {
			return Row(b.row(t, i))
		}
	}
	panic("systems: this query does not ask for fields of kind " + k.String() +
		"; add one to Read or Write")
}

// Column returns a field of b's objects: lanes elements per row, in place or as copies that are put
// back when the walk goes on. An optional field that the objects of b do not have is nil. It panics
// when the query does not ask for the field.
func Column[T layout.Element](b Batch, f layout.Field[T]) []T {
	w := b.open()
	i := w.column(f.Spec())
	c := &w.columns[i]
	lanes := c.lanes
	switch {
	case w.present>>c.term&1 == 0:
		return nil
	case w.strewn>>c.term&1 != 0:
		return buffer.Span[T](w.gather(i, c), 0, int(w.n)*lanes)
	}
	return buffer.Span[T](c.base, int(w.row[c.term&(maxTerms-1)])*lanes, int(w.n)*lanes)
}

// Column2 is Column for a field of two lanes, a row at a time.
func Column2[T layout.Element](b Batch, f layout.Field[T]) [][2]T {
	width(f.Spec(), 2)
	return buffer.Pairs(Column(b, f))
}

// Column3 is Column for a field of three lanes, a row at a time.
func Column3[T layout.Element](b Batch, f layout.Field[T]) [][3]T {
	width(f.Spec(), 3)
	return buffer.Triples(Column(b, f))
}

// Column4 is Column for a field of four lanes, a row at a time.
func Column4[T layout.Element](b Batch, f layout.Field[T]) [][4]T {
	width(f.Spec(), 4)
	return buffer.Quads(Column(b, f))
}

func width(f *layout.FieldSpec, lanes int) {
	if f.Lanes != lanes {
		panic("systems: field " + f.Name + " has another number of lanes; use Column")
	}
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
