package layout

// Values is a handle to a kind whose values are Go values of any type T, such as file handles or
// maps. It has rows like any other kind, and works in the same queries; its values are stored
// outside the world's bytes, in a slice of fixed length. The world drops a value when its component
// is removed; a snapshot drops it when it is taken again.
type Values[T any] struct{ kind Kind }

// NewValues declares a kind of Go values, with value as the default. Copies of a world copy the
// slice and share what T points to. It panics if the name is empty.
func NewValues[T any](name string, value T) Values[T] {
	k := newKind(name)
	k.spec.Values = &ValueSlice[T]{value: value}
	return Values[T]{k}
}

// Kind returns the kind of v.
func (v Values[T]) Kind() Kind { return v.kind }

func (v Values[T]) typed(T) {}

// Count gives a world room for rows values of v.
func (v Values[T]) Count(rows int) Count { return Count{Kind: v.kind, Rows: rows} }

// Counted gives a world room for a value of v on every object.
func (v Values[T]) Counted() Count { return v.kind.Counted() }
