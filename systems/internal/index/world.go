package index

import (
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A World holds all tables of a world.
type World struct {
	arena  *manager.Arena
	tables atomic.Pointer[[]freed] // Tables; a program without tables does not contain the type
	lock   sync.Mutex              // held while adding a table
}

type freed interface{ free() }

// New returns the tables of a world, initially none.
func New(a *manager.Arena) *World { return &World{arena: a} }

// Of returns the existing table of a field by the same keys, or nil.
func (w *World) Of(f *layout.FieldSpec, by By) *Table {
	if all := w.tables.Load(); all != nil {
		for _, t := range *all {
			if t := t.(*Table); t.column.keys.field == f && t.column.keys.by == by {
				return t
			}
		}
	}
	return nil
}

// Add returns the table of a field of m, by its values, or by keys of the texts that text returns
// for its rows.
func (w *World) Add(
	m *manager.Manager, f *layout.FieldSpec, by By, text func(row uint32) []byte,
) *Table {
	w.lock.Lock()
	defer w.lock.Unlock()
	if t := w.Of(f, by); t != nil { // another goroutine was faster
		return t
	}
	t := &Table{
		Guard:  Guard{M: m},
		column: column{m: m, arena: w.arena, keys: keysOf(f, by, text)},
	}
	all := []freed{t}
	if before := w.tables.Load(); before != nil {
		all = append(all, *before...)
	}
	w.tables.Store(&all)
	return t
}

// Free releases the memory.
func (w *World) Free() {
	if w == nil {
		return
	}
	if all := w.tables.Swap(nil); all != nil {
		for _, t := range *all {
			t.free()
		}
	}
}
