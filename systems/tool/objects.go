package tool

import (
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems"
)

// A ComponentUse is one component of an object.
type ComponentUse struct {
	Kind      layout.Kind
	Row       layout.Row // 0 when the kind is a mark
	Suspended bool       // its values are kept for the object, which has it not now
}

// A WatcherUse is the memory of a watcher.
type WatcherUse struct {
	Rules   string // what it watches, by the kinds' names
	Members int    // at its last look
	Left    int    // that look found
	Entered int
}

// MaxUID returns how many indexes were ever used, up to the highest: in a world without recipes the
// index of the next new object.
func MaxUID(s systems.State) int { return systems.ArenaOf(s).Objects.High() }

// GameObjectAt returns the live object at an index, or an error that wraps [systems.ErrDead] or
// [systems.ErrOutOfRange].
func GameObjectAt(s systems.State, index uint32) (gameobject.ID, error) {
	a := systems.ArenaOf(s)
	if int64(index) >= int64(a.Objects.Cap()) {
		return gameobject.Nobody, a.Living(gameobject.MakeID(index, 1))
	}
	id := a.Objects.At(index)
	if !a.Objects.Alive(id) { // its generation is that of the next one
		last := max(id.Generation(), 2) - 1
		return gameobject.Nobody, a.Living(gameobject.MakeID(index, last))
	}
	return id, nil
}

// ParseGameObject returns the object that an id's text names, as %v prints it: "7", from the second
// generation on "7v3", or "nobody". The error wraps [strconv.ErrSyntax] or [strconv.ErrRange].
func ParseGameObject(text string) (gameobject.ID, error) { return gameobject.ParseID(text) }

// KindsOf returns the names of the kinds that an object has, in the order of the world's counts.
// The error wraps [systems.ErrDead] or [systems.ErrOutOfRange]. It allocates.
func KindsOf(s systems.State, id gameobject.ID) ([]string, error) {
	components, err := ComponentsOf(s, id)
	var names []string
	for _, c := range components {
		if !c.Suspended {
			names = append(names, c.Kind.Spec().Name)
		}
	}
	return names, err
}

// MaskOf returns the numbers of the kinds and marks that an object has (its signature elsewhere).
// The error wraps [systems.ErrDead] or [systems.ErrOutOfRange]. To ask for many, see [FillMask].
func MaskOf(s systems.State, id gameobject.ID) (mask.Mask, error) {
	var m mask.Mask
	err := FillMask(&m, s, id)
	return m, err
}

// FillMask is [MaskOf] in the words of a mask that there is already: only one that is too short for
// the object's kinds is allocated anew. After an error dst is as it was.
func FillMask(dst *mask.Mask, s systems.State, id gameobject.ID) error {
	return systems.ArenaOf(s).Mask(dst, id)
}

// ComponentsOf returns what an object has, and what is kept for it, in the order of the kinds'
// numbers. The error wraps [systems.ErrDead] or [systems.ErrOutOfRange]. It allocates.
func ComponentsOf(s systems.State, id gameobject.ID) ([]ComponentUse, error) {
	a := systems.ArenaOf(s)
	if err := a.Living(id); err != nil {
		return nil, err
	}
	var list []ComponentUse
	for m := range a.Among(id.Index() >> 6) {
		if row, use := m.RowKept(id.Index()); use != RowUnused {
			list = append(list, ComponentUse{m.Kind.Handle(), row, use == RowSuspended})
		}
	}
	return list, nil
}

// WatcherUses returns the memories of a world's watchers, in the order of the counts. It allocates.
func WatcherUses(s systems.State) []WatcherUse {
	a := systems.ArenaOf(s)
	uses := make([]WatcherUse, len(a.Watchers))
	for i := range uses {
		w := &a.Watchers[i]
		uses[i] = WatcherUse{Rules: w.Rules(), Members: w.Count()}
		count := func(n *int) func(gameobject.ID) bool {
			return func(gameobject.ID) bool { *n++; return true }
		}
		w.Left(count(&uses[i].Left))
		w.Entered(count(&uses[i].Entered))
	}
	return uses
}
