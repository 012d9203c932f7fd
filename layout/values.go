package layout

import "github.com/flatecs/flatecs/layout/values"

// Values is a handle to a kind whose values are Go values of any type T: names, handles, anything
// that does not lie in flat bytes. It has rows like any other kind, and the same queries find it;
// its values lie beside the world's bytes, in a slice of fixed length. A world lets go of a value
// as its component goes; a snapshot keeps what it holds until it is taken again.
type Values[T any] struct{ kind Kind }

// NewValues declares a kind of values, each of them value until it is set. Copies of a world copy
// the slice: what T points to is shared. It panics when the name is empty.
func NewValues[T any](name string, value T) Values[T] {
	k := newKind(name)
	k.spec.Values = values.Of(value)
	return Values[T]{k}
}

// Kind returns the kind that v's components are of.
func (v Values[T]) Kind() Kind { return v.kind }

// Count says that a world has room for rows values of v.
func (v Values[T]) Count(rows int) Count { return Count{Kind: v.kind, Rows: rows} }

// Counted counts v without rows: a world has room for every object.
func (v Values[T]) Counted() Count { return v.kind.Counted() }
