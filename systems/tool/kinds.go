package tool

import (
	"iter"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// A KindUse says how much of a world's room for a kind is in use.
type KindUse struct {
	Kind   layout.Kind
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

// KindUses returns how much of each kind's room is in use, in the order of their numbers, and then
// that of what is on no object. It allocates.
func KindUses(s systems.State) []KindUse {
	a := systems.ArenaOf(s)
	uses := make([]KindUse, len(a.Managers))
	places := make(map[*layout.KindSpec]*KindUse, len(uses))
	for i := range uses {
		m, u := &a.Managers[i], &uses[i]
		*u = KindUse{
			Kind: m.Kind.Handle(), Number: i, Beside: i >= a.OnObjects(), Packed: m.Packed(),
			Mounted: m.Mounted(), Loose: m.Loose(), Suspended: m.Suspended(),
			High: m.MaxIndex(), Cap: m.Cap(),
		}
		places[m.Kind] = u
	}
	for _, p := range a.Parts() {
		if u := places[p.Kind]; u != nil {
			u.Bytes += len(p.Bytes)
			u.Used += len(a.Used(&p))
		}
	}
	return uses
}

// NumberOf returns the number of a kind in a world: its place in Counts.Kinds, from 0. The built-in
// kinds follow the last of those: positions, velocities, flies, instances. The error wraps
// [systems.ErrNoKind].
func NumberOf(s systems.State, k layout.Kind) (int, error) {
	if n := systems.ArenaOf(s).Slot(k.Spec()); n >= 0 {
		return n, nil
	}
	return 0, &manager.Error{Err: manager.ErrNoKind, Kind: k.Spec().Name, ID: gameobject.Nobody}
}

// KindNames returns the names of a world's kinds and marks, in the order of their numbers, and then
// those of what it has on no object, such as resources. It allocates.
func KindNames(s systems.State) []string {
	a := systems.ArenaOf(s)
	names := make([]string, len(a.Managers))
	for n := range names {
		names[n] = a.Managers[n].Kind.Name
	}
	return names
}

// QualityOf returns how the components of a kind lie, and how they would after [systems.Tidy]. It
// panics when the world has no such kind.
func QualityOf(s systems.State, k layout.Kind) (now, tidied Quality) { return of(s, k).Quality() }

// Cap returns how many components of a kind there is room for. It panics when the world has no such
// kind.
func Cap(s systems.State, k layout.Kind) int { return of(s, k).Cap() }

// MaxIndex returns how many rows of a kind were ever used: every row in use is below it. It panics
// when the world has no such kind.
func MaxIndex(s systems.State, k layout.Kind) int { return of(s, k).MaxIndex() }

// Mounted returns how many objects have a component of a kind, or a mark. It panics when the world
// has no such kind.
func Mounted(s systems.State, k layout.Kind) int { return of(s, k).Mounted() }

// Buffer returns the bytes of a kind's columns, one after the other, in place; of a kind that has
// free room, the last ends with the rows that were ever used. It panics when the world has no such
// kind.
func Buffer(s systems.State, k layout.Kind) []byte { return of(s, k).Buffer() }

// Runs yields the mounted rows of a kind, ascending, as the longest stretches: the first row of
// each, and how many there are. Of a mark there are none. It panics when the world has no such
// kind. Components may not be mounted or disposed meanwhile.
func Runs(s systems.State, k layout.Kind) iter.Seq2[int, int] {
	return func(yield func(row, n int) bool) { of(s, k).EachRun(yield) }
}

// of returns the manager of a kind, also of what is on no object; it panics when the world has
// none.
func of(s systems.State, k layout.Kind) *manager.Manager {
	if m := systems.ArenaOf(s).Find(k.Spec()); m != nil {
		return m
	}
	panic("flatecs: this world has no kind " + k.String() + "; add its Count to Counts.Kinds")
}
