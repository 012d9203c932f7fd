package layout

// Values is a handle to a kind whose values are Go values of any type T: names, handles, anything
// that does not lie in flat bytes. It has rows like any other kind, and the same queries find it;
// its values lie beside the world's bytes, in a slice of fixed length. A world lets go of a value
// as its component goes; a snapshot keeps what it holds until it is taken again.
type Values[T any] struct{ kind Kind }

// NewValues declares a kind of values, each of them value until it is set. Copies of a world copy
// the slice: what T points to is shared. It panics when the name is empty.
func NewValues[T any](name string, value T) Values[T] {
	k := newKind(name)
	k.spec.Values = valueSpec[T]{value}
	return Values[T]{k}
}

// Kind returns the kind that v's components are of.
func (v Values[T]) Kind() Kind { return v.kind }

// Count says that a world has room for rows values of v.
func (v Values[T]) Count(rows int) Count { return Count{Kind: v.kind, Rows: rows} }

// A ValueSpec makes the column of a [Values] kind.
type ValueSpec interface{ Make(rows int) ValueColumn }

// A ValueColumn is a []T whose T its holder does not know.
type ValueColumn interface {
	Reset(row int)                   // back to the default
	CopyRow(dst, src int)            // within the column
	Swap(a, b int)                   // two rows
	Copy(from ValueColumn, rows int) // the first so many rows
	Value(row int) any               // of one row
}

type valueSpec[T any] struct{ value T }

// Make returns rows values, each the default.
func (s valueSpec[T]) Make(rows int) ValueColumn {
	c := &Column[T]{make([]T, rows), s.value}
	for i := range c.Rows {
		c.Rows[i] = s.value
	}
	return c
}

// A Column is the values of one [Values] kind in one world.
type Column[T any] struct {
	Rows  []T
	value T
}

// Reset sets row back to the default.
func (c *Column[T]) Reset(row int) { c.Rows[row] = c.value }

// CopyRow sets row dst to what row src is.
func (c *Column[T]) CopyRow(dst, src int) { c.Rows[dst] = c.Rows[src] }

// Swap exchanges two rows.
func (c *Column[T]) Swap(a, b int) { c.Rows[a], c.Rows[b] = c.Rows[b], c.Rows[a] }

// Copy takes over the first rows of from, a column of the same kind.
func (c *Column[T]) Copy(from ValueColumn, rows int) {
	copy(c.Rows, from.(*Column[T]).Rows[:rows])
}

// Value returns the value of row.
func (c *Column[T]) Value(row int) any { return c.Rows[row] }
