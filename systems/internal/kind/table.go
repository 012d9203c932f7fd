// Package kind finds the managers of a world's kinds, and explains why a kind is not found.
//
//	manager   0 … OnObjects-1                     OnObjects …
//	of        kinds that objects may have         resources, then rings of events:
//	          Counts.Kinds in order, then names   on no object, every row in use
package kind

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/names"
)

// Closed explains why a closed world has no kinds.
const Closed = "flatecs: the world of these commands was closed; record before Close"

// A Table is the managers of one world.
type Table struct {
	Arena     *manager.Arena
	OnObjects int // number of managers of kinds that objects can have

	Relations Relations // of the world
}

// Relations are the relations of a world; see package kin.
type Relations interface {
	// Referring returns the set of objects with a target, or nil.
	Referring(r *layout.RelationSpec) manager.Held

	// Unreferring returns the set of objects without a target, with or without the component, or
	// nil.
	Unreferring(r *layout.RelationSpec) manager.Held
}

// Place returns the place of a kind's manager. It panics if objects cannot have the kind.
func (t *Table) Place(k *layout.KindSpec) int {
	place := t.Arena.Slot(k)
	if uint(place) >= uint(t.OnObjects) {
		panic(t.Unknown(k))
	}
	return place
}

// Manager returns the manager of a kind that objects may have. It panics like Place.
func (t *Table) Manager(k *layout.KindSpec) *manager.Manager {
	return &t.Arena.Managers[t.Place(k)]
}

// Unknown explains why objects cannot have a kind.
func (t *Table) Unknown(k *layout.KindSpec) string {
	switch {
	case t.Arena.Bytes == nil: // the world was closed
		return Closed
	case t.Arena.Slot(k) >= 0:
		return "flatecs: " + k.Name + " " + manager.ErrBeside.Error()
	case k == names.Kind.Spec(), k == names.GlobalKind.Spec(), k.Beside != "":
		return Missing(k, gameobject.Nobody).Error()
	}
	if clash := Clash(t.Arena, k); clash != nil {
		return clash.Text
	}
	return "flatecs: this world has no kind " + k.Name + "; name it in Counts.Kinds"
}

// Clash returns an error if a world lacks a kind and has another kind with the same name, or nil.
// Kinds from a file do not count.
func Clash(a *manager.Arena, k *layout.KindSpec) *manager.PlainError {
	for i := range a.Managers {
		if other := a.Managers[i].Kind; other.Name == k.Name && other.Place == 0 {
			return manager.ClashOf(other, k)
		}
	}
	return nil
}

// Missing returns the error of a call for an object and a kind that the world does not have.
//
//go:noinline
func Missing(k *layout.KindSpec, id gameobject.ID) error {
	if k == names.Kind.Spec() {
		return names.ErrNone
	}
	if k == names.GlobalKind.Spec() {
		return names.ErrNoGlobals
	}
	err := manager.ErrNoKind
	if k.Beside != "" {
		err = manager.ErrBeside
	}
	return &manager.Error{Err: err, Kind: k.Name, ID: id}
}
