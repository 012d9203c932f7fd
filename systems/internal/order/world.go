package order

import (
	"hash/maphash"
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

// Of returns the lists of a field, by the same keys, that were asked for before, or nil.
func (w *World) Of(f *layout.FieldSpec, by By) *Lists {
	if all := w.lists.Load(); all != nil {
		for _, l := range *all {
			if l.field == f && l.keys.by == by {
				return l
			}
		}
	}
	return nil
}

// Add returns the lists of a field, which m has, by its values, or by keys of the texts that text
// returns for its rows.
func (w *World) Add(
	m *manager.Manager, f *layout.FieldSpec, by By, text func(row uint32) []byte,
) *Lists {
	w.lock.Lock()
	defer w.lock.Unlock()
	var all []*Lists
	if before := w.lists.Load(); before != nil {
		all = *before
	}
	for _, l := range all {
		if l.field == f && l.keys.by == by { // another goroutine was faster
			return l
		}
	}
	l := &Lists{field: f, m: m, arena: w.arena}
	if by == Values {
		l.keys = keysOf(f)
	} else {
		l.keys, l.texts = keys{size: 8, by: by}, &texts{text, maphash.MakeSeed()}
	}
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
