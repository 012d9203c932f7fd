package layout

import "fmt"

// Values is a handle to a kind whose values are Go values of any type T: names, handles, anything
// that is not flat. It has rows like any other kind, and the same queries find it; its values lie
// beside the world's bytes, in a slice of fixed length. The world drops a value when its component
// is removed; a snapshot drops it when it is taken again.
type Values[T any] struct{ kind Kind }

// NewValues declares a kind of Go values, with value as the default. Copies of a world copy the
// slice and share what T points to. It panics if the name is empty.
func NewValues[T any](name string, value T) Values[T] {
	k := newKind(name)
	k.spec.Values = valueSpec[T]{value}
	return Values[T]{k}
}

// Kind returns the kind of v.
func (v Values[T]) Kind() Kind { return v.kind }

// Count gives a world room for rows values of v.
func (v Values[T]) Count(rows int) Count { return Count{Kind: v.kind, Rows: rows} }

// Counted gives a world room for a value of v on every object.
func (v Values[T]) Counted() Count { return v.kind.Counted() }

// A ValueSpec makes the column of a [Values] kind.
type ValueSpec interface{ Make(rows int) ValueColumn }

// A ValueColumn is a []T of an unknown type T.
type ValueColumn interface {
	Reset(row int)                   // to the default
	Grow(rows int)                   // to at least rows
	CopyRow(dst, src int)            // within the column
	Swap(a, b int)                   // exchanges two rows
	Copy(from ValueColumn, rows int) // copies the first rows
	Value(row int) any               // of a row
}

type valueSpec[T any] struct{ value T }

// Make returns a column of rows default values.
func (s valueSpec[T]) Make(rows int) ValueColumn {
	c := &Column[T]{make([]T, rows), s.value}
	for i := range c.Rows {
		c.Rows[i] = s.value
	}
	return c
}

// A Column holds the values of one [Values] kind in one world.
type Column[T any] struct {
	Rows  []T
	value T
}

// Reset sets row to the default. Like the other methods it panics if there is no such row.
func (c *Column[T]) Reset(row int) { *c.at(row) = c.value }

// maxRows is more rows than a kind can have.
const maxRows = 1 << 30

// Grow extends the column to at least rows rows; new ones are the default. It panics if rows is 2³⁰
// or more.
func (c *Column[T]) Grow(rows int) {
	if c == nil || rows >= maxRows {
		c.refuse(rows)
	}
	for len(c.Rows) < rows {
		c.Rows = append(c.Rows, c.value)
	}
}

// CopyRow copies row src to row dst.
func (c *Column[T]) CopyRow(dst, src int) { *c.at(dst) = *c.at(src) }

// Swap exchanges two rows.
func (c *Column[T]) Swap(a, b int) {
	x, y := c.at(a), c.at(b)
	*x, *y = *y, *x
}

// Copy copies the first rows of from, a column of the same kind. It panics if from has another type
// or fewer rows.
func (c *Column[T]) Copy(from ValueColumn, rows int) {
	other, ok := from.(*Column[T])
	if !ok || other == nil || c == nil || uint(rows) > uint(len(other.Rows)) {
		panic(fmt.Sprintf("layout: Column.Copy of %d rows of a %T into a %T; "+
			"copy rows that there are, of the same kind", rows, from, c))
	}
	copy(c.Rows, other.Rows[:rows])
}

// Value returns the value of row.
func (c *Column[T]) Value(row int) any { return *c.at(row) }

// at returns a pointer to row.
func (c *Column[T]) at(row int) *T {
	if c == nil || uint(row) >= uint(len(c.Rows)) {
		c.refuse(row)
	}
	return &c.Rows[row]
}

//go:noinline
func (c *Column[T]) refuse(row int) {
	if c == nil {
		panic("layout: this Column is nil; ask a ValueSpec for one by Make")
	}
	panic(fmt.Sprintf("layout: row %d of a Column of %d; give a row of the column", row,
		len(c.Rows)))
}
