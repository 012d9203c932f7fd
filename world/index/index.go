package index

import (
	"iter"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// Value is what a field with an index consists of.
type Value interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// An Index finds objects by the value of a field. It serves every world, and holds nothing of any.
// Indexes of one field are equal.
type Index[T Value] struct{ field layout.Field[T] }

// New returns an index of a field. It panics if f is the zero Field, or of float16, whose bits are
// in another order than its values.
func New[T Value](f layout.Field[T]) Index[T] {
	if p := f.Spec().Parts[0]; p.Type == "float16" {
		panic("index: " + f.Spec().String() + " is a float16, whose bits have no order; index an " +
			"integer that has it, such as the value in thousandths")
	}
	return Index[T]{f}
}

// Find yields the objects that have a value, ascending. The loop may change the world.
func (x Index[T]) Find(s world.State, value T) iter.Seq[world.GameObject] {
	return func(yield func(world.GameObject) bool) {
		systems.OrderedBy(s, x.field.Spec()).OfKey(key(value))(yield)
	}
}

// One returns the first object that has a value, in the order of ids, and whether there is one.
func (x Index[T]) One(s world.State, value T) (id world.GameObject, ok bool) {
	id, n := systems.OrderedBy(s, x.field.Spec()).First(key(value))
	return id, n != 0
}

// Count returns how many objects have a value.
func (x Index[T]) Count(s world.State, value T) int {
	_, n := systems.OrderedBy(s, x.field.Spec()).First(key(value))
	return n
}

// Between yields the objects with values from low to high, both included, by value, then by id. The
// loop may change the world; an object that it moves ahead comes again.
func (x Index[T]) Between(s world.State, low, high T) iter.Seq[world.GameObject] {
	return func(yield func(world.GameObject) bool) {
		systems.OrderedBy(s, x.field.Spec()).Between(key(low), key(high))(yield)
	}
}

// CountBetween returns how many objects have values from low to high, both included.
func (x Index[T]) CountBetween(s world.State, low, high T) int {
	return systems.OrderedBy(s, x.field.Spec()).Count(key(low), key(high))
}

// Sorted walks the objects that match a query and have the field, by value, then by id, in batches.
// It is a walk like those of [world.Query]: the structure of the world must not change meanwhile. A
// task that walks in order is on all objects. It panics for a RowWise query.
func (x Index[T]) Sorted(s world.State, q world.Query) iter.Seq[world.Batch] {
	return func(yield func(world.Batch) bool) {
		systems.OrderedBy(s, x.field.Spec()).Walk(q)(yield)
	}
}

// String names the field.
func (x Index[T]) String() string {
	return "index of " + x.field.Spec().String()
}

// key returns a value as uint64 that orders alike.
func key[T Value](value T) uint64 {
	if ^T(0) < 0 {
		return uint64(value) ^ 1<<63
	}
	return uint64(value)
}
