package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// Values returns the lanes of one field of an object's component, in place: they may be written
// until the next change of structure or the next tick, and count as written now. To read many, see
// [Open]. The error wraps [ErrAbsent], [ErrNoKind], [ErrDead], [ErrOutOfRange] or [ErrWalking].
func Values[T layout.Element](s State, id GameObject, f layout.Field[T]) ([]T, error) {
	j := s.look()
	m, row, err := j.locate(id, f.Spec())
	switch {
	case err != nil:
		return nil, err
	case j.whole != nil:
		return nil, ErrWalking
	}
	m.Touch(uint32(row), 1)
	return lanes[T](m, f.Spec(), row), nil
}

// Value returns a copy of the first lane of one field of an object's component. Its errors are
// those of [Values].
func Value[T layout.Element](s State, id GameObject, f layout.Field[T]) (value T, err error) {
	m, row, err := s.look().locate(id, f.Spec())
	if err != nil {
		return value, err
	}
	return lanes[T](m, f.Spec(), row)[0], nil
}

// locate returns the manager and the row of a field of an object.
func (j *job) locate(id GameObject, f *layout.FieldSpec) (*manager.Manager, Row, error) {
	m, err := j.component(id, f.Kind)
	if err != nil {
		return nil, 0, err
	}
	if j.depth != 0 && j.held(f) {
		return nil, 0, ErrWalking
	}
	row, err := m.Get(id.Index())
	return m, row, err
}

// Lanes returns the lanes of one field of one row, in place, as [Values] does. It panics when row
// is not in use, when the world has no such kind, and while a walk that writes the field is open.
func Lanes[T layout.Element](s State, f layout.Field[T], row Row) []T {
	j := s.look()
	m := j.find(f.Spec().Kind)
	j.own(f.Spec())
	m.ObjectOf(row) // panics
	m.Touch(uint32(row), 1)
	return lanes[T](m, f.Spec(), row)
}

func lanes[T layout.Element](m *manager.Manager, f *layout.FieldSpec, row Row) []T {
	return buffer.Span[T](m.Columns[f.Index].Base, int(row)*f.Lanes, f.Lanes)
}

// View returns a field of every row of its kind, used or not, in place, to be read: lanes elements
// per row. What is written through it counts as changed only after [Touch]. It panics when the
// world has no such kind, and while a walk that writes the field is open.
func View[T layout.Element](s State, f layout.Field[T]) []T {
	j := s.look()
	j.free(f.Spec())
	return manager.Column(j.find(f.Spec().Kind), f)
}

// Touch notes that n rows of a kind from row on were written in place. It panics when they are not
// rows of the kind, or the world has no such kind.
func Touch(s State, k Kind, row Row, n int) State {
	j := s.use()
	j.still()
	m := j.find(k.Spec())
	if n < 0 || int64(n) > int64(m.Cap())-int64(row) {
		panic(fmt.Sprintf("systems: rows %d to %d of %s: it has %d; touch rows that were written",
			row, int64(row)+int64(n), k, m.Cap()))
	}
	m.Touch(uint32(row), uint32(n))
	return s.done()
}

// ValueOf returns an object's value of a [layout.Values] kind. Its errors are those of [Values].
func ValueOf[T any](s State, id GameObject, v layout.Values[T]) (T, error) {
	m, err := s.look().component(id, v.Kind().Spec())
	if err != nil {
		var zero T
		return zero, err
	}
	p, err := manager.ValuesOf(m, v).At(id.Index())
	if err != nil {
		var zero T
		return zero, err
	}
	return *p, nil
}

// SetValue sets an object's value of a [layout.Values] kind; copies of the world keep theirs. Its
// errors are those of [Values].
func SetValue[T any](s State, id GameObject, v layout.Values[T], value T) (State, error) {
	m, err := s.use().component(id, v.Kind().Spec())
	if err != nil {
		return s, err
	}
	if s.use().whole != nil {
		return s, ErrWalking
	}
	if err := manager.ValuesOf(m, v).Set(id.Index(), value); err != nil {
		return s, err
	}
	return s.done(), nil
}

// UpdateValues sets every mounted value of a [layout.Values] kind to f of it, rows ascending. It
// panics when the world has no such kind.
func UpdateValues[T any](s State, v layout.Values[T], f func(T) T) State {
	s.use().still()
	if f == nil {
		panic("systems: UpdateValues without a function; give one that returns each value's next")
	}
	manager.ValuesOf(s.use().find(v.Kind().Spec()), v).Update(f)
	return s.done()
}
