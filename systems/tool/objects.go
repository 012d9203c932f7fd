package tool

import (
	"strings"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// A ComponentUse describes one component of an object.
type ComponentUse struct {
	Kind      layout.Kind
	Row       layout.Row // 0 for a mark
	Suspended bool       // the object does not have it now, but keeps its values
}

// A WatcherUse describes a watcher in a world.
type WatcherUse struct {
	Rules   string // its rules, with the names of kinds
	Members int    // that matched at its last look
	Left    int    // reported by that look
	Entered int
}

// MaxUID returns the number of indexes that were ever used. In a world without recipes it is the
// index of the next new object.
func MaxUID(s systems.State) int { return systems.ArenaOf(s).Objects.High() }

// GameObjectAt returns the live object with an index. The error wraps [systems.ErrDead] or
// [systems.ErrOutOfRange].
func GameObjectAt(s systems.State, index uint32) (gameobject.ID, error) {
	a, t := systems.ArenaOf(s), systems.ToolsOf(s)
	if int64(index) >= int64(a.Objects.Cap()) {
		return gameobject.Nobody, t.Living(gameobject.MakeID(index, 1))
	}
	id := a.Objects.At(index)
	if !a.Objects.Alive(id) { // the id has the generation of the next object
		last := max(id.Generation(), 2) - 1
		return gameobject.Nobody, t.Living(gameobject.MakeID(index, last))
	}
	return id, nil
}

// ParseGameObject parses an id as %v prints it: "7", "7v3" from the second generation on, or
// "nobody". The error wraps [strconv.ErrSyntax] or [strconv.ErrRange].
func ParseGameObject(text string) (gameobject.ID, error) { return gameobject.ParseID(text) }

// FindGameObject returns the object that a text names: "7" is the live object at that index, "7v3"
// the object of that generation, alive or not, and "nobody" no object. It returns the errors of
// [ParseGameObject] or [GameObjectAt].
func FindGameObject(s systems.State, text string) (gameobject.ID, error) {
	id, err := ParseGameObject(text)
	if err != nil || id == gameobject.Nobody || strings.Contains(text, "v") {
		return id, err
	}
	return GameObjectAt(s, id.Index())
}

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

// MaskOf returns the numbers of the kinds and marks of an object (its signature elsewhere). The
// error wraps [systems.ErrDead] or [systems.ErrOutOfRange]. For many objects, see [FillMask].
func MaskOf(s systems.State, id gameobject.ID) (mask.Mask, error) {
	var m mask.Mask
	err := FillMask(&m, s, id)
	return m, err
}

// FillMask is [MaskOf] into an existing mask, which is reallocated only if it is too short. If it
// returns an error, dst is unchanged.
func FillMask(dst *mask.Mask, s systems.State, id gameobject.ID) error {
	t := systems.ToolsOf(s)
	if dst == nil {
		panic("flatecs: a nil *Mask cannot be filled; hand in the address of a mask.Mask")
	}
	if err := t.Living(id); err != nil {
		return err
	}
	dst.Clear()
	for m := range t.Arena.AmongNear(id.Index()) {
		if m.Has(id.Index()) {
			dst.Set(t.Arena.Slot(m.Kind))
		}
	}
	return nil
}

// ComponentsOf returns the components of an object, suspended ones included, in the order of the
// kinds' numbers. The error wraps [systems.ErrDead] or [systems.ErrOutOfRange]. It allocates.
func ComponentsOf(s systems.State, id gameobject.ID) ([]ComponentUse, error) {
	t := systems.ToolsOf(s)
	if err := t.Living(id); err != nil {
		return nil, err
	}
	var list []ComponentUse
	for m := range t.Arena.AmongNear(id.Index()) {
		row, ok := m.Blocks.HeldRow(id.Index())
		if m.Kind.Mark {
			row = 0
		}
		if ok {
			list = append(list, ComponentUse{m.Kind.Handle(), layout.Row(row), !m.Has(id.Index())})
		}
	}
	return list, nil
}

// ValueOf returns the bytes of a field of an object, or of a resource for [systems.Nobody], in
// place, and the tick of the last write to it or to one of the 63 rows around it. For a list it
// returns the elements, and the tick of the last write to them or to the list. It returns nil if
// the object is dead or does not have the component. Unlike [systems.Get] it may be called in a
// task on fields that another task writes: it is for tools that know when this is safe.
func ValueOf(s systems.State, f *layout.FieldSpec, id gameobject.ID) (value []byte, tick uint64) {
	if f == nil || f.Kind == nil {
		panic("flatecs: ValueOf of a field of no kind; give one that NewKind made part of one")
	}
	a := systems.ArenaOf(s)
	m, row := a.Find(f.Kind), layout.Row(0)
	if m == nil {
		return nil, 0
	}
	if id != gameobject.Nobody {
		ok := a.Objects.Alive(id)
		if ok {
			row, ok = m.RowOf(id.Index())
		}
		if !ok {
			return nil, 0
		}
	}
	value, tick = valueIn(m, f, row), m.Stamps.Of(uint32(row)>>6)
	if value == nil {
		value = []byte{} // an empty list
	}
	if h := manager.HeapOf(m, f); h != nil {
		tick = max(tick, h.ElementsTick(h.In(&m.Data, row)))
	}
	return value, tick
}

// FieldsOf returns the fields that a query reads, including optional ones, and the fields that it
// writes. It panics if q is the zero Query.
func FieldsOf(q systems.Query) (reads, writes []*layout.FieldSpec) { return systems.FieldsOf(q) }

// WatcherUses describes the watchers of a world, in the order of the counts. It allocates.
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
