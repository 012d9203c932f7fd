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
	j.setName(m, id, name)
	return s.done(), nil
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
