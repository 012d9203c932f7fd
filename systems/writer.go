package systems

import "github.com/flatecs/flatecs/layout"

// A Writer writes one field of one world by id, for loops that follow ids. It is valid until the
// world is changed by other means.
type Writer[T any] struct {
	finder[T]
	turn uint64 // of the world, at OpenWrite
}

// OpenWrite returns a Writer of a field. It panics if the world does not have the kind, while a
// walk that writes the field is open, and in a task.
func OpenWrite[T any](s State, f layout.Field[T]) (State, Writer[T]) {
	j := s.use()
	found := finderOf(j, f)
	j.own(f.Spec())
	s = s.done()
	return s, Writer[T]{found, s.turn}
}

// At returns a pointer to the field of an object, and stamps it as written, or nil if the object is
// dead or does not have it. The pointer is valid until the next change of structure or the next
// tick. It panics if the world was changed since [OpenWrite], and while a walk that writes the
// field is open.
func (w *Writer[T]) At(id GameObject) *T {
	if w == nil || w.job == nil || checked && w.job.turn != w.turn {
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
		panic("flatecs: this Writer is of no world; get one by OpenWrite")
	}
	panic("flatecs: the world was changed since this Writer was opened; " +
		"write state, writer = systems.OpenWrite(state, field) after the change")
}
