package tool

import (
	"iter"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// A KindUse describes how much of a world's room for a kind is in use.
type KindUse struct {
	Kind   layout.Kind
	Number int  // in this world; see [NumberOf]
	Beside bool // not attached to objects: a resource, events or their readers
	Packed bool

	Mounted   int // objects that have it now
	Loose     int // rows that are on no object yet
	Suspended int // rows that keep the values of an object
	High      int // rows ever used; every row in use is below
	Cap       int // rows in total; 0 for a mark

	Bytes int // bytes of the world for all its rows
	Used  int // bytes of the rows that were ever used
}

// A Quality describes how well the rows of a kind follow the order of their objects.
type Quality = manager.Quality

// KindUses returns the use of each kind, in the order of their numbers, followed by data not
// attached to objects. It allocates.
func KindUses(s systems.State) []KindUse {
	a := systems.ArenaOf(s)
	uses, onObjects := make([]KindUse, len(a.Managers)), systems.ToolsOf(s).OnObjects()
	places := make(map[*layout.KindSpec]*KindUse, len(uses))
	for i := range uses {
		m, u := &a.Managers[i], &uses[i]
		*u = KindUse{
			Kind: m.Kind.Handle(), Number: i, Beside: i >= onObjects, Packed: m.Packed,
			Mounted: m.Mounted(), Loose: m.Rows.Loose(), Suspended: m.Rows.Suspended(),
			High: m.Rows.High(), Cap: m.Rows.Cap(),
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

// NumberOf returns the number of a kind in a world: its index in Counts.Kinds. The error wraps
// [systems.ErrNoKind].
func NumberOf(s systems.State, k layout.Kind) (int, error) {
	if n := systems.ArenaOf(s).Slot(k.Spec()); n >= 0 {
		return n, nil
	}
	return 0, &manager.Error{Err: manager.ErrNoKind, Kind: k.Spec().Name, ID: gameobject.Nobody}
}

// KindNames returns the names of a world's kinds and marks, in the order of their numbers, followed
// by data not attached to objects. It allocates.
func KindNames(s systems.State) []string {
	a := systems.ArenaOf(s)
	names := make([]string, len(a.Managers))
	for n := range names {
		names[n] = a.Managers[n].Kind.Name
	}
	return names
}

// QualityOf returns the quality of a kind. It panics if the world does not have the kind.
func QualityOf(s systems.State, k layout.Kind) Quality { return manager.QualityOf(of(s, k)) }

// Cap returns the number of rows of a kind. It panics if the world does not have the kind.
func Cap(s systems.State, k layout.Kind) int { return of(s, k).Rows.Cap() }

// MaxIndex returns the number of rows of a kind that were ever used. Every row in use is below it.
// It panics if the world does not have the kind.
func MaxIndex(s systems.State, k layout.Kind) int { return of(s, k).Rows.High() }

// Mounted returns the number of objects that have a kind or mark. It panics if the world does not
// have the kind.
func Mounted(s systems.State, k layout.Kind) int { return of(s, k).Mounted() }

// Buffer returns the bytes of a kind's columns, one column after the other, in place. For a kind
// without a count, the last column ends with the rows that were ever used. It panics if the world
// does not have the kind.
func Buffer(s systems.State, k layout.Kind) []byte { return of(s, k).Data.Buffer() }

// Runs yields the runs of mounted rows of a kind, ascending: the first row and the length of each.
// A mark has no rows. It panics if the world does not have the kind. Do not mount or dispose
// components during the loop.
func Runs(s systems.State, k layout.Kind) iter.Seq2[int, int] {
	return of(s, k).Rows.Runs
}

// of returns the manager of a kind, or of data not attached to objects. It panics if the world does
// not have the kind.
func of(s systems.State, k layout.Kind) *manager.Manager {
	if m := systems.ArenaOf(s).Find(k.Spec()); m != nil {
		return m
	}
	panic("flatecs: this world has no kind " + k.String() + "; name it in Counts.Kinds, and a " +
		"resource in Counts.Resources")
}
