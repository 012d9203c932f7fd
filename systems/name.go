package systems

import (
	"errors"
	"fmt"
	"iter"
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// MaxName is the maximum length of a name, in bytes of UTF-8.
const MaxName = 63

// ErrName is the error of a name that is too long or not valid UTF-8.
var ErrName = errors.New("a name is UTF-8 of at most 63 bytes")

// NameKind is the kind of names. A name is a component: objects with a name match With(NameKind),
// and do not match [Only] of other kinds.
var NameKind = layout.NewKind("name", nameText, nameHash, nameOrder)

var (
	nameText  = layout.NewField[[1 + MaxName]uint8]("text") // length, bytes
	nameHash  = layout.NewField("hash", hashOf(""))
	nameOrder = layout.NewField[uint64]("order") // in which objects were first named, from 1
	lastName  = layout.NewField[uint64]("last")  // the last order given out
	naming    = NewResource("order of names", lastName)
)

var errNoNames = fmt.Errorf("flatecs: this world has no names; set Counts.Names: %w", ErrNoKind)

// SetName sets the name of an object. Several objects may have the same name. The empty name is a
// name too; to remove a name, [Remove] [NameKind]. The error wraps [ErrName], [ErrFull], [ErrDead],
// [ErrOutOfRange], [ErrWalking], or [ErrNoKind] if the world has no names.
func SetName(s State, id GameObject, name string) (State, error) {
	j := s.use()
	m, err := j.names(id)
	switch {
	case err != nil:
		return s, err
	case j.fixed():
		return s, ErrWalking
	}
	if err := nameable(m, id, name); err != nil {
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
	return func(yield func(GameObject) bool) { s.look().eachNamed(name, yield) }
}

// names returns the manager of names. id must be alive.
func (j *job) names(id GameObject) (*manager.Manager, error) {
	if err := j.alive(id); err != nil {
		return nil, err
	}
	m := j.Find(NameKind.Spec())
	if m == nil {
		return nil, errNoNames
	}
	return m, nil
}

// nameable returns nil if an object can get a name.
func nameable(m *manager.Manager, id GameObject, name string) error {
	switch {
	case len(name) > MaxName:
		return fmt.Errorf("flatecs: name of game object %v: %.20q… has %d bytes; shorten it: %w",
			id, name, len(name), ErrName)
	case !utf8.ValidString(name):
		return fmt.Errorf("flatecs: name of game object %v: %q is not UTF-8; encode it: %w",
			id, name, ErrName)
	case m.Live() == m.Cap() && !m.Has(id.Index()):
		return fmt.Errorf("flatecs: name of game object %v: all %d are in use; "+
			"raise Counts.Names: %w", id, m.Cap(), ErrFull)
	}
	return nil
}

// setName sets the name of an object for which nameable returned nil.
func (j *job) setName(m *manager.Manager, id GameObject, name string) {
	row, named := m.RowOf(id.Index())
	if !named {
		row, _ = m.Add(id.Index())
		order := j.resource(naming.kind.Spec())
		order.Touch(0, 1)
		last := at(order, lastName, 0)
		*last++
		*at(m, nameOrder, row) = *last
	}
	text := at(m, nameText, row)
	text[0] = uint8(len(name))
	clear(text[1+copy(text[1:], name):])
	*at(m, nameHash, row) = hashOf(name)
	m.Touch(uint32(row), 1)
}

// nameOf returns the bytes of an object's name, in place.
func (j *job) nameOf(id GameObject) ([]byte, error) {
	m, err := j.names(id)
	if err != nil {
		return nil, err
	}
	row, err := m.Get(id.Index())
	if err != nil {
		return nil, err
	}
	return nameIn(at(m, nameText, row)), nil
}

// nameIn returns the name stored in a row of text.
func nameIn(text *[1 + MaxName]uint8) []byte { return text[1:][:min(text[0], MaxName)] }

// hashOf returns the FNV-1a hash of a name.
func hashOf(name string) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}
