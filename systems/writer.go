package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/turn"
)

// A Writer writes one field of one world by object id, for loops that follow ids. It is valid until
// the world is changed by other means.
type Writer[T any] struct {
	finder[T]
	turn uint64 // of the world, when it was opened
}

// OpenWrite returns a Writer of a field. It panics when the world has no such kind, while a walk
// that writes the field is open, and in a task.
func OpenWrite[T any](s State, f layout.Field[T]) (State, Writer[T]) {
	j := s.use()
	found := finderOf(j, f)
	j.own(f.Spec())
	s = s.done()
	return s, Writer[T]{found, s.turn}
}

// At returns the place of the field of id's component, which counts as written now, or nil when the
// object is dead or has none. It may be written until the next change of structure or the next
// tick. It panics once the world was changed since [OpenWrite], and while a walk that writes the
// field is open.
func (w *Writer[T]) At(id GameObject) *T {
	if w == nil || w.job == nil || turn.Checked && w.job.guard.Turn != w.turn {
		w.refuse()
	}
	place, row := w.find(id)
	if place != nil {
		w.manager.Touch(row, 1)
	}
	return place
}

//go:noinline
func (w *Writer[T]) refuse() {
	if w == nil || w.job == nil {
		panic("systems: this Writer is of no world; get one by OpenWrite")
	}
	panic("systems: the world was changed since this Writer was opened; " +
		"write state, writer = systems.OpenWrite(state, field) after the change")
}
