package kin

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// A sketch is a world of three objects that refer to each other by one relation, with room for a
// fourth one.
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

// begin returns a world in which objects 1 and 2 refer to object 0, which refers to nobody; its
// lists were derived.
func begin(relation layout.Field[gameobject.ID]) *sketch {
	a, err := manager.NewArena(manager.Sizes{
		Objects: 4, Kinds: []layout.Count{relation.Kind().Count(4)},
	})
	if err != nil {
		panic(err)
	}
	w, err := New(a)
	if err != nil {
		panic(err)
	}
	s := &sketch{w, w.lists[0], &a.Managers[0]}
	for range 3 {
		s.create()
	}
	s.set(1, 0)
	s.set(2, 0)
	s.l.list()
	return s
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

// A deed is one of the operations of which all sequences are tried.
type deed struct {
	name string
	do   func(s *sketch)
}

// deeds returns all of them: 40.
func deeds() (list []deed) {
	add := func(do func(s *sketch), format string, args ...any) {
		list = append(list, deed{fmt.Sprintf(format, args...), do})
	}
	for o := range uint32(3) {
		for t := range uint32(3) {
			add(func(s *sketch) { s.set(o, t) }, "set %d %d", o, t)
		}
		add(func(s *sketch) { s.set(o, 3) }, "set %d 3", o)
		add(func(s *sketch) {
			if s.alive(o) {
				_, _ = s.m.Add(o)
			}
		}, "add %d", o)
		add(func(s *sketch) { s.m.Drop(o) }, "drop %d", o)
		add(func(s *sketch) { s.dispose(o) }, "dispose %d", o)
		add(func(s *sketch) {
			if s.m.Has(o) {
				_ = s.m.Suspend(o)
			}
		}, "suspend %d", o)
	}
	for o := range uint32(2) {
		add(func(s *sketch) { s.place(o, 2-2*o) }, "place %d", o)
		add(func(s *sketch) {
			if s.alive(o) {
				_, _ = structure.Copy(s.a, s.a.Objects.At(o))
			}
		}, "copy %d", o)
	}
	add((*sketch).create, "create")
	add(func(s *sketch) { _, _ = structure.Create(s.a) }, "create bare")
	add(func(s *sketch) { s.set(3, 0) }, "set 3 0")
	add(func(s *sketch) { s.dispose(3) }, "dispose 3")
	add(func(s *sketch) { s.m.Tidy() }, "tidy")
	add(func(s *sketch) { s.a.Overwritten() }, "overwrite")
	add(func(s *sketch) { s.l.Count(s.a.Objects.At(0)) }, "count")
	add(func(s *sketch) {
		for o := range uint32(4) {
			s.l.Each(s.a.Objects.At(o), func(gameobject.ID) bool { return true })
		}
	}, "each")
	add(func(s *sketch) {
		if s.l.Tree {
			s.l.Levels()
		}
	}, "levels")
	add(func(s *sketch) { s.l.Hold() }, "hold")
	add(func(s *sketch) { // as a walk by depth does before a change in it
		s.l.Each(s.a.Objects.At(0), func(id gameobject.ID) bool {
			s.set(id.Index(), 1)
			s.l.Count(s.a.Objects.At(1))
			return true
		})
	}, "each set")
	add(func(s *sketch) { s.Targeted(1) }, "targeted")
	return list
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
	var want [4][]uint32
	for o := range high {
		refers := s.alive(o) && s.m.Has(o) && s.l.Reference(o) != gameobject.Nobody
		if held := s.l.Held(0)>>o&1 != 0; held != refers {
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

// TestEverySequence carries out all sequences of operations on three objects: of three, and of four
// at length, in a few minutes.
func TestEverySequence(t *testing.T) {
	length := 2
	switch {
	case os.Getenv("FLATECS_FULL") != "" && !testing.Short():
		length = 4
	case !testing.Short():
		length = 3
	}
	all := deeds()
	if len(all) != 40 {
		t.Fatalf("%d operations", len(all))
	}
	for name, relation := range sketched {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for at := make([]int, length); ; {
				s := begin(relation)
				for _, i := range at {
					all[i].do(s)
				}
				if wrong := s.wrong(); wrong != "" {
					var names []string
					for _, i := range at {
						names = append(names, all[i].name)
					}
					t.Fatalf("after %s: %s", strings.Join(names, ", "), wrong)
				}
				s.end()
				if !next(at, len(all)) {
					return
				}
			}
		})
	}
}

// next counts up, and returns false after the last number.
func next(digits []int, base int) bool {
	for i := range digits {
		if digits[i]++; digits[i] < base {
			return true
		}
		digits[i] = 0
	}
	return false
}
