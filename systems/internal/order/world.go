package order

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A World is all lists of a world.
type World struct {
	arena *manager.Arena
	lists atomic.Pointer[[]*Lists]
	lock  sync.Mutex // to add one
}

// New returns the lists of a world, which has none yet.
func New(a *manager.Arena) *World { return &World{arena: a} }

// Of returns the lists of a field that was asked for before, or nil.
func (w *World) Of(f *layout.FieldSpec) *Lists {
	if all := w.lists.Load(); all != nil {
		for _, l := range *all {
			if l.field == f {
				return l
			}
		}
	}
	return nil
}

// Add returns the lists of a field, which m has.
func (w *World) Add(m *manager.Manager, f *layout.FieldSpec) *Lists {
	w.lock.Lock()
	defer w.lock.Unlock()
	var all []*Lists
	if before := w.lists.Load(); before != nil {
		all = *before
	}
	for _, l := range all {
		if l.field == f { // another goroutine was faster
			return l
		}
	}
	l := &Lists{field: f, m: m, arena: w.arena, keys: keysOf(f)}
	all = append(slices.Clone(all), l)
	w.lists.Store(&all)
	return l
}

// Free releases the memory.
func (w *World) Free() {
	if w == nil {
		return
	}
	if all := w.lists.Swap(nil); all != nil {
		for _, l := range *all {
			l.free()
		}
	}
}
