package manager

import (
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
)

// Like reports whether two worlds have the same counts, kinds and watchers in the same order, so
// that their bytes have the same layout.
func (a *Arena) Like(b *Arena) bool {
	x, y := &a.sizes, &b.sizes
	return a == b || x.Objects == y.Objects && x.Pools == y.Pools && x.InOrder == y.InOrder &&
		slices.Equal(x.Kinds, y.Kinds) && a.SameWatchers(b)
}

// SameWatchers reports whether two worlds have watchers with the same rules, in the same order.
func (a *Arena) SameWatchers(b *Arena) bool {
	if len(a.Watchers) != len(b.Watchers) {
		return false
	}
	for i := range a.Watchers {
		x, y := a.Watchers[i].watch, b.Watchers[i].watch
		if x != nil && y != nil && x.key != y.key {
			return false
		}
	}
	return true
}

// Empty resets a to a new world, except for the first keep(p) bytes of each part p, which the
// caller overwrites next.
func (a *Arena) Empty(keep func(p *Part) int) {
	for i := range a.Managers {
		if m := &a.Managers[i]; m.Values != nil {
			for row := range m.MaxIndex() {
				m.Values.Reset(row)
			}
		}
	}
	parts := a.Parts()
	for i := range parts {
		if p := &parts[i]; !p.whole() {
			a.wipe(p, keep(p))
		}
	}
	for i := range parts { // the counters among them, which say what is used
		if p := &parts[i]; p.whole() {
			kernel.Clear(a.part(p))
		}
	}
	a.begin()
}

// wipe resets the used bytes of a part behind the first n to their initial state.
func (a *Arena) wipe(p *Part, n int) {
	switch used := a.used(p); {
	case used <= n:
	case p.Field != nil && !p.Free:
		a.Managers[p.Place].Columns[p.Field.Index].FillRows(n/p.Unit, used/p.Unit)
	default:
		clear(a.part(p)[n:used])
	}
}

// Alike returns an empty world that is [Arena.Like] a. Its memory is committed on first use; unused
// columns hold zeros, not the defaults.
func (a *Arena) Alike() (*Arena, error) {
	memory, ok := buffer.Reserve(len(a.Bytes), 0)
	if !ok {
		return nil, &Error{ErrMemory, "copy of the world", 0, len(a.Bytes)}
	}
	c := &Arena{sizes: a.sizes, slots: a.slots, parts: a.layout()}
	c.enlist()
	c.view(memory)
	for i := range a.Watchers {
		w := a.Watchers[i].watch
		c.Watch(i, w.key, w.in(c))
	}
	c.memory.Small(true)
	return c, nil
}

// Clone returns a copy of the world in its own memory.
func (a *Arena) Clone() (*Arena, error) {
	c, err := a.Alike()
	if err != nil {
		return nil, err
	}
	c.memory.Small(false)
	c.settleIn()
	c.CopyFrom(a, 0)
	return c, nil
}
