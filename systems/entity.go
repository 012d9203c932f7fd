package systems

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

// Ensure returns the row of an object's component of a kind, which is added when the object has
// none. Its errors are those of [Add], without [ErrTwice].
func Ensure(s State, id GameObject, k Kind) (State, Row, error) {
	m, err := s.use().change(id, k.Spec())
	if err != nil {
		return s, 0, err
	}
	if !m.Has(id.Index()) {
		return Add(s, id, k)
	}
	row, err := m.Get(id.Index())
	return s, row, err
}

// Renew gives an object a component of a kind with the defaults: one that it has, or that is kept
// for it by [Suspend], is removed before. Its errors are those of [Add], without [ErrTwice].
func Renew(s State, id GameObject, k Kind) (State, Row, error) {
	m, err := s.use().change(id, k.Spec())
	if err != nil {
		return s, 0, err
	}
	m.Drop(id.Index())
	return Add(s, id, k)
}

// fewKinds are added or removed in one call without an allocation.
const fewKinds = 8

// addKinds is [Add] of several kinds.
//
//go:noinline
func addKinds(s State, id GameObject, k Kind, more []Kind) (State, Row, error) {
	kinds := append(append(make([]Kind, 0, fewKinds), k), more...)
	j := s.use()
	if j.fixed() || !j.Objects.Alive(id) {
		return s, 0, j.refuseChange(id)
	}
	if err := j.addable(id, kinds); err != nil {
		return s, 0, err
	}
	j.addEach(id, kinds)
	m := j.Manager(k.Spec())
	if m.Kind.Mark {
		return s.done(), 0, nil
	}
	row, err := m.Get(id.Index())
	return s.done(), row, err
}

// CreateWith creates an object with a component or mark of each of kinds, or nothing when one is
// refused. The error wraps [ErrTooMany], [ErrTwice] for a kind that is given twice, [ErrFull],
// [ErrNoKind] or [ErrWalking]. To create many of the same kinds, see [Spawn].
func CreateWith(s State, kinds ...layout.AnyKind) (State, GameObject, error) {
	j := s.use()
	var few [16]Kind
	all := kind.Append(few[:0], "CreateWith", kinds)
	if j.fixed() {
		return s, gameobject.Nobody, ErrWalking
	}
	if err := j.addable(gameobject.Nobody, all); err != nil {
		return s, gameobject.Nobody, err
	}
	s, id, err := CreateGameObject(s)
	if err == nil {
		j.addEach(id, all)
	}
	return s, id, err
}

// removeKinds is [Remove] of several kinds.
//
//go:noinline
func removeKinds(s State, id GameObject, k Kind, more []Kind) (State, error) {
	kinds := append(append(make([]Kind, 0, fewKinds), k), more...)
	j := s.use()
	if j.fixed() || !j.Objects.Alive(id) {
		return s, j.refuseChange(id)
	}
	for i, k := range kinds {
		m := j.Find(k.Spec())
		switch {
		case m == nil:
			return s, kind.Missing(k.Spec(), id)
		case slices.Contains(kinds[:i], k):
			return s, givenTwice(ErrRemove, k, id, m.Cap())
		case !m.Has(id.Index()):
			return s, &Error{Err: ErrRemove, Kind: k.String(), ID: id, Count: m.Cap()}
		}
	}
	for _, k := range kinds {
		j.Manager(k.Spec()).Drop(id.Index())
	}
	return s.done(), nil
}

// addable returns nil when an object, or a new one, can get a component of each of kinds.
func (j *job) addable(id GameObject, kinds []Kind) error {
	for i, k := range kinds {
		m := j.Find(k.Spec())
		if m == nil {
			return kind.Missing(k.Spec(), id)
		}
		if slices.Contains(kinds[:i], k) {
			return givenTwice(ErrTwice, k, id, m.Cap())
		}
		var b manager.Block // of a new object
		if id != gameobject.Nobody {
			b = m.Blocks[id.Index()>>6]
		}
		switch bit := uint64(1) << (id.Index() & 63); {
		case b.Present&bit != 0:
			return &Error{Err: ErrTwice, Kind: k.String(), ID: id, Count: m.Cap()}
		case !m.Kind.Mark && m.Live() == m.Cap() && b.Suspended&bit == 0:
			return &Error{Err: ErrFull, Kind: k.String(), ID: id, Count: m.Cap()}
		}
	}
	return nil
}

// addEach adds kinds that are addable.
func (j *job) addEach(id GameObject, kinds []Kind) {
	for _, k := range kinds {
		_, _ = j.Manager(k.Spec()).Add(id.Index())
	}
}

//go:noinline
func givenTwice(err error, k Kind, id GameObject, rows int) error {
	return fmt.Errorf("systems: %s is given twice in one call; give each kind once: %w",
		k, &Error{Err: err, Kind: k.String(), ID: id, Count: rows})
}
