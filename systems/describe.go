package systems

import (
	"iter"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A KindUse says how much of a world's room for a kind is in use. It is meant for tools.
type KindUse struct {
	Kind   Kind
	Number int  // in this world; see [NumberOf]
	Beside bool // on no object: a resource, events or their readers
	Packed bool

	Mounted   int // objects that have it now
	Loose     int // rows that are on no object yet
	Suspended int // rows that keep the values of an object
	High      int // rows ever used: every row in use is before this one
	Cap       int // rows there are; of a mark 0

	Bytes int // of the world that it takes, all its rows used or not
	Used  int // of those, how many were ever used
}

// A Quality says how the components of a kind lie in the order of their objects.
type Quality = manager.Quality

// A RowUse says what a row is used for.
type RowUse = manager.RowUse

// Uses of a row.
const (
	RowUnused    = manager.RowUnused    // disposed, kept for a slab, or never used
	RowMounted   = manager.RowMounted   // on an object
	RowLoose     = manager.RowLoose     // created, and on no object yet
	RowSuspended = manager.RowSuspended // keeps the values of an object
)

// A ComponentUse is one component of an object.
type ComponentUse struct {
	Kind      Kind
	Row       Row  // 0 when the kind is a mark
	Suspended bool // its values are kept for the object, which has it not now
}

// A WatcherUse is the memory of a watcher.
type WatcherUse struct {
	Rules   string // what it watches, by the kinds' names
	Members int    // at its last look
	Left    int    // that look found
	Entered int
}

// KindUses returns how much of each kind's room is in use, in the order of their numbers, and then
// that of what is on no object. It allocates.
func KindUses(s State) []KindUse {
	j := s.look()
	uses := make([]KindUse, len(j.Managers))
	places := make(map[*layout.KindSpec]*KindUse, len(uses))
	for i := range uses {
		m, u := &j.Managers[i], &uses[i]
		*u = KindUse{
			Kind: m.Kind.Handle(), Number: i, Beside: i >= j.root().kinds, Packed: m.Packed(),
			Mounted: m.Mounted(), Loose: m.Loose(), Suspended: m.Suspended(),
			High: m.MaxIndex(), Cap: m.Cap(),
		}
		places[m.Kind] = u
	}
	for _, p := range j.Parts() {
		if u := places[p.Kind]; u != nil {
			u.Bytes += len(p.Bytes)
			u.Used += len(j.Used(&p))
		}
	}
	return uses
}

// Capacity returns how many objects may be alive at once.
func Capacity(s State) int { return s.look().Objects.Cap() }

// QualityOf returns how the components of a kind lie, and how they would after [Tidy]. It panics
// when the world has no such kind.
func QualityOf(s State, k Kind) (now, tidied Quality) { return s.look().any(k).Quality() }

// RowUseOf returns what a row of a kind is used for, and the object that a mounted or suspended
// one belongs to. Any row may be asked for. It panics when the world has no such kind.
func RowUseOf(s State, k Kind, row Row) (RowUse, GameObject) {
	j := s.look()
	use, object := j.any(k).Use(row)
	if use == RowMounted || use == RowSuspended {
		return use, j.Objects.At(object)
	}
	return use, gameobject.Nobody
}

// ComponentsOf returns what an object has, and what is kept for it, in the order of the kinds'
// numbers. The error wraps [ErrDead] or [ErrOutOfRange]. It allocates.
func ComponentsOf(s State, id GameObject) ([]ComponentUse, error) {
	j := s.look()
	if err := j.alive(id); err != nil {
		return nil, err
	}
	var list []ComponentUse
	for m := range j.Among(id.Index() >> 6) {
		if row, use := m.RowKept(id.Index()); use != RowUnused {
			list = append(list, ComponentUse{m.Kind.Handle(), row, use == RowSuspended})
		}
	}
	return list, nil
}

// Runs yields the mounted rows of a kind, ascending, as the longest stretches: the first row of
// each, and how many there are. Of a mark there are none. It panics when the world has no such
// kind. Components may not be mounted or disposed meanwhile.
func Runs(s State, k Kind) iter.Seq2[int, int] {
	return func(yield func(row, n int) bool) { s.look().any(k).EachRun(yield) }
}

// TextOf returns one value of a field in words: its lanes, in brackets when there are more than
// one. The value is the field's Stride bytes.
func TextOf(f *layout.FieldSpec, value []byte) string { return Text(f, value) }

// AnyValueOf returns the value in a row of a [layout.Values] kind, or nil when it is none, or has
// no such row. It panics when the world has no such kind. It allocates.
func AnyValueOf(s State, k Kind, row Row) any {
	m := s.look().any(k)
	if m.Values == nil || int(row) >= m.Cap() {
		return nil
	}
	return m.Values.Value(int(row))
}

// WatcherUses returns the memories of a world's watchers, in the order of the counts. It allocates.
func WatcherUses(s State) []WatcherUse {
	j := s.look()
	uses := make([]WatcherUse, len(j.Watchers))
	for i := range uses {
		w := &j.Watchers[i]
		uses[i] = WatcherUse{Rules: w.Rules(), Members: w.Count()}
		count := func(n *int) func(GameObject) bool {
			return func(GameObject) bool { *n++; return true }
		}
		w.Left(count(&uses[i].Left))
		w.Entered(count(&uses[i].Entered))
	}
	return uses
}

// any returns the manager of a kind, also of what is on no object; it panics when the world has
// none.
func (j *job) any(k Kind) *manager.Manager {
	if m := j.Find(k.Spec()); m != nil {
		return m
	}
	panic("systems: this world has no kind " + k.String() + "; add its Count to Counts.Kinds")
}
