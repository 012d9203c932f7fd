package manager

import (
	"iter"

	"github.com/flatecs/flatecs/layout"
)

// Typed is a manager whose rows are numbers of a type of their own.
type Typed[R ~uint32] struct{ *Manager }

// Create is [Manager.Create].
func (t Typed[R]) Create() (R, error) {
	row, err := t.Manager.Create()
	return R(row), err
}

// Mount is [Manager.Mount].
func (t Typed[R]) Mount(object uint32, row R) error {
	return t.Manager.Mount(object, layout.Row(row))
}

// Add is [Manager.Add].
func (t Typed[R]) Add(object uint32) (R, error) {
	row, err := t.Manager.Add(object)
	return R(row), err
}

// Get is [Manager.Get].
func (t Typed[R]) Get(object uint32) (R, error) {
	row, err := t.Manager.Get(object)
	return R(row), err
}

// Dispose is [Manager.Dispose].
func (t Typed[R]) Dispose(row R) { t.Manager.Dispose(layout.Row(row)) }

// All is [Manager.All].
func (t Typed[R]) All() iter.Seq[R] {
	return func(yield func(R) bool) {
		t.Each(func(row layout.Row) bool { return yield(R(row)) })
	}
}

// hero checks that a manager is the one of a built-in kind.
func hero[R ~uint32](m *Manager, k layout.Kind) Typed[R] {
	if m.Kind != k.Spec() {
		panic("manager: this is the manager of " + m.Kind.Name + "; give the one of " + k.String())
	}
	return Typed[R]{m}
}
