package kin

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// A Seed is an object of a tree to be spawned.
type Seed struct {
	Pool   *structure.Pool    // nil: the object has the further kinds alone
	More   []*manager.Manager // of further kinds, which the pool does not have
	Values []layout.FieldValue
	Parent int // its parent's place in the list, before its own; negative: none
}

// has reports whether the object has a kind.
func (s *Seed) has(m *manager.Manager) bool {
	return s.Pool != nil && s.Pool.Has(m) || slices.Contains(s.More, m)
}

// CheckFills reports whether the kind of a value is one of the pool. It panics if the object does
// not have it.
func (s *Seed) CheckFills(v *layout.FieldValue) (ofPool bool) {
	_ = v.Bytes() // panics for the zero value
	for _, m := range s.More {
		if m.Kind == v.Field.Kind {
			return false
		}
	}
	if s.Pool == nil {
		panic("flatecs: a member of a tree has no kind with field " + v.Field.Name +
			"; add the kind to its Kinds")
	}
	s.Pool.CheckFills(v)
	return true
}

// CheckKind panics if the object does not have a kind.
func (s *Seed) CheckKind(m *manager.Manager) {
	switch {
	case s.has(m):
	case s.Pool == nil:
		panic("flatecs: a member of a tree has no kind " + m.Kind.Name + "; add it to its Kinds")
	default:
		s.Pool.CheckKind(m)
	}
}

// spawn creates the object, for which there is room.
func (s *Seed) spawn(a *manager.Arena) (id gameobject.ID) {
	if s.Pool != nil {
		id, _ = s.Pool.Spawn(a)
	} else {
		id, _ = structure.Create(a)
	}
	manager.AddEach(s.More, id.Index())
	return id
}

// Member stands for the object at a place in a list of seeds. It panics if there can be none.
func Member(n int) gameobject.ID {
	if n < 0 || n > math.MaxInt32 {
		panic(fmt.Sprintf("flatecs: no tree has a member %d; count from 0", n))
	}
	return gameobject.MakeRecorded(uint32(n), gameobject.Members)
}

// isMember reports whether an id stands for an object of a list of seeds.
func isMember(id gameobject.ID) bool {
	return id.Recorded() && id.Origin() == gameobject.Members
}

// Members yields the members among the references in a value, in place.
func Members(value []byte, refs []int) iter.Seq[*gameobject.ID] {
	return func(yield func(*gameobject.ID) bool) {
		for _, at := range refs {
			id := buffer.At[gameobject.ID](buffer.BaseOf(value[at:at+8]), 0)
			if isMember(*id) && !yield(id) {
				return
			}
		}
	}
}

// Plant spawns an object of each seed, with its parent and its values, and more values for the
// first one, and appends them to dst. The error wraps gameobject.ErrTooMany or manager.ErrFull, or
// is of a reference to a dead object; then nothing has changed.
func (w *World) Plant(
	dst []gameobject.ID, l *Lists, seeds []Seed, more []layout.FieldValue,
) ([]gameobject.ID, error) {
	for i := range seeds {
		if err := w.checkSeed(l, &seeds[i], len(seeds)); err != nil {
			return dst, err
		}
	}
	if err := w.checkValues(&seeds[0], more, len(seeds)); err != nil {
		return dst, err
	}
	has := func(i int, m *manager.Manager) bool { return seeds[i].has(m) }
	if err := w.checkRoom(len(seeds), has); err != nil {
		return dst, err
	}
	defer func() { w.queue = w.queue[:0] }()
	for i := range seeds {
		w.queue = append(w.queue, seeds[i].spawn(w.a).Index())
	}
	for i := range seeds {
		if p := seeds[i].Parent; p >= 0 {
			row, _ := l.m.RowOf(w.queue[i])
			l.Write(uint32(row), w.a.Objects.At(w.queue[p]))
		}
		w.setValues(w.queue[i], seeds[i].Values)
	}
	w.setValues(w.queue[0], more)
	for i := range w.queue {
		dst = append(dst, w.planted(uint32(i)))
	}
	return dst, nil
}

// checkSeed checks what a seed says, in a list of n.
func (w *World) checkSeed(l *Lists, seed *Seed, n int) error {
	if seed.Parent >= 0 {
		seed.CheckKind(l.m)
	}
	return w.checkValues(seed, seed.Values, n)
}

// checkValues returns an error if a reference of a relation is dead. It panics if a seed has not
// the kind of a value, or a value names a member that is not among n.
func (w *World) checkValues(seed *Seed, values []layout.FieldValue, n int) error {
	for i := range values {
		v := &values[i]
		seed.CheckFills(v)
		for _, at := range v.Field.Refs { // Members would move values to the heap
			id := *buffer.At[gameobject.ID](buffer.BaseOf(v.Bytes()[at:at+8]), 0)
			if isMember(id) && int64(id.Index()) >= int64(n) {
				panic(fmt.Sprintf("flatecs: a value of %s is member %d of a tree of %d; "+
					"count from 0, each before its children", v.Field, id.Index(), n))
			}
		}
		if v.Field.Relation == nil {
			continue
		}
		id := *buffer.At[gameobject.ID](buffer.BaseOf(v.Bytes()), 0)
		if id != gameobject.Nobody && !isMember(id) && !w.a.Objects.Alive(id) {
			return w.a.Refuse(w.a.Objects.Check(id), id)
		}
	}
	return nil
}

// setValues sets values of an object that was just spawned.
func (w *World) setValues(object uint32, values []layout.FieldValue) {
	for i := range values {
		v := &values[i]
		m := w.a.Find(v.Field.Kind)
		row, _ := m.RowOf(object)
		c := &m.Columns[v.Field.Index]
		if v.Field.Relation != nil {
			w.setReference(w.Of(v.Field.Relation), object, uint32(row), v)
			continue
		}
		c.Set(int(row), v.Bytes())
		for id := range Members(c.Bytes[int(row)*c.Stride:][:c.Stride], v.Field.Refs) {
			*id = w.planted(id.Index())
		}
		m.TouchRow(uint32(row))
	}
}

// planted returns the object of a seed.
func (w *World) planted(n uint32) gameobject.ID { return w.a.Objects.At(w.queue[n]) }

func (w *World) setReference(l *Lists, object, row uint32, v *layout.FieldValue) {
	id := *buffer.At[gameobject.ID](buffer.BaseOf(v.Bytes()), 0)
	if isMember(id) {
		id = w.planted(id.Index())
	}
	if err := l.CheckRing(object, id, nil); err != nil {
		panic(err.Error())
	}
	l.Write(row, id)
}
