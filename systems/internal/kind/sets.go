package kind

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

const (
	keptSets = 8
	// MaxSet is the most kinds of a set that is kept.
	MaxSet = 16
)

// Sets are the managers of some sets of kinds that were asked for: a place for each by a sum over
// its kinds, in their order. One that reaches the place of another takes it.
type Sets struct {
	list *[keptSets]set // nil: none was asked for
	last uint32         // that was found or kept
}

type set struct {
	n        int
	kinds    [MaxSet]layout.Kind
	managers [MaxSet]*manager.Manager
}

// Again is Find for the list that was found or kept last. It is false for a list that names kinds
// by their fields, too.
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

// Find returns the managers of a list of kinds, if they were kept: then the world has each of them,
// and none is there twice.
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

// Room forgets what was kept where the managers of kinds would be, and returns that place, empty.
func (s *Sets) Room(kinds []layout.Kind) []*manager.Manager {
	if s.list == nil {
		s.list = new([keptSets]set)
	}
	x := &s.list[place(kinds)]
	x.n = 0
	return x.managers[:0]
}

// Keep keeps the managers of a list of kinds, if they are in their Room.
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
