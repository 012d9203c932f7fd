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

// Write sets the reference of an object, in its row. The caller has checked it.
func (l *Lists) Write(object, row uint32, id gameobject.ID) {
	known, reference := l.isKnown(), &l.references()[row]
	was := *reference
	*reference = id
	if l.m.TouchRow(row); known {
		l.note(object, was, id)
	}
}

// CheckRing returns an error if a reference of object to target would close a ring. A recorded id
// stands for the object that resolve returns.
func (l *Lists) CheckRing(
	object uint32, target gameobject.ID, resolve func(gameobject.ID) gameobject.ID,
) error {
	if !l.Tree || target == gameobject.Nobody || target.Recorded() {
		return nil
	}
	leaf := l.isLeaf(object)
	for at, steps := target, 0; at != gameobject.Nobody && !at.Recorded(); steps++ {
		if at.Index() == object {
			return fmt.Errorf("flatecs: %s: %w", l.ring(object, target.Index()), ErrRing)
		}
		if steps == climbed {
			l.list()
			leaf = l.isLeaf(object)
		}
		if leaf {
			return nil // nobody is below it
		}
		if at = l.Reference(at.Index()); at.Recorded() && resolve != nil {
			at = resolve(at)
		}
	}
	return nil
}

// climbed is how far CheckRing climbs before it pays to find out whether the object is a leaf.
const climbed = 64

// isLeaf reports whether nobody refers to an object, as far as that is known.
func (l *Lists) isLeaf(object uint32) bool {
	return l.isKnown() && l.targeted[object>>6]>>(object&63)&1 == 0
}

// ringShown is the most objects of a ring that an error lists.
const ringShown = 8

// ring describes the ring that a reference of object to target closes.
func (l *Lists) ring(object, target uint32) string {
	ids := []string{l.m.Objects.At(object).String()}
	for at := target; at != object && len(ids) < ringShown; {
		ids = append(ids, l.m.Objects.At(at).String())
		at = l.Reference(at).Index()
	}
	if len(ids) == ringShown {
		ids = append(ids, "…")
	}
	return layout.Quoted(l.m.Kind.Name) + " " + strings.Join(append(ids, ids[0]), " → ")
}
