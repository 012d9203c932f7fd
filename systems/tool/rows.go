package tool

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/values"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// A RowUse says what a row is used for.
type RowUse = manager.RowUse

// Uses of a row.
const (
	RowUnused    = manager.RowUnused    // disposed, kept for a slab, or never used
	RowMounted   = manager.RowMounted   // on an object
	RowLoose     = manager.RowLoose     // created, and on no object yet
	RowSuspended = manager.RowSuspended // keeps the values of an object
)

// RowUseOf returns what a row of a kind is used for, and the object that a mounted or suspended
// one belongs to. Any row may be asked for. It panics when the world has no such kind.
func RowUseOf(s systems.State, k layout.Kind, row layout.Row) (RowUse, gameobject.ID) {
	use, object := of(s, k).Use(row)
	if use == RowMounted || use == RowSuspended {
		return use, systems.ArenaOf(s).Objects.At(object)
	}
	return use, gameobject.Nobody
}

// AnyValueOf returns the value in a row of a [layout.Values] kind, or nil when it is none, or has
// no such row. It panics when the world has no such kind. It allocates.
func AnyValueOf(s systems.State, k layout.Kind, row layout.Row) any {
	m := of(s, k)
	if m.Values == nil || int(row) >= m.Cap() {
		return nil
	}
	return m.Values.Value(int(row))
}

// ValueColumn returns the values of a [layout.Values] kind, or of a [systems.Shared] one, a
// [values.Slice], and how many of its rows were ever used; nil when the world has no such kind.
func ValueColumn(s systems.State, k layout.Kind) (column values.Column, used int) {
	if m := systems.ArenaOf(s).Find(k.Spec()); m != nil && m.Values != nil {
		return m.Values, m.MaxIndex()
	}
	return nil, 0
}
