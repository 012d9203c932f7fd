package kin

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// A life is a sketch to which random things happen.
type life struct {
	*testing.T
	*sketch
	r    *rand.Rand
	then *sketch // a copy from before
}

// some returns an object, most often one of the few that many refer to.
func (l *life) some() uint32 {
	n := l.a.Objects.High()
	if l.r.IntN(3) > 0 {
		n = min(n, 4)
	}
	return uint32(l.r.IntN(n))
}

func (l *life) step() {
	object := uint32(l.r.IntN(l.a.Objects.High()))
	switch n := l.r.IntN(64); {
	case n < 32:
		l.set(object, l.some())
	case n < 36: // more than are patched, or nearly as many
		for range l.r.IntN(60) {
			l.set(uint32(l.r.IntN(l.a.Objects.High())), l.some())
		}
	case n < 50:
		l.ask(l.some(), n)
	case n < 54:
		l.create()
	case n < 56:
		l.m.Drop(object)
		l.add(uint32(l.r.IntN(l.a.Objects.High())))
	case n == 56:
		l.disposeAlike(object)
	case n == 57:
		l.disposeAlike(l.some())
	case n == 58 && l.r.IntN(4) == 0:
		l.suspend(object)
	case n == 59:
		l.add(object)
	case n == 60 && l.r.IntN(4) == 0:
		l.copyTree(l.some())
		l.disposeTree(object)
	case n == 60:
		l.copy(object)
	case n == 61 && l.r.IntN(4) == 0:
		l.place(object, uint32(l.r.IntN(4)))
	case n > 61 && l.r.IntN(8) == 0:
		l.whole()
	}
}

// ask asks one of the questions, so that the others have more to catch up with.
func (l *life) ask(object uint32, n int) {
	switch id := l.a.Objects.At(object); {
	case n < 41:
		l.l.Count(id)
	case n < 47:
		l.visit(id)
	case n == 47:
		l.l.Hold()
	case l.l.Tree:
		l.l.Levels()
	}
}

// visit visits the referrers of an object while references change: each refers to it when it is
// yielded, they ascend, and all are yielded that did and do.
func (l *life) visit(id gameobject.ID) {
	visited, stays := map[uint32]bool{}, map[uint32]bool{}
	for o := range uint32(l.a.Objects.High()) {
		stays[o] = l.alive(o) && l.l.Refers(o, id)
	}
	last := -1
	l.l.Each(id, func(c gameobject.ID) bool {
		o := c.Index()
		if !l.a.Objects.Alive(c) || !l.l.Refers(o, id) || visited[o] {
			l.Fatalf("%v is yielded, and refers to another one than %v", c, id)
		}
		if l.l.Order == nil && int(o) <= last {
			l.Fatalf("%d is yielded after %d", o, last)
		}
		last, visited[o] = int(o), true
		switch l.r.IntN(6) {
		case 0:
			l.set(o, l.some())
		case 1:
			other := uint32(l.r.IntN(l.a.Objects.High()))
			l.set(other, l.some())
			stays[other] = false
		case 2:
			l.l.Count(l.a.Objects.At(l.some()))
		}
		return true
	})
	for o, stays := range stays {
		if stays && !visited[o] {
			l.Fatalf("%d refers to %v, and is not visited", o, id)
		}
	}
}

// disposeAlike disposes an object here, and in a copy without derived lists.
func (l *life) disposeAlike(object uint32) {
	twin := sketchIn(l.a.Clone((*manager.Arena).Alike))
	defer twin.end()
	l.dispose(object)
	if twin.dispose(object); !l.a.Equal(twin.a) {
		l.Fatalf("%d is disposed otherwise in a copy", object)
	}
}

// whole does something to the world as a whole.
func (l *life) whole() {
	switch n := l.r.IntN(3); {
	case n == 0 && l.then != nil:
		l.a.CopyFrom(l.then.a, 0)
		l.a.Overwritten()
	default:
		if l.then != nil {
			l.then.end()
		}
		l.then = sketchIn(l.a.Clone((*manager.Arena).Alike))
	}
}

// TestPatchedLists compares all answers with references in worlds where few questions are asked
// between many changes, so that some are patched, and some too many.
func TestPatchedLists(t *testing.T) {
	steps := 3000
	if testing.Short() {
		steps = 500
	}
	for name, relation := range sketched {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(6) {
				s := sketchOf(relation, 150)
				s.create()
				l := life{T: t, sketch: s, r: rand.New(rand.NewPCG(seed, 33))}
				for i := range steps {
					if l.step(); l.r.IntN(8) == 0 {
						if wrong := l.wrong(); wrong != "" {
							t.Fatalf("seed %d, step %d: %s", seed, i, wrong)
						}
					}
				}
				if l.end(); l.then != nil {
					l.then.end()
				}
			}
		})
	}
}

// TestSettledSideBySide asks from several goroutines after changes: the first one patches.
func TestSettledSideBySide(t *testing.T) {
	s := sketchOf(sketched["cascade"], 100)
	defer s.end()
	for range 90 {
		s.create()
	}
	r := rand.New(rand.NewPCG(1, 33))
	for range 100 {
		s.set(uint32(4+r.IntN(80)), uint32(r.IntN(4)))
		if r.IntN(8) == 0 {
			s.m.Drop(uint32(4 + r.IntN(80)))
		}
		var want [4]int
		for o := range uint32(90) {
			if id := s.l.Reference(o); id != gameobject.Nobody {
				want[id.Index()]++
			}
		}
		var all sync.WaitGroup
		for p := range uint32(4) {
			id := s.a.Objects.At(p)
			all.Go(func() {
				n := 0
				s.l.Each(id, func(gameobject.ID) bool { n++; return true })
				if n != want[p] || s.l.Count(id) != n {
					t.Errorf("%d refer to %v, not %d", want[p], id, n)
				}
			})
			all.Go(func() {
				if s.l.Hold(); s.l.Levels() > 1 {
					t.Error("nobody refers to one that refers")
				}
			})
		}
		all.Wait()
	}
}

// TestIndexesOfThoseWhoWait: an object whose disposal waits may be disposed before, and its index
// reused by an object that stays.
func TestIndexesOfThoseWhoWait(t *testing.T) {
	for name, relation := range sketched {
		s := sketchOf(relation, 4)
		s.create()
		s.create()
		s.Begin()
		s.Doom(1, 0)
		s.a.Dispose(1)
		s.create()
		if s.DisposeSome(); !s.alive(1) || s.a.Objects.Live() != 2 || s.Doomed(1) {
			t.Error(name, ": another object is disposed")
		}
		s.end()
	}
}

// TestVerifyFindsReferences writes references that nobody may have.
func TestVerifyFindsReferences(t *testing.T) {
	s := begin(sketched["cascade"])
	defer s.end()
	s.create()
	s.a.Dispose(3)
	ids := buffer.Span[gameobject.ID](s.m.Data.Columns[0].Base, 0, 3)
	for want, id := range map[string]gameobject.ID{
		"0 refers to 3, which is dead": gameobject.MakeID(3, 1), "ring": gameobject.MakeID(2, 1),
		"0 refers to 3v2, which is dead": s.a.Objects.At(3), "is not recorded": gameobject.MakeRecorded(5, 1),
	} {
		ids[0] = id
		if err := s.Verify(unrecorded); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", id, err)
		}
	}
}

// TestRingsAreFound beside a climb from each thing alone.
func TestRingsAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 33))
	for range 3000 {
		up, rings := make([]uint32, 1+r.IntN(7)), map[uint32]bool{}
		above := func(thing uint32) (uint32, bool) { return up[thing], int(up[thing]) < len(up) }
		for i := range up {
			up[i] = uint32(r.IntN(len(up) + 3))
		}
		for thing := range uint32(len(up)) {
			for at, n := thing, 0; n < len(up) && int(at) < len(up); n++ {
				if at = up[at]; at == thing {
					rings[thing] = true
				}
			}
		}
		if thing, ok := FindRing(make([]uint32, len(up)), above); ok != (len(rings) > 0) || ok && !rings[thing] {
			t.Fatalf("%v: %d, %t, and %v are in rings", up, thing, ok, rings)
		}
	}
}

// TestDisableSpreads: objects below a disabled one, and no others, are disabled and enabled with it.
func TestDisableSpreads(t *testing.T) {
	under := layout.NewRelation("disables", layout.Relation{Disables: true, Tree: true})
	r := rand.New(rand.NewPCG(8, 33))
	for range 100 {
		s := sketchIn(manager.NewArena(manager.Sizes{Objects: 90, Kinds: []layout.Count{
			under.Kind().Count(90), layout.Disabled.Count(0),
		}}))
		for range 90 {
			s.create()
			s.set(uint32(r.IntN(s.a.Objects.High())), uint32(r.IntN(s.a.Objects.High())))
		}
		mark, want := &s.a.Managers[1], map[uint32]bool{}
		for n := range 8 {
			object, on := uint32(r.IntN(90)), n%3 > 0
			below := map[uint32]bool{}
			s.shape(object, below)
			for o := range below {
				want[o] = on
			}
			s.Disable(object>>6, 1<<(object&63), on)
			for o := range uint32(90) {
				if mark.Has(o) != want[o] {
					t.Fatalf("%d is disabled: %t, with %d: %t", o, mark.Has(o), object, on)
				}
			}
		}
		s.end()
	}
}

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

// A deed is one of the operations; the test tries all sequences of them.
type deed struct {
	name string
	do   func(s *sketch)
}

// deeds returns all of them.
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
		add(func(s *sketch) { s.copyTree(o) }, "copy the tree of %d", o)
		add(func(s *sketch) { s.disposeTree(o) }, "dispose the tree of %d", o)
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
	if len(all) != 43 {
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
