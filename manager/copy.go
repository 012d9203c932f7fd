package manager

import (
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
)

// Like reports whether two worlds have the same counts, kinds and watchers, in the same order: what
// is in one fits the other byte by byte.
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

// Empty makes a what it was when it was new, but for the first bytes of parts: as many as keep
// returns, which are to be written next.
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

// wipe makes what is used of a part, the first n bytes aside, as if it had never been used.
func (a *Arena) wipe(p *Part, n int) {
	switch used := a.used(p); {
	case used <= n:
	case p.Field != nil && !p.Free:
		a.Managers[p.Place].Columns[p.Field.Index].FillRows(n/p.Unit, used/p.Unit)
	default:
		clear(a.part(p)[n:used])
	}
}

// Alike returns an empty world that is [Arena.Like] a, and takes memory as it is used. Where
// columns were never used they hold zeros, not the defaults.
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

// Clone returns a copy of the world in bytes of its own.
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
