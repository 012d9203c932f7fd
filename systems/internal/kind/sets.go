package kind

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

const (
	keptSets = 8
	// MaxSet is the most kinds of a stored set.
	MaxSet = 16
)

// Sets caches the managers of recently used sets of kinds. A sum over a set's kinds, in order,
// selects its place; a new set replaces an old one at the same place.
type Sets struct {
	list *[keptSets]set // nil: none was stored
	last uint32         // place that was found or stored last
}

type set struct {
	n        int
	kinds    [MaxSet]layout.Kind
	managers [MaxSet]*manager.Manager
}

// Again is Find for the list that was found or stored last. It returns false for a list that names
// kinds by their fields, too.
func (s *Sets) Again(kinds []layout.AnyKind) (managers []*manager.Manager, ok bool) {
	if s.list == nil {
		return nil, false
	}
	x := &s.list[s.last%keptSets]
	if x.n != len(kinds) || x.n > MaxSet {
		return nil, false
	}
	for i, k := range x.kinds[:x.n] {
		if a, ok := kinds[i].(layout.Kind); !ok || a != k {
			return nil, false
		}
	}
	return x.managers[:x.n], true
}

// Find returns the managers of a list of kinds, if they were stored: then the world has each of
// them, without duplicates.
func (s *Sets) Find(kinds []layout.Kind) (managers []*manager.Manager, ok bool) {
	if s.list == nil {
		return nil, false
	}
	at := place(kinds)
	x := &s.list[at]
	if x.n != len(kinds) || !slices.Equal(x.kinds[:x.n], kinds) {
		return nil, false
	}
	s.last = at
	return x.managers[:x.n], true
}

// Room empties the place for the managers of kinds, and returns it.
func (s *Sets) Room(kinds []layout.Kind) []*manager.Manager {
	if s.list == nil {
		s.list = new([keptSets]set)
	}
	x := &s.list[place(kinds)]
	x.n = 0
	return x.managers[:0]
}

// Keep stores the managers of a list of kinds, which are in their Room.
func (s *Sets) Keep(kinds []layout.Kind) {
	if len(kinds) <= MaxSet {
		s.last = place(kinds)
		x := &s.list[s.last]
		x.n = copy(x.kinds[:], kinds)
	}
}

// place returns the place of a list of kinds.
func place(kinds []layout.Kind) (sum uint32) {
	for _, k := range kinds {
		sum = sum*5 + k.Spec().Number
	}
	return sum % keptSets
}
