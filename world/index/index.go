package index

import (
	"iter"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// Value constrains the types of fields with an index.
type Value interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// An Index finds objects by the value of a field. It serves every world, and holds no data of a
// world. Indexes of one field are equal.
type Index[T Value] struct{ field layout.Field[T] }

// New returns an index of a field. It panics if f is the zero Field, or a float16 field, because
// the bits of float16 are not ordered like its values.
func New[T Value](f layout.Field[T]) Index[T] {
	if p := f.Spec().Parts[0]; p.Type == "float16" {
		panic("index: " + f.Spec().String() + " is a float16, whose bits have no order; index an " +
			"integer that has it, such as the value in thousandths")
	}
	return Index[T]{f}
}

// Find yields the objects with a value, in ascending order. The loop may change the world.
func (x Index[T]) Find(s world.State, value T) iter.Seq[world.GameObject] {
	return func(yield func(world.GameObject) bool) {
		systems.OrderedBy(s, x.field.Spec()).OfKey(key(value), yield)
	}
}

// One returns the object with the lowest id among the objects with a value, if any.
func (x Index[T]) One(s world.State, value T) (id world.GameObject, ok bool) {
	id, n := systems.OrderedBy(s, x.field.Spec()).First(key(value))
	return id, n != 0
}

// Count returns the number of objects with a value.
func (x Index[T]) Count(s world.State, value T) int {
	_, n := systems.OrderedBy(s, x.field.Spec()).First(key(value))
	return n
}

// Between yields the objects with values from low to high, both included, by value, then by id. The
// loop may change the world; an object that gets a later value is yielded again.
func (x Index[T]) Between(s world.State, low, high T) iter.Seq[world.GameObject] {
	return func(yield func(world.GameObject) bool) {
		systems.OrderedBy(s, x.field.Spec()).Between(key(low), key(high), yield)
	}
}

// CountBetween returns the number of objects with values from low to high, both included.
func (x Index[T]) CountBetween(s world.State, low, high T) int {
	return systems.OrderedBy(s, x.field.Spec()).Count(key(low), key(high))
}

// Sorted walks the objects that match a query and have the field, by value, then by id, in batches.
// It is a walk like [world.Query]'s: the structure of the world must not change during it. A task
// that walks in order must get all objects. Sorted panics if q is RowWise.
func (x Index[T]) Sorted(s world.State, q world.Query) iter.Seq[world.Batch] {
	return func(yield func(world.Batch) bool) {
		systems.OrderedBy(s, x.field.Spec()).Walk(q, yield)
	}
}

// String names the field.
func (x Index[T]) String() string { return "index of " + x.field.Spec().String() }

// key returns a value as a uint64 with the same order.
func key[T Value](value T) uint64 {
	if ^T(0) < 0 {
		return uint64(value) ^ 1<<63
	}
	return uint64(value)
}

// A Text is an [Index] of a text.
type Text struct{ field layout.Text }

// OfText returns an index of a text. It panics if t is the zero Text.
func OfText(t layout.Text) Text {
	t.Spec()
	return Text{t}
}

// Find is [Index.Find].
func (x Text) Find(s world.State, text string) iter.Seq[world.GameObject] {
	return func(yield func(world.GameObject) bool) {
		systems.OrderedByText(s, x.field.Spec()).Of(text, yield)
	}
}

// One is [Index.One].
func (x Text) One(s world.State, text string) (id world.GameObject, ok bool) {
	return systems.OrderedByText(s, x.field.Spec()).First(text)
}

// Between is [Index.Between]: from low to high in the order of bytes, which is the order of
// Unicode.
func (x Text) Between(s world.State, low, high string) iter.Seq[world.GameObject] {
	return func(yield func(world.GameObject) bool) {
		systems.OrderedByText(s, x.field.Spec()).Between(low, high, yield)
	}
}

// Sorted is [Index.Sorted].
func (x Text) Sorted(s world.State, q world.Query) iter.Seq[world.Batch] {
	return func(yield func(world.Batch) bool) {
		systems.OrderedByText(s, x.field.Spec()).Walk(q, yield)
	}
}

// String names the field.
func (x Text) String() string { return "index of " + x.field.Spec().String() }
