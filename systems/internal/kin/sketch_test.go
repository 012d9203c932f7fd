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

	amiss string // what a disposal did that the policy does not say
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

// sketchOf returns a world with room for n objects, and rows for four fifths of many.
func sketchOf(relation layout.Field[gameobject.ID], n int) *sketch {
	return sketchIn(manager.NewArena(manager.Sizes{
		Objects: n, Kinds: []layout.Count{relation.Kind().Count(n - n/5)},
	}))
}

// sketchIn returns a world in an arena, without derived lists.
func sketchIn(a *manager.Arena, err error) *sketch {
	if err != nil {
		panic(err)
	}
	w, err := New(a)
	if err != nil {
		panic(err)
	}
	return &sketch{World: w, l: w.lists[0], m: &a.Managers[0]}
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

// set makes an object refer to another one, or to nobody if both are the same.
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

// shape describes an object and all objects below it in order; all are added to below.
func (s *sketch) shape(object uint32, below map[uint32]bool) string {
	if below[object] {
		return "again"
	}
	below[object] = true
	text := "("
	if s.m.Has(object) {
		text = fmt.Sprint(s.placeOf(object), text)
	}
	for _, o := range s.referrers(object) {
		text += s.shape(o, below)
	}
	return text + ")"
}

// copyTree copies an object and all objects below it: the copies have the same shape.
func (s *sketch) copyTree(object uint32) {
	if !s.alive(object) {
		return
	}
	below, copied := map[uint32]bool{}, map[uint32]bool{}
	shape, live, target := s.shape(object, below), s.a.Objects.Live(), gameobject.Nobody
	if s.m.Has(object) { // a copy keeps nothing suspended
		target = s.l.Reference(object)
	}
	room := len(below) <= min(s.a.Objects.Left(), s.m.Left())
	s.Gather(s.l, object)
	id, err := s.CopyGathered(s.l)
	switch {
	case err != nil:
		copied = nil
		if room || shape != s.shape(object, map[uint32]bool{}) {
			s.amiss = fmt.Sprint(object, " is not copied with ", below, ": ", err)
		}
	case below[target.Index()] && target != gameobject.Nobody: // in a ring
		s.shape(id.Index(), copied)
	case shape != s.shape(id.Index(), copied) || s.l.Reference(id.Index()) != target:
		s.amiss = fmt.Sprint(id, " refers to ", s.l.Reference(id.Index()), ", as copy of ", object, ", and is not ", shape)
	}
	if n := s.a.Objects.Live(); n != live+len(copied) || err == nil && len(copied) != len(below) {
		s.amiss = fmt.Sprint(n-live, " copies of ", below, ": ", copied)
	}
}

// disposeTree disposes an object and all objects below it.
func (s *sketch) disposeTree(object uint32) {
	if !s.alive(object) {
		return
	}
	below, live := map[uint32]bool{}, s.a.Objects.Live()
	s.shape(object, below)
	s.Gather(s.l, object)
	if err := s.DisposeGathered(); err != nil || s.a.Objects.Live() != live-len(below) {
		s.amiss = fmt.Sprint(live-s.a.Objects.Live(), " are disposed, not ", below, ": ", err)
	}
}

func (s *sketch) place(object, place uint32) {
	if row, ok := s.m.RowOf(object); ok && s.l.Order != nil {
		s.m.Stamps.TouchRow(uint32(row))
		*buffer.At[uint32](s.m.Data.Columns[s.l.Order.Index].Base, int(row)) = place
	}
}

// placeOf returns what an object is sorted by, before its index.
func (s *sketch) placeOf(object uint32) uint32 {
	row, ok := s.m.Blocks.HeldRow(object)
	if !ok || s.l.Order == nil {
		return 0
	}
	return *buffer.At[uint32](s.m.Data.Columns[s.l.Order.Index].Base, int(row))
}

// fate returns the objects that are disposed with an object, and whether a remaining object refuses
// it.
func (s *sketch) fate(object uint32) (goes map[uint32]bool, refused bool) {
	goes = map[uint32]bool{object: true}
	high := uint32(s.a.Objects.High())
	to := func(c uint32) (uint32, bool) { // the object is alive and has the relation
		id := s.l.Reference(c)
		return id.Index(), s.alive(c) && s.m.Has(c) && id != gameobject.Nobody
	}
	for again := s.l.Disposed == layout.Cascade; again; {
		again = false
		for c := range high {
			if o, ok := to(c); ok && goes[o] && !goes[c] {
				goes[c], again = true, true
			}
		}
	}
	for c := range high {
		o, ok := to(c)
		refused = refused || s.l.Disposed == layout.Refuse && ok && goes[o] && !goes[c]
	}
	return goes, refused
}

// dispose disposes an object by the policy, alone or together with others at the end of all
// commands.
func (s *sketch) dispose(object uint32) {
	if !s.alive(object) {
		return
	}
	goes, refused := s.fate(object)
	before := s.a.Objects.Live()
	switch {
	case !s.Targeted(object):
		s.a.Dispose(object)
	case object%2 == 0:
		s.Begin()
		s.Add(object, 0)
		if err := s.Dispose(); (err != nil) != refused {
			s.amiss = fmt.Sprint(object, " is disposed: ", err)
		}
	default:
		s.Begin()
		s.Doom(object, 0)
		if !s.Doomed(object) || (s.DisposeSome()[0].Err != nil) != refused || s.Doomed(object) {
			s.amiss = fmt.Sprint(object, " is refused, not ", refused)
		}
	}
	if refused {
		goes = nil
	}
	if n := s.a.Objects.Live(); n != before-len(goes) {
		s.amiss = fmt.Sprint(before-n, " go with ", object, ", not ", goes)
	}
	for o := range uint32(s.a.Objects.High()) {
		if to := s.l.Reference(o); goes[o] && s.alive(o) || s.alive(o) && to != gameobject.Nobody && !s.a.Objects.Alive(to) {
			s.amiss = fmt.Sprint(o, " stays, or refers to one that went with ", object)
		}
	}
}

// referrers returns the objects that refer to an object, in order.
func (s *sketch) referrers(target uint32) (list []uint32) {
	for o := range uint32(s.a.Objects.High()) {
		if s.alive(o) && s.alive(target) && s.l.Refers(o, s.a.Objects.At(target)) {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.placeOf(a), s.placeOf(b)), cmp.Compare(a, b))
	})
	return list
}

// wrong compares every answer with what references say.
func (s *sketch) wrong() string {
	if s.amiss != "" {
		return s.amiss
	}
	if err := s.Verify(unrecorded); err != nil {
		return err.Error()
	}
	high := uint32(s.a.Objects.High())
	for t := range high {
		id := s.a.Objects.At(t)
		var got []uint32
		held, holds := false, false
		for o := range high {
			held = held || s.alive(o) && s.alive(t) && s.l.Reference(o) == id
		}
		want := s.referrers(t)
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

func unrecorded(gameobject.ID) bool { return false }

func (s *sketch) refersTo(o, target uint32) bool { return s.l.Reference(o).Index() == target }

// wrongLevels compares the objects with a parent, and their depths.
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
			got, above := s.l.Level(d)
			if !slices.Equal(want[d], got) || !slices.EqualFunc(got, above, s.refersTo) {
				return fmt.Sprint(want[d], " are at depth ", d, ", not ", got, " below ", above)
			}
		}
	}
	return ""
}
