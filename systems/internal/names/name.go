// Package names stores the names of objects, and their global ids ([GlobalKind]): the layout of
// their rows, setting them, and finding the objects with a name.
//
//	name    text 64 bytes: length, UTF-8, zeros    hash FNV-1a of it    order 1 …
//	last    the last order that was given: a resource, one row
//
// A name is a component of [Kind]. A search looks up the hash, compares texts, and sorts the
// results by order, the order in which objects were first named. Scratch lists for searches are
// outside the world's bytes, and are reused.
package names

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// Max is the largest length of a name, in bytes of UTF-8.
const Max = 63

// ErrText is the error of a name that is too long, or not valid UTF-8.
var ErrText = errors.New("a name is UTF-8 of at most 63 bytes")

// ErrNone is the error of a world without names.
var ErrNone = fmt.Errorf("flatecs: this world has no names: %w Set Counts.Names",
	manager.ErrNoKind)

// Kind is the kind of names; Order is the resource with the last order that was given.
var (
	Kind  = layout.NewKind("name", texts, hashes, orders)
	Order = layout.NewKind("order of names", last)
)

var (
	texts  = layout.NewField[[1 + Max]uint8]("text") // length, bytes
	hashes = layout.NewField("hash", hashOf(""))
	orders = layout.NewField[uint64]("order") // in which objects were first named, from 1
	last   = layout.NewField[uint64]("last")  // the last order that was given
)

// Check returns nil if an object can get a name.
func Check[T string | []byte](m *manager.Manager, id gameobject.ID, name T) error {
	switch {
	case len(name) > Max:
		return fmt.Errorf("flatecs: name of game object %v: %.20q… has %d bytes: %w; shorten it",
			id, name, len(name), ErrText)
	case !valid(name):
		return fmt.Errorf("flatecs: name of game object %v: %q is not UTF-8: %w; encode it",
			id, name, ErrText)
	case m.Live() == m.Rows.Cap() && !holds(m, id):
		return fmt.Errorf("flatecs: name of game object %v: all %d are in use: %w "+
			"Raise Counts.Names", id, m.Rows.Cap(), manager.ErrFull)
	}
	return nil
}

// holds reports whether an object has a component, or keeps it suspended: it needs no room then.
func holds(m *manager.Manager, id gameobject.ID) bool {
	_, ok := m.Blocks.HeldRow(id.Index())
	return ok
}

func valid[T string | []byte](name T) bool {
	switch name := any(name).(type) {
	case string:
		return utf8.ValidString(name)
	case []byte:
		return utf8.Valid(name)
	}
	return false
}

// Set gives an object a name that [Check] accepts; order is the manager of [Order].
func Set[T string | []byte](m, order *manager.Manager, object uint32, name T) {
	row, named := m.RowOf(object)
	if !named {
		row, _ = m.Add(object)
	}
	if at := &manager.Column(m, orders)[row]; *at == 0 { // else it had a name, maybe suspended
		order.Stamps.TouchRow(0)
		given := &manager.Column(order, last)[0]
		*given++
		*at = *given
	}
	text := &manager.Column(m, texts)[row]
	text[0] = uint8(len(name))
	clear(text[1+copy(text[1:], name):])
	manager.Column(m, hashes)[row] = hashOf(name)
	m.Stamps.TouchRow(uint32(row))
}

// Of returns the bytes of an object's name, in place.
func Of(m *manager.Manager, object uint32) ([]byte, error) {
	row, err := m.Get(object)
	if err != nil {
		return nil, err
	}
	return inText(&manager.Column(m, texts)[row]), nil
}

// Verify returns an error for the first invalid name, for loaded bytes.
func Verify(m *manager.Manager) error {
	text, hash := manager.Column(m, texts), manager.Column(m, hashes)
	for row, n := range m.Rows.Runs {
		for ; n > 0; row, n = row+1, n-1 {
			t := &text[row]
			if name := inText(t); t[0] > Max || !utf8.Valid(name) ||
				hash[row] != hashOf(name) {
				return fmt.Errorf("flatecs: name in row %d: %q is not valid, or its hash is wrong",
					row, *t)
			}
		}
	}
	return nil
}

// inText returns the name stored in a row of text.
func inText(text *[1 + Max]uint8) []byte { return text[1:][:min(text[0], Max)] }

// hashOf returns the FNV-1a hash of a name.
func hashOf[T string | []byte](name T) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}
