package manager

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// Column returns the values of a field, one per row, in place; see [Data.Shown]. It panics if
// the field is of another kind.
func Column[T any](m *Manager, f layout.Field[T]) []T {
	spec := f.Spec()
	if spec.Kind != m.Kind {
		panic("flatecs: field " + spec.Name + " is of another kind than " + m.Kind.Name)
	}
	return buffer.Rows[T](&m.Data.Columns[spec.Index], 0, m.Data.Shown())
}

// Values is the manager of a [layout.Values] kind: ordinary rows, and a Go value for each.
type Values[T any] struct {
	*Manager
	rows []T
}

// ValuesOf returns m as the manager of v. It panics if m manages another kind.
func ValuesOf[T any](m *Manager, v layout.Values[T]) Values[T] {
	return Values[T]{mustBe(m, v.Kind()), m.Data.Values.(*layout.ValueSlice[T]).Rows}
}

// At returns a pointer to the value of object. The error wraps [ErrAbsent].
func (v Values[T]) At(object uint32) (*T, error) {
	row, err := v.Get(object)
	if err != nil {
		return nil, err
	}
	return &v.rows[row], nil
}

// Set sets the value of object. The error wraps [ErrAbsent].
func (v Values[T]) Set(object uint32, value T) error {
	row, err := v.Get(object)
	if err != nil {
		return err
	}
	v.rows[row] = value
	v.Stamps.TouchRow(uint32(row))
	return nil
}
