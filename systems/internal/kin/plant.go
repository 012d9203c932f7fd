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
	s.Pool.PlaceOf(v, "give the kind to the member's Kinds")
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

// A Plot is where a tree is planted.
type Plot struct {
	*manager.Arena
	Kin   *World
	Lists *Lists // of its relation; nil: the world does not have it, and the tree is one object
}

// Plant spawns an object of each seed, with its parent and its values, and more values for the
// first one, and appends them to dst. The error wraps gameobject.ErrTooMany, manager.ErrFull or
// ErrRing, or is of a reference to a dead object; then nothing has changed.
func (p Plot) Plant(
	dst []gameobject.ID, seeds []Seed, more []layout.FieldValue,
) ([]gameobject.ID, error) {
	if err := p.check(seeds, more); err != nil {
		return dst, err
	}
	first := len(dst)
	for i := range seeds {
		dst = append(dst, seeds[i].spawn(p.Arena))
	}
	planted := dst[first:]
	for i := range seeds {
		if parent := seeds[i].Parent; parent >= 0 {
			row, _ := p.Lists.m.RowOf(planted[i].Index())
			p.Lists.Write(planted[i].Index(), uint32(row), planted[parent])
		}
		p.setValues(planted, i, seeds[i].Values)
	}
	p.setValues(planted, 0, more)
	return dst, nil
}

// check returns an error if the seeds cannot be planted.
func (p Plot) check(seeds []Seed, more []layout.FieldValue) error {
	CheckSeeds(p.Lists, seeds, more)
	err := p.checkTargets(more)
	for i := range seeds {
		if err == nil {
			err = p.checkTargets(seeds[i].Values)
		}
	}
	if err == nil {
		err = checkRings(p.Lists, seeds, more)
	}
	if err != nil {
		return err
	}
	return checkRoom(p.Arena, len(seeds), func(i int, m *manager.Manager) bool {
		return seeds[i].has(m)
	})
}

// checkTargets returns an error if a reference of a relation is dead.
func (p Plot) checkTargets(values []layout.FieldValue) error {
	for i := range values {
		if values[i].Field.Relation == nil {
			continue
		}
		id := ReferenceOf(&values[i])
		if id != gameobject.Nobody && !isMember(id) && !p.Objects.Alive(id) {
			return p.Refuse(p.Objects.Check(id), id)
		}
	}
	return nil
}

// CheckSeeds panics if a seed lacks the kind of a value, or the relation to its parent, or a value
// names a member that there is not.
func CheckSeeds(l *Lists, seeds []Seed, more []layout.FieldValue) {
	for i := range seeds {
		if seeds[i].Parent >= 0 {
			seeds[i].CheckKind(l.m)
		}
		seeds[i].checkValues(seeds[i].Values, len(seeds))
	}
	seeds[0].checkValues(more, len(seeds))
}

func (s *Seed) checkValues(values []layout.FieldValue, n int) {
	for i := range values {
		s.CheckFills(&values[i])
		checkMembers(&values[i], n)
	}
}

// checkMembers panics if a value names a member that is not among n.
func checkMembers(v *layout.FieldValue, n int) {
	for _, at := range v.Field.Refs { // Members would move values to the heap
		id := *buffer.At[gameobject.ID](buffer.BaseOf(v.Bytes()[at:at+8]), 0)
		if isMember(id) && int64(id.Index()) >= int64(n) {
			panic(fmt.Sprintf("flatecs: a value of %s is member %d of a tree of %d; "+
				"count from 0, each before its children", v.Field.String(), id.Index(), n))
		}
	}
}

// setValues sets values of member of, of objects that were just spawned. They were checked.
func (p Plot) setValues(planted []gameobject.ID, of int, values []layout.FieldValue) {
	for i := range values {
		v := &values[i]
		m := p.Find(v.Field.Kind)
		row, _ := m.RowOf(planted[of].Index())
		if v.Field.Relation != nil {
			to := ReferenceOf(v)
			if isMember(to) {
				to = planted[to.Index()]
			}
			p.Kin.Of(v.Field.Relation).Write(planted[of].Index(), uint32(row), to)
			continue
		}
		c := &m.Columns[v.Field.Index]
		c.Set(int(row), v.Bytes())
		for id := range Members(c.Bytes[int(row)*c.Stride:][:c.Stride], v.Field.Refs) {
			*id = planted[id.Index()]
		}
		m.TouchRow(uint32(row))
	}
}
