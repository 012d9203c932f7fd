package structure

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
)

// Create creates an object without components.
func Create(a *manager.Arena) (gameobject.ID, error) {
	id, err := a.Objects.Create(0)
	if err != nil {
		return gameobject.Nobody, manager.RefuseID(a, err, id)
	}
	return id, nil
}

// Copy creates an object with the kinds, marks and values of another. It returns the errors of
// [Twin], or an error that wraps manager.ErrFull.
func Copy(a *manager.Arena, id gameobject.ID) (gameobject.ID, error) {
	if !a.Objects.Alive(id) {
		return gameobject.Nobody, manager.RefuseID(a, a.Objects.Check(id), id)
	}
	var err error
	eachKind(a, id.Index(), func(m *manager.Manager) {
		if m.Left() == 0 {
			err = &manager.Error{
				Err: manager.ErrFull, Kind: m.Kind.Name, ID: id, Count: m.Rows.Cap(),
			}
		}
		if full := manager.CheckLists(m, id.Index()); full != nil {
			err = full
		}
	})
	if err != nil {
		return gameobject.Nobody, err
	}
	if a.Objects.Left() == 0 {
		return gameobject.Nobody, manager.RefuseID(a, gameobject.ErrTooMany, gameobject.Nobody)
	}
	twin, err := Twin(a, id.Index())
	if err == nil {
		CopyTo(a, twin.Index(), id.Index())
	}
	return twin, err
}

// Twin creates an object without components, for a copy of an object. It returns an error of
// package gameobject.
func Twin(a *manager.Arena, object uint32) (gameobject.ID, error) {
	pool := a.Objects.PoolOf(object)
	if twin, ok := a.Objects.Take(pool); ok {
		return twin, nil
	}
	return a.Objects.Create(pool)
}

// CopyTo gives a twin the kinds, marks and values of an object. The caller has checked the room.
func CopyTo(a *manager.Arena, twin, object uint32) {
	eachKind(a, object, func(m *manager.Manager) { m.Copy(twin, object) })
}

// eachKind calls f with the manager of each kind that an object has, except a keyed kind, because
// no two objects have the same key.
func eachKind(a *manager.Arena, object uint32, f func(*manager.Manager)) {
	for m := range a.AmongNear(object) {
		if m.Has(object) && m.Keys == nil {
			f(m)
		}
	}
}
