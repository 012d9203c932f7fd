package layout

import (
	"fmt"
	"slices"
)

// A ValueColumn is a [ValueSlice] of any type T.
type ValueColumn interface {
	Make(rows int) ValueColumn                   // a new column, of default values
	Reset(row int)                               // to the default
	Grow(rows int)                               // to at least rows
	CopyRow(dst, src int)                        // within the column
	CopyFrom(dst int, from ValueColumn, src int) // a row of another column
	Copy(from ValueColumn, rows int)             // copies the first rows
	Value(row int) any                           // of a row
}

// A ValueSlice holds the values of one kind in one world.
type ValueSlice[T any] struct {
	Rows  []T
	value T
}

// Make returns a new column with rows defaults; it only reads c. It panics like [ValueSlice.Grow].
func (c *ValueSlice[T]) Make(rows int) ValueColumn {
	if c == nil {
		c.refuse(rows)
	}
	made := &ValueSlice[T]{value: c.value}
	made.Grow(rows)
	return made
}

// Reset sets row to the default. Like the other methods it panics if row is out of range.
func (c *ValueSlice[T]) Reset(row int) { *c.at(row) = c.value }

// maxValues is more rows than a kind can have.
const maxValues = 1 << 30

// Grow extends the column to at least rows rows; new ones are the default. It panics if rows is 2³⁰
// or more.
func (c *ValueSlice[T]) Grow(rows int) {
	if c == nil || rows >= maxValues {
		c.refuse(rows)
	}
	c.Rows = slices.Grow(c.Rows, max(rows, len(c.Rows))-len(c.Rows))
	for len(c.Rows) < rows {
		c.Rows = append(c.Rows, c.value)
	}
}

// CopyRow copies row src to row dst.
func (c *ValueSlice[T]) CopyRow(dst, src int) { *c.at(dst) = *c.at(src) }

// CopyFrom copies row src of from, a column of the same kind, to row dst. It panics if from has
// another type.
func (c *ValueSlice[T]) CopyFrom(dst int, from ValueColumn, src int) {
	other, ok := from.(*ValueSlice[T])
	if !ok || other == nil {
		panic(fmt.Sprintf("layout: ValueSlice.CopyFrom of a %T into a %T; copy from the same kind",
			from, c))
	}
	*c.at(dst) = *other.at(src)
}

// Copy copies the first rows of from, a column of the same kind. It panics if from has another type
// or fewer rows.
func (c *ValueSlice[T]) Copy(from ValueColumn, rows int) {
	other, ok := from.(*ValueSlice[T])
	if !ok || other == nil || c == nil || uint(rows) > uint(len(other.Rows)) {
		panic(fmt.Sprintf("layout: ValueSlice.Copy of %d rows of a %T into a %T; "+
			"copy rows that there are, of the same kind", rows, from, c))
	}
	copy(c.Rows, other.Rows[:rows])
}

// Value returns the value of row.
func (c *ValueSlice[T]) Value(row int) any { return *c.at(row) }

// at returns a pointer to row.
func (c *ValueSlice[T]) at(row int) *T {
	if c == nil || uint(row) >= uint(len(c.Rows)) {
		c.refuse(row)
	}
	return &c.Rows[row]
}

//go:noinline
func (c *ValueSlice[T]) refuse(row int) {
	if c == nil {
		panic("layout: this ValueSlice is nil; make one by KindSpec.Values.Make")
	}
	panic(fmt.Sprintf("layout: row %d of a ValueSlice of %d; give a row of the column", row,
		len(c.Rows)))
}
