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
	Pool   *structure.Pool    // nil: the object has only the further kinds
	More   []*manager.Manager // of further kinds, which the pool does not have
	Values []layout.FieldValue
	Parent int // index of its parent in the list, before its own; negative: no parent
}

// has reports whether the object has a kind.
func (s *Seed) has(m *manager.Manager) bool {
	return s.Pool != nil && s.Pool.Has(m) || slices.Contains(s.More, m)
}

// CheckFills reports whether the kind of a value belongs to the pool. It panics if the object does
// not have the kind.
func (s *Seed) CheckFills(v *layout.FieldValue) (ofPool bool) {
	if v.Field == nil || v.Field.List == nil {
		_ = v.Bytes() // panics for the zero value
	}
	for _, m := range s.More {
		if m.Kind == v.Field.Kind {
			return false
		}
	}
	if s.Pool == nil {
		panic("flatecs: a member of a tree has no kind with field " + v.Field.Name +
			"; add the kind to its Kinds")
	}
	s.Pool.PlaceOf(v.Field, "give the kind to the member's Kinds")
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

// spawn creates the object. The caller has checked the room.
func (s *Seed) spawn(a *manager.Arena) (id gameobject.ID) {
	if s.Pool != nil {
		id, _ = s.Pool.Spawn(a)
	} else {
		id, _ = structure.Create(a)
	}
	manager.AddEach(s.More, id.Index())
	return id
}

// Member returns an id that stands for the object at index n of the seeds. It panics if n is out of
// range.
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

// A Plot is the place of a tree that is planted.
type Plot struct {
	Arena *manager.Arena
	Kin   *World
	Lists *Lists // of its relation; nil: the world does not have it, and the tree is one object
	*Beside
}

// Beside is scratch memory of plots.
type Beside struct {
	planted  planted  // the objects
	sizes    []uint32 // of lists
	elements []byte   // a copy; the values themselves would escape to the heap
}

// Plant spawns an object for each seed, with its parent and its values, and more values for the
// first one, and appends their ids to dst. The error wraps gameobject.ErrTooMany, manager.ErrFull,
// ErrRing, or an error of a reference to a dead object; then nothing has changed.
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
	p.planted = append(p.planted[:0], dst[first:]...)
	for i, id := range p.planted {
		if parent := seeds[i].Parent; parent >= 0 {
			row, _ := p.Lists.M.RowOf(id.Index())
			p.Lists.Write(id.Index(), uint32(row), p.planted[parent])
		}
		p.setValues(id.Index(), seeds[i].Values)
	}
	p.setValues(p.planted[0].Index(), more)
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
	err = checkRoom(p.Arena, len(seeds), func(i int, m *manager.Manager) bool {
		return seeds[i].has(m)
	})
	if err != nil {
		return err
	}
	return p.checkLists(seeds, more)
}

// checkLists returns an error if there is no room for the elements of lists: the recipes' elements,
// then the elements in values, which replace them.
func (p Plot) checkLists(seeds []Seed, more []layout.FieldValue) error {
	for k := range p.Arena.Managers {
		for _, l := range p.Arena.Managers[k].Data.Heaps {
			p.sizes = p.sizes[:0]
			for i := range seeds {
				n := 0
				if seeds[i].Pool != nil {
					n = seeds[i].Pool.First(l)
				}
				p.sizes = append(p.sizes, uint32(n))
			}
			for i := range seeds {
				n := p.replace(l, p.sizes[i], seeds[i].Values)
				if i == 0 {
					p.replace(l, n, more)
				}
			}
			if err := l.Fit(p.sizes); err != nil {
				return err
			}
		}
	}
	return nil
}

// replace notes that values replace n elements of a list, and returns its new number of elements.
func (p Plot) replace(l manager.Lists, n uint32, values []layout.FieldValue) uint32 {
	for i := range values {
		if f := l.Of(); values[i].Field == f {
			p.sizes = append(p.sizes, n|manager.Freed)
			n = uint32(len(values[i].Elements()) / f.List.Element.Stride)
			p.sizes = append(p.sizes, n)
		}
	}
	return n
}

// checkTargets returns an error if a reference of a relation is dead.
func (p Plot) checkTargets(values []layout.FieldValue) error {
	for i := range values {
		if values[i].Field.Relation == nil {
			continue
		}
		id := ReferenceOf(&values[i])
		if id != gameobject.Nobody && !isMember(id) && !p.Arena.Objects.Alive(id) {
			return manager.RefuseID(p.Arena, p.Arena.Objects.Check(id), id)
		}
	}
	return nil
}

// CheckSeeds panics if a seed lacks the kind of a value or the relation to its parent, or if a
// value names a member that does not exist.
func CheckSeeds(l *Lists, seeds []Seed, more []layout.FieldValue) {
	for i := range seeds {
		if seeds[i].Parent >= 0 {
			seeds[i].CheckKind(l.M)
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

// checkMembers panics if a value names a member outside the n members.
func checkMembers(v *layout.FieldValue, n int) {
	value, one := bytesOf(v)
	for ; len(value) > 0; value = value[one.Stride:] {
		for _, at := range one.Refs { // Members would make values escape to the heap
			id := *buffer.At[gameobject.ID](buffer.BaseOf(value[at:at+8]), 0)
			if isMember(id) && int64(id.Index()) >= int64(n) {
				panic(fmt.Sprintf("flatecs: a value of %s is member %d of a tree of %d; "+
					"count from 0, each before its children", v.Field.String(), id.Index(), n))
			}
		}
	}
}

// bytesOf returns the bytes of a value and its field, or the elements of a list and their field.
func bytesOf(v *layout.FieldValue) ([]byte, *layout.FieldSpec) {
	if l := v.Field.List; l != nil {
		return v.Elements(), l.Element
	}
	return v.Bytes(), v.Field
}

// setValues sets checked values of an object that was just planted.
func (p Plot) setValues(object uint32, values []layout.FieldValue) {
	for i := range values {
		v := &values[i]
		m := p.Arena.Find(v.Field.Kind)
		row, _ := m.RowOf(object)
		if v.Field.Relation != nil {
			to := ReferenceOf(v)
			p.planted.Redirect(&to)
			p.Kin.Of(v.Field.Relation).Write(object, uint32(row), to)
			continue
		}
		if v.Field.List != nil {
			l := manager.ListsOf(m, v.Field)
			l.Reset(&m.Data, row)
			p.elements = append(p.elements[:0], v.Elements()...)
			_ = l.Add(m, row, object, p.elements) // there is room
			l.EachID(m, row, &p.planted)
			continue
		}
		c := &m.Data.Columns[v.Field.Index]
		c.Set(int(row), v.Bytes())
		for id := range Members(c.Bytes[int(row)*c.Stride:][:c.Stride], v.Field.Refs) {
			p.planted.Redirect(id)
		}
		m.Stamps.TouchRow(uint32(row))
	}
}

// planted are the objects of a tree.
type planted []gameobject.ID

// Redirect replaces a member by its object.
func (p *planted) Redirect(id *gameobject.ID) {
	if isMember(*id) {
		*id = (*p)[id.Index()]
	}
}
