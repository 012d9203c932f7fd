package kin

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// A sketch is a world of objects that refer to each other by one relation.
type sketch struct {
	*World
	l *Lists
	m *manager.Manager
}

var (
	sketchOrder = layout.NewField[uint32]("sketchOrder", 1)
	sketched    = map[string]layout.Field[gameobject.ID]{
		"clear":   layout.NewRelation("clear", layout.Relation{}),
		"cascade": layout.NewRelation("cascade", layout.Relation{Tree: true, Disposed: layout.Cascade}),
		"refuse":  layout.NewRelation("refuse", layout.Relation{Tree: true, Disposed: layout.Refuse}),
		"order":   layout.NewRelation("order", layout.Relation{Order: sketchOrder}),
	}
)

// sketchOf returns a world with room for n objects.
func sketchOf(relation layout.Field[gameobject.ID], n int) *sketch {
	return sketchIn(manager.NewArena(manager.Sizes{
		Objects: n, Kinds: []layout.Count{relation.Kind().Count(n)},
	}))
}

// sketchIn returns a world in an arena, of which nobody has asked anything.
func sketchIn(a *manager.Arena, err error) *sketch {
	if err != nil {
		panic(err)
	}
	w, err := New(a)
	if err != nil {
		panic(err)
	}
	return &sketch{w, w.lists[0], &a.Managers[0]}
}

func (s *sketch) end() {
	s.Free()
	s.a.Free()
}

func (s *sketch) alive(object uint32) bool {
	return s.a.Objects.Alive(s.a.Objects.At(object)) && int(object) < s.a.Objects.High()
}

func (s *sketch) create() {
	if id, err := structure.Create(s.a); err == nil {
		_, _ = s.m.Add(id.Index())
	}
}

// set makes an object refer to another one, or to nobody if that is the same.
func (s *sketch) set(object, target uint32) {
	row, ok := s.m.RowOf(object)
	id := gameobject.Nobody
	if target != object {
		id = s.a.Objects.At(target)
	}
	if ok && (target == object || s.alive(target)) && s.l.CheckRing(object, id, nil) == nil {
		s.l.Write(object, uint32(row), id)
	}
}

func (s *sketch) add(object uint32) {
	if s.alive(object) {
		_, _ = s.m.Add(object)
	}
}

func (s *sketch) suspend(object uint32) {
	if s.m.Has(object) {
		_ = s.m.Suspend(object)
	}
}

func (s *sketch) copy(object uint32) {
	if s.alive(object) {
		_, _ = structure.Copy(s.a, s.a.Objects.At(object))
	}
}

func (s *sketch) place(object, place uint32) {
	if row, ok := s.m.RowOf(object); ok && s.l.Order != nil {
		s.m.TouchRow(uint32(row))
		*buffer.At[uint32](s.m.Columns[s.l.Order.Index].Base, int(row)) = place
	}
}

func (s *sketch) dispose(object uint32) {
	switch {
	case !s.alive(object):
	case s.Targeted(object):
		s.Begin()
		s.Add(object, 0)
		_ = s.Dispose()
	default:
		structure.Dispose(s.a, object)
	}
}

// wrong compares every answer with what references say.
func (s *sketch) wrong() string {
	high := uint32(s.a.Objects.High())
	for t := range high {
		id := s.a.Objects.At(t)
		var want, got []uint32
		held, holds := false, false
		for o := range high {
			held = held || s.alive(o) && s.alive(t) && s.l.Reference(o) == id
			if s.alive(o) && s.alive(t) && s.l.Refers(o, id) {
				want = append(want, o)
			}
		}
		slices.SortFunc(want, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(s.l.placeOf(a), s.l.placeOf(b)), cmp.Compare(a, b))
		})
		n := s.l.Count(id)
		s.l.Each(id, func(c gameobject.ID) bool {
			if s.a.Objects.Alive(c) {
				got = append(got, c.Index())
			}
			return true
		})
		if n != len(want) || !slices.Equal(want, got) {
			return fmt.Sprint(want, " refer to ", id, ", not ", got, ", and ", n, " are counted")
		}
		if all, ok := s.l.Of(id); ok && !slices.Equal(want, all) {
			return fmt.Sprint(want, " refer to ", id, ", not all of ", all)
		}
		if s.alive(t) {
			holds = s.Targeted(t)
		}
		if held != holds {
			return fmt.Sprint("some refer to ", id, ": ", held, ", not ", holds)
		}
	}
	return s.wrongLevels(high)
}

// wrongLevels is wrong for those who refer to one, and their depths.
func (s *sketch) wrongLevels(high uint32) string {
	s.l.Hold()
	depth := func(o uint32) (d int) {
		for id := s.l.Reference(o); id != gameobject.Nobody && s.m.Has(o); d++ {
			o = id.Index()
			id = s.l.Reference(o)
		}
		return d
	}
	want := make([][]uint32, high+1)
	for o := range high {
		refers := s.alive(o) && s.m.Has(o) && s.l.Reference(o) != gameobject.Nobody
		if held := s.l.Held(o>>6)>>(o&63)&1 != 0; held != refers {
			return fmt.Sprint(o, " refers to one: ", refers, ", not ", held)
		}
		if s.l.Tree && refers {
			want[depth(o)] = append(want[depth(o)], o)
		}
	}
	if s.l.Tree {
		for d := 1; d <= s.l.Levels(); d++ {
			if got, _ := s.l.Level(d); !slices.Equal(want[d], got) {
				return fmt.Sprint(want[d], " are at depth ", d, ", not ", got)
			}
		}
	}
	return ""
}
