package systems

import (
	"iter"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/names"
)

// SetName gives an object a name, or another one. Several objects may have the same. The empty name
// is a name too; to take a name away, [Remove] [NameKind]. The error wraps [ErrName], [ErrFull],
// [ErrDead], [ErrOutOfRange], [ErrWalking], or [ErrNoKind] when the world has no names.
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
	j.setName(m, id, name)
	return s.done(), nil
}

// CreateNamed creates an object with a name, or nothing when one of both is refused. The error
// wraps [ErrTooMany], [ErrName], [ErrFull], [ErrWalking], or [ErrNoKind] when the world has no
// names.
func CreateNamed(s State, name string) (State, GameObject, error) {
	j := s.use()
	m := j.Find(NameKind.Spec())
	if m == nil {
		return s, gameobject.Nobody, names.ErrNone
	}
	if err := names.Check(m, gameobject.Nobody, name); err != nil {
		return s, gameobject.Nobody, err
	}
	s, id, err := CreateGameObject(s)
	if err == nil {
		j.setName(m, id, name)
	}
	return s, id, err
}

// NameOf returns an object's name, in memory of its own; [AppendName] takes no memory. The error
// wraps [ErrAbsent] when the object has no name, which is not the empty one, [ErrDead],
// [ErrOutOfRange], or [ErrNoKind] when the world has no names.
func NameOf(s State, id GameObject) (string, error) {
	text, err := s.look().nameOf(id)
	return string(text), err
}

// AppendName appends an object's name to dst. Its errors are those of [NameOf].
func AppendName(dst []byte, s State, id GameObject) ([]byte, error) {
	text, err := s.look().nameOf(id)
	return append(dst, text...), err
}

// Named yields the objects of a name, in the order in which they were first named: that of their
// creation, when each is named as it is created. A change of name does not change the order; a copy
// comes where the original does. Objects that have the name now are yielded if they have it still
// when it is their turn: the world may be changed meanwhile. It panics when the world has no names.
func Named(s State, name string) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) {
		j := s.look()
		j.root().searches.Each(j.Arena, name, yield)
	}
}

// namesFor returns the manager of names, when id is alive.
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

// setName sets the name of an object that can get it.
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
