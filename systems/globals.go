package systems

import "github.com/flatecs/flatecs/systems/internal/globals"

// GlobalKind is the kind of global ids, for package world/pack, which documents it and the
// functions of this file.
var GlobalKind = globals.Kind

// Errors of global ids.
var (
	ErrGlobal = globals.ErrRange // a global id is not between 1 and 2⁶³−1
	ErrTaken  = globals.ErrTaken // another object has the global id
)

// GlobalOf returns the global id of an object, or 0 if it got none yet. The error wraps
// [ErrAbsent], [ErrDead], [ErrOutOfRange], or [ErrNoKind] if the world has no global ids.
func GlobalOf(s State, id GameObject) (uint64, error) {
	m, err := s.look().component(id, GlobalKind.Spec())
	if err != nil {
		return 0, err
	}
	return globals.Of(m, id.Index())
}

// SetGlobal gives an object a global id. The error wraps [ErrGlobal], [ErrTaken], [ErrFull],
// [ErrDead], [ErrOutOfRange], [ErrWalking], or [ErrNoKind] if the world has no global ids.
func SetGlobal(s State, id GameObject, global uint64) (State, error) {
	m, err := s.use().changeable(id, GlobalKind.Spec())
	if err != nil {
		return s, err
	}
	if err := globals.Check(m, id, global); err != nil {
		return s, err
	}
	globals.Set(m, id.Index(), global)
	return s.done(), nil
}

// ByGlobal returns the object that has a global id. It panics if the world has no global ids.
func ByGlobal(s State, global uint64) (GameObject, bool) {
	j := s.look()
	m := j.Find(GlobalKind.Spec())
	if m == nil {
		panic(globals.ErrNone.Error())
	}
	return globals.Find(m, global)
}

// NextGlobal makes a global id from that of a parent, and counts it in the parent. The errors are
// those of [GlobalOf], and [ErrGlobal] if the parent's is 0, or [ErrWalking].
func NextGlobal(s State, parent GameObject) (State, uint64, error) {
	j := s.use()
	m, err := j.changeable(parent, GlobalKind.Spec())
	if err != nil {
		return s, 0, err
	}
	number, err := globals.Of(m, parent.Index())
	if err == nil {
		err = globals.CheckParent(parent, number)
	}
	if err != nil {
		return s, 0, err
	}
	number = globals.Next(m, parent.Index())
	return s.done(), number, nil
}

// Globals returns the global ids of a batch's objects, in place: do not write to them. It panics if
// the batch's query does not read [GlobalKind].
func Globals(b Batch) []uint64 { return Column(b, globals.Number) }
