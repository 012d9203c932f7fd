package kin

import (
	"errors"
	"fmt"
	"strings"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// ErrRing is the error of a reference of a tree that would close a ring.
var ErrRing = errors.New("a tree has no rings; refer to an object that is not below this one")

// CheckRing returns an error if a reference of object to target would close a ring. resolve returns
// the object of a recorded id.
func (l *Lists) CheckRing(
	object uint32, target gameobject.ID, resolve func(gameobject.ID) gameobject.ID,
) error {
	if !l.Tree || target == gameobject.Nobody || target.Recorded() {
		return nil
	}
	leaf := l.IsLeaf(object)
	for at, steps := target, 0; at != gameobject.Nobody && !at.Recorded(); steps++ {
		if at.Index() == object {
			return fmt.Errorf("flatecs: %s: %w", l.ring(object, target.Index()), ErrRing)
		}
		if steps == climbed {
			l.List()
			leaf = l.IsLeaf(object)
		}
		if leaf {
			return nil // nothing is below it
		}
		if at = l.Reference(at.Index()); at.Recorded() && resolve != nil {
			at = resolve(at)
		}
	}
	return nil
}

// climbed is the distance after which CheckRing tests whether the object is a leaf.
const climbed = 64

// ringShown is the most objects of a ring that an error lists.
const ringShown = 8

// ring describes the ring that a reference from object to target closes.
func (l *Lists) ring(object, target uint32) string {
	ids := []string{l.M.Objects.At(object).String()}
	for at := target; at != object && len(ids) < ringShown; {
		ids = append(ids, l.M.Objects.At(at).String())
		at = l.Reference(at).Index()
	}
	if len(ids) == ringShown {
		ids = append(ids, "…")
	}
	return layout.Quoted(l.M.Kind.Name) + " " + strings.Join(append(ids, ids[0]), " → ")
}
