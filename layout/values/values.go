// Package values has the columns of kinds whose values are Go values, beside the world's bytes.
package values

import "fmt"

// A Spec makes the values of one kind for a world.
type Spec interface{ Make(rows int) Column }

// Of returns the spec of values with a default.
func Of[T any](value T) Spec { return spec[T]{value} }

// A Column is a [Slice] of an unknown type T.
type Column interface {
	Reset(row int)                          // to the default
	Grow(rows int)                          // to at least rows
	CopyRow(dst, src int)                   // within the column
	CopyFrom(dst int, from Column, src int) // a row of another column
	Swap(a, b int)                          // exchanges two rows
	Copy(from Column, rows int)             // copies the first rows
	Value(row int) any                      // of a row
}

type spec[T any] struct{ value T }

// Make returns a column of rows default values.
func (s spec[T]) Make(rows int) Column {
	c := &Slice[T]{make([]T, rows), s.value}
	for i := range c.Rows {
		c.Rows[i] = s.value
	}
	return c
}

// A Slice holds the values of one kind in one world.
type Slice[T any] struct {
	Rows  []T
	value T
}

// Reset sets row to the default. Like the other methods it panics if there is no such row.
func (c *Slice[T]) Reset(row int) { *c.at(row) = c.value }

// maxRows is more rows than a kind can have.
const maxRows = 1 << 30

// Grow extends the column to at least rows rows; new ones are the default. It panics if rows is 2³⁰
// or more.
func (c *Slice[T]) Grow(rows int) {
	if c == nil || rows >= maxRows {
		c.refuse(rows)
	}
	for len(c.Rows) < rows {
		c.Rows = append(c.Rows, c.value)
	}
}

// CopyRow copies row src to row dst.
func (c *Slice[T]) CopyRow(dst, src int) { *c.at(dst) = *c.at(src) }

// CopyFrom copies row src of from, a column of the same kind, to row dst. It panics if from has
// another type.
func (c *Slice[T]) CopyFrom(dst int, from Column, src int) {
	other, ok := from.(*Slice[T])
	if !ok || other == nil {
		panic(fmt.Sprintf("values: Slice.CopyFrom of a %T into a %T; copy from the same kind",
			from, c))
	}
	*c.at(dst) = *other.at(src)
}

// Swap exchanges two rows.
func (c *Slice[T]) Swap(a, b int) {
	x, y := c.at(a), c.at(b)
	*x, *y = *y, *x
}

// Copy copies the first rows of from, a column of the same kind. It panics if from has another type
// or fewer rows.
func (c *Slice[T]) Copy(from Column, rows int) {
	other, ok := from.(*Slice[T])
	if !ok || other == nil || c == nil || uint(rows) > uint(len(other.Rows)) {
		panic(fmt.Sprintf("values: Slice.Copy of %d rows of a %T into a %T; "+
			"copy rows that there are, of the same kind", rows, from, c))
	}
	copy(c.Rows, other.Rows[:rows])
}

// Value returns the value of row.
func (c *Slice[T]) Value(row int) any { return *c.at(row) }

// at returns a pointer to row.
func (c *Slice[T]) at(row int) *T {
	if c == nil || uint(row) >= uint(len(c.Rows)) {
		c.refuse(row)
	}
	return &c.Rows[row]
}

//go:noinline
func (c *Slice[T]) refuse(row int) {
	if c == nil {
		panic("values: this Slice is nil; ask a Spec for one by Make")
	}
	panic(fmt.Sprintf("values: row %d of a Slice of %d; give a row of the column", row,
		len(c.Rows)))
}
