package tool

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// A RowUse is the use of a row.
type RowUse = manager.RowUse

// Uses of a row.
const (
	RowUnused    = manager.RowUnused    // disposed, or never used
	RowMounted   = manager.RowMounted   // on an object
	RowLoose     = manager.RowLoose     // created, and on no object yet
	RowSuspended = manager.RowSuspended // keeps the values of an object that lost the component
)

// RowUseOf returns the use of a row of a kind, and the object of a mounted or suspended row. Any
// row is allowed. It panics if the world does not have the kind.
func RowUseOf(s systems.State, k layout.Kind, row layout.Row) (RowUse, gameobject.ID) {
	use, object := of(s, k).Rows.Use(row)
	if use == RowMounted || use == RowSuspended {
		return use, systems.ArenaOf(s).Objects.At(object)
	}
	return use, gameobject.Nobody
}

// AnyValueOf returns the value in a row of a [layout.Values] kind, or nil if the kind is not one,
// or the row is out of range. It panics if the world does not have the kind. It allocates.
func AnyValueOf(s systems.State, k layout.Kind, row layout.Row) any {
	m := of(s, k)
	if m.Data.Values == nil || int(row) >= m.Rows.Cap() {
		return nil
	}
	return m.Data.Values.Value(int(row))
}

// ValueColumn returns the values of a [layout.Values] kind or a [systems.Shared], as a
// [layout.ValueSlice], and how many of its rows were ever used. It returns nil if the world does
// not have the kind.
func ValueColumn(s systems.State, k layout.Kind) (column layout.ValueColumn, used int) {
	if m := systems.ArenaOf(s).Find(k.Spec()); m != nil && m.Data.Values != nil {
		return m.Data.Values, m.Rows.High()
	}
	return nil, 0
}
