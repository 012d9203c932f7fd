package systems

import (
	"iter"

	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/names"
)

// SetName sets the name of an object. Several objects may have the same name. The empty name is a
// name too; to remove a name, [Remove] [NameKind]. The error wraps [ErrName], [ErrFull], [ErrDead],
// [ErrOutOfRange], [ErrWalking], or [ErrNoKind] if the world has no names.
func SetName(s State, id GameObject, name string) (State, error) {
	j := s.use()
	m, err := j.namesFor(id)
	switch {
	case err != nil:
		return s, err
	case j.fixed():
		return s, ErrWalking
	}
	if err := names.Check(m, id, name); err != nil {
		return s, err
	}
	had := m.Has(id.Index())
	if j.setName(m, id, name); had {
		return s.done(), nil
	}
	return s.reshaped(), nil
}

// NameOf returns the name of an object, as a new string; [AppendName] does not allocate. The error
// wraps [ErrAbsent] if the object has no name (which is not the empty name), [ErrDead],
// [ErrOutOfRange], or [ErrNoKind] if the world has no names.
func NameOf(s State, id GameObject) (string, error) {
	text, err := s.look().nameOf(id)
	return string(text), err
}

// AppendName appends an object's name to dst. Its errors are those of [NameOf].
func AppendName(dst []byte, s State, id GameObject) ([]byte, error) {
	text, err := s.look().nameOf(id)
	return append(dst, text...), err
}

// Named yields the objects with a name, in the order in which they were first named. Renaming does
// not change the order; a copied object has the place of its original. The world may be changed
// during the loop: an object that loses the name before its turn is skipped. It panics if the world
// has no names.
func Named(s State, name string) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) {
		j := s.look()
		j.root().searches.Each(j.Arena, name, yield)
	}
}

// namesFor returns the manager of names. id must be alive.
func (j *job) namesFor(id GameObject) (*manager.Manager, error) {
	if err := j.alive(id); err != nil {
		return nil, err
	}
	m := j.Find(NameKind.Spec())
	if m == nil {
		return nil, names.ErrNone
	}
	return m, nil
}

// setName sets the name of an object for which names.Check returned nil.
func (j *job) setName(m *manager.Manager, id GameObject, text string) {
	names.Set(m, j.Find(names.Order.Spec()), id.Index(), text)
}

// nameOf returns the bytes of an object's name, in place.
func (j *job) nameOf(id GameObject) ([]byte, error) {
	m, err := j.namesFor(id)
	if err != nil {
		return nil, err
	}
	return names.Of(m, id.Index())
}

// GlobalKind is the kind of global ids, for package world/pack, which documents it and the
// functions of this file.
var GlobalKind = names.GlobalKind

// Errors of global ids.
var (
	ErrGlobal = names.ErrRange // a global id is not between 1 and 2⁶³−1
	ErrTaken  = names.ErrTaken // another object has the global id
)

// GlobalOf returns the global id of an object, or 0 if it got none yet. The error wraps
// [ErrAbsent], [ErrDead], [ErrOutOfRange], or [ErrNoKind] if the world has no global ids.
func GlobalOf(s State, id GameObject) (uint64, error) {
	m, err := s.look().component(id, GlobalKind.Spec())
	if err != nil {
		return 0, err
	}
	return names.GlobalOf(m, id.Index())
}

// SetGlobal gives an object a global id. The error wraps [ErrGlobal], [ErrTaken], [ErrFull],
// [ErrDead], [ErrOutOfRange], [ErrWalking], or [ErrNoKind] if the world has no global ids.
func SetGlobal(s State, id GameObject, global uint64) (State, error) {
	m, err := s.use().changeable(id, GlobalKind.Spec())
	if err != nil {
		return s, err
	}
	if err := names.CheckGlobal(m, id, global); err != nil {
		return s, err
	}
	had := m.Has(id.Index())
	if names.SetGlobal(m, id.Index(), global); had {
		return s.done(), nil
	}
	return s.reshaped(), nil
}

// ByGlobal returns the object that has a global id. It panics if the world has no global ids.
func ByGlobal(s State, global uint64) (GameObject, bool) {
	j := s.look()
	m := j.Find(GlobalKind.Spec())
	if m == nil {
		panic(names.ErrNoGlobals.Error())
	}
	return names.FindGlobal(m, global)
}

// NextGlobal makes a global id from that of a parent, and counts it in the parent. The errors are
// those of [GlobalOf], and [ErrGlobal] if the parent's is 0, or [ErrWalking].
func NextGlobal(s State, parent GameObject) (State, uint64, error) {
	j := s.use()
	m, err := j.changeable(parent, GlobalKind.Spec())
	if err != nil {
		return s, 0, err
	}
	number, err := names.GlobalOf(m, parent.Index())
	if err == nil {
		err = names.CheckParent(parent, number)
	}
	if err != nil {
		return s, 0, err
	}
	number = names.NextGlobal(m, parent.Index())
	return s.done(), number, nil
}

// NewGlobal gives an object a global id, unless it has one, and returns that. The error wraps
// [ErrFull], [ErrDead], [ErrOutOfRange], [ErrWalking], or [ErrNoKind] if the world has no global
// ids.
func NewGlobal(s State, id GameObject) (State, uint64, error) {
	j := s.use()
	m, err := j.changeable(id, GlobalKind.Spec())
	if err != nil {
		return s, 0, err
	}
	if number, err := names.GlobalOf(m, id.Index()); err == nil && number != 0 {
		return s, number, nil
	}
	seed := uint64(0)
	if j.counts.Seed != 0 {
		seed = *at(j.random(), randomSeed, 0)
	}
	number := names.NewGlobal(m, id, seed)
	s, err = SetGlobal(s, id, number)
	if err != nil {
		return s, 0, err
	}
	return s, number, nil
}

// Globals returns the global ids of a batch's objects, in place: do not write to them. It panics if
// the batch's query does not read [GlobalKind].
func Globals(b Batch) []uint64 { return Column(b, names.GlobalNumber) }
