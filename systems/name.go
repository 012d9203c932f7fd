package systems

import (
	"errors"
	"fmt"
	"iter"
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// MaxName is the largest length of a name, in bytes of UTF-8.
const MaxName = 63

// ErrName is the error of a name that is too long, or no UTF-8.
var ErrName = errors.New("a name is UTF-8 of at most 63 bytes")

// NameKind is the kind of names. A name is a component: objects with one match With(NameKind), and
// only without that do they match [Only] other kinds.
var NameKind = layout.NewKind("name", nameText, nameHash, nameOrder)

var (
	nameText  = layout.NewField[[1 + MaxName]uint8]("text") // length, bytes
	nameHash  = layout.NewField("hash", hashOf(""))
	nameOrder = layout.NewField[uint64]("order") // in which objects were first named, from 1
	lastName  = layout.NewField[uint64]("last")  // order that was given last
	naming    = NewResource("order of names", lastName)
)

var errNoNames = fmt.Errorf("systems: this world has no names; set Counts.Names: %w", ErrNoKind)

// SetName gives an object a name, or another one. Several objects may have the same. The empty name
// is a name too; to take a name away, [Remove] [NameKind]. The error wraps [ErrName], [ErrFull],
// [ErrDead], [ErrOutOfRange], [ErrWalking], or [ErrNoKind] when the world has no names.
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
	return func(yield func(GameObject) bool) { s.look().eachNamed(name, yield) }
}

// names returns the manager of names, when id is alive.
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

// nameable returns nil when an object can get a name.
func nameable(m *manager.Manager, id GameObject, name string) error {
	switch {
	case len(name) > MaxName:
		return fmt.Errorf("systems: name of game object %v: %.20q… has %d bytes; shorten it: %w",
			id, name, len(name), ErrName)
	case !utf8.ValidString(name):
		return fmt.Errorf("systems: name of game object %v: %q is not UTF-8; encode it: %w",
			id, name, ErrName)
	case m.Live() == m.Cap() && !m.Has(id.Index()):
		return fmt.Errorf("systems: name of game object %v: all %d are in use; "+
			"raise Counts.Names: %w", id, m.Cap(), ErrFull)
	}
	return nil
}

// setName sets the name of an object that can get it.
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

// nameIn returns the name in a row of text.
func nameIn(text *[1 + MaxName]uint8) []byte { return text[1:][:min(text[0], MaxName)] }

// hashOf is FNV-1a.
func hashOf(name string) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}
