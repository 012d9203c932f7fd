package kin

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// begin returns a world with room for four objects, in which objects 1 and 2 refer to object 0,
// which refers to nobody; its lists were derived.
func begin(relation layout.Field[gameobject.ID]) *sketch {
	s := sketchOf(relation, 4)
	for range 3 {
		s.create()
	}
	s.set(1, 0)
	s.set(2, 0)
	s.l.List()
	return s
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
		add(func(s *sketch) { s.add(o) }, "add %d", o)
		add(func(s *sketch) { s.m.Drop(o) }, "drop %d", o)
		add(func(s *sketch) { s.dispose(o) }, "dispose %d", o)
		add(func(s *sketch) { s.suspend(o) }, "suspend %d", o)
	}
	for o := range uint32(2) {
		add(func(s *sketch) { s.place(o, 2-2*o) }, "place %d", o)
		add(func(s *sketch) { s.copy(o) }, "copy %d", o)
	}
	add((*sketch).create, "create")
	add(func(s *sketch) { _, _ = structure.Create(s.a) }, "create bare")
	add(func(s *sketch) { s.set(3, 0) }, "set 3 0")
	add(func(s *sketch) { s.dispose(3) }, "dispose 3")
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
	add(func(s *sketch) {
		s.l.Each(s.a.Objects.At(0), func(id gameobject.ID) bool {
			s.set(id.Index(), 1)
			s.l.Count(s.a.Objects.At(1))
			return true
		})
	}, "each set")
	add(func(s *sketch) { s.Targeted(1) }, "targeted")
	return list
}

var length = flag.Int("length", 3, "of the sequences of operations; 4 takes minutes")

// TestEverySequence carries out all sequences of operations on three objects.
func TestEverySequence(t *testing.T) {
	length := *length
	if testing.Short() {
		length = 2
	}
	all := deeds()
	if len(all) != 39 {
		t.Fatalf("%d operations", len(all))
	}
	for name, relation := range sketched {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := range int(math.Pow(float64(len(all)), float64(length))) {
				s := begin(relation)
				var names []string
				for ; len(names) < length; n /= len(all) {
					d := all[n%len(all)]
					d.do(s)
					names = append(names, d.name)
				}
				if wrong := s.wrong(); wrong != "" {
					t.Fatalf("after %s: %s", strings.Join(names, ", "), wrong)
				}
				s.end()
			}
		})
	}
}
