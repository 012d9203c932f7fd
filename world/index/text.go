package index

import (
	"iter"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

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
