package systems

import (
	"iter"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

// A Row is the number of a component within its kind.
type Row = layout.Row

// A Kind is a kind of component, or a mark.
type Kind = layout.Kind

// Create returns a component that is on no object yet. The error wraps [ErrFull], [ErrNoKind] or
// [ErrWalking]. It panics when k is a mark or packed.
func Create(s State, k Kind) (State, Row, error) {
	j := s.use()
	m := j.Find(k.Spec())
	switch {
	case j.fixed():
		return s, 0, ErrWalking
	case m == nil:
		return s, 0, kind.Missing(k.Spec(), gameobject.Nobody)
	}
	row, err := m.Create()
	if err != nil {
		return s, 0, err
	}
	return s.done(), row, nil
}

// Mount puts a created component on an object. The error wraps [ErrTwice], [ErrNoKind], [ErrDead],
// [ErrOutOfRange] or [ErrWalking]. It panics when row is not in use.
func Mount(s State, id GameObject, k Kind, row Row) (State, error) {
	m, err := s.use().change(id, k.Spec())
	if err != nil {
		return s, err
	}
	if err := m.Mount(id.Index(), row); err != nil {
		return s, err
	}
	return s.done(), nil
}

// Add creates a component of a kind and mounts it, or marks the object when k is a mark (the row is
// then 0); and of more kinds: of all of them or, when one is refused, of none. Row is that of k.
// The error wraps [ErrTwice], also for a kind that is given twice, [ErrFull], [ErrNoKind],
// [ErrDead], [ErrOutOfRange] or [ErrWalking].
func Add(s State, id GameObject, k Kind, more ...Kind) (State, Row, error) {
	if len(more) > 0 {
		return addKinds(s, id, k, more)
	}
	j := s.use()
	m := j.Find(k.Spec())
	if m == nil || j.fixed() || !j.Objects.Alive(id) {
		_, err := j.change(id, k.Spec())
		return s, 0, err
	}
	row, err := m.Add(id.Index())
	if err != nil {
		return s, 0, err
	}
	return s.done(), row, nil
}

// Remove disposes an object's component, or takes its mark away; and those of more kinds: all of
// them or, when one is refused, none. The components' rows are set back to the defaults. The error
// wraps [ErrRemove], also for a kind that is given twice, [ErrNoKind], [ErrDead], [ErrOutOfRange]
// or [ErrWalking].
func Remove(s State, id GameObject, k Kind, more ...Kind) (State, error) {
	if len(more) > 0 {
		return removeKinds(s, id, k, more)
	}
	j := s.use()
	m := j.Find(k.Spec())
	if m == nil || j.fixed() || !j.Objects.Alive(id) {
		_, err := j.change(id, k.Spec())
		return s, err
	}
	if err := m.Remove(id.Index()); err != nil {
		return s, err
	}
	return s.done(), nil
}

// Suspend takes an object's component away and keeps its row and values: [Add] brings them back,
// and with the object they go. A mark is just taken away. The error wraps [ErrRemove], [ErrNoKind],
// [ErrDead], [ErrOutOfRange] or [ErrWalking]. It panics when the kind is packed.
func Suspend(s State, id GameObject, k Kind) (State, error) {
	m, err := s.use().change(id, k.Spec())
	if err != nil {
		return s, err
	}
	if err := m.Suspend(id.Index()); err != nil {
		return s, err
	}
	return s.done(), nil
}

// Dispose is Remove by row, also of a component that is on no object. It panics when row is not in
// use, when the world has no such kind, and while a walk is open.
func Dispose(s State, k Kind, row Row) State {
	j := s.use()
	j.still()
	j.Manager(k.Spec()).Dispose(row)
	return s.done()
}

// Has reports whether an object is alive and has a component of a kind, or a mark.
func Has(s State, id GameObject, k Kind) bool {
	j := s.look()
	m := j.Find(k.Spec())
	return m != nil && j.Objects.Alive(id) && m.Has(id.Index())
}

// RowOf returns the row of an object's component. The error wraps [ErrAbsent],
// [ErrNoKind], [ErrDead] or [ErrOutOfRange].
func RowOf(s State, id GameObject, k Kind) (Row, error) {
	m, err := s.look().component(id, k.Spec())
	if err != nil {
		return 0, err
	}
	return m.Get(id.Index())
}

// ObjectOf returns the object that a component is on, if it is on one. It panics when row is not in
// use, or the world has no such kind.
func ObjectOf(s State, k Kind, row Row) (id GameObject, ok bool) {
	j := s.look()
	object, ok := j.Manager(k.Spec()).ObjectOf(row)
	if !ok {
		return gameobject.Nobody, false
	}
	return j.Objects.At(object), true
}

// All yields the rows of every mounted component of a kind, ascending. A mark has none: see
// [Query.Objects]. It panics when the world has
// no such kind. Components may not be mounted or disposed meanwhile.
func All(s State, k Kind) iter.Seq[Row] {
	return func(yield func(Row) bool) { s.look().Manager(k.Spec()).Each(yield) }
}

// component returns the manager of a kind, when id is alive.
func (j *job) component(id GameObject, k *layout.KindSpec) (*manager.Manager, error) {
	if !j.Objects.Alive(id) {
		return nil, j.refuse(id)
	}
	m := j.Find(k)
	if m == nil {
		return nil, kind.Missing(k, id)
	}
	return m, nil
}

//go:noinline
func (j *job) refuseChange(id GameObject) error {
	if j.fixed() {
		return ErrWalking
	}
	return j.refuse(id)
}

// change is component for changes of structure.
func (j *job) change(id GameObject, k *layout.KindSpec) (*manager.Manager, error) {
	if j.fixed() {
		return nil, ErrWalking
	}
	return j.component(id, k)
}
