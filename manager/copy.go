package manager

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Like reports whether two worlds have the same counts, kinds and watchers in the same order, so
// that their bytes have the same layout.
func (a *Arena) Like(b *Arena) bool {
	x, y := &a.sizes, &b.sizes
	return a == b || x.Objects == y.Objects && x.Pools == y.Pools && x.InOrder == y.InOrder &&
		slices.Equal(x.Kinds, y.Kinds) &&
		slices.Equal(x.Watchers, y.Watchers)
}

// Empty resets a to a new world, except for the first keep(p) bytes of each part p, which the
// caller overwrites next. keep is called for each part before any is reset.
func (a *Arena) Empty(keep func(p *Part) int) {
	parts := a.Parts()
	kept := make([]int, len(parts))
	for i := range parts {
		if p := &parts[i]; !p.whole() {
			kept[i] = keep(p)
		}
	}
	for i := range a.Managers {
		m := &a.Managers[i]
		m.freed = freed{} // rows of the previous world
		if m.Data.Values != nil {
			for row := range m.Rows.High() {
				m.Data.Values.Reset(row)
			}
		}
	}
	for i := range parts {
		if p := &parts[i]; !p.whole() {
			wipe(a, p, kept[i])
		}
	}
	for i := range parts { // includes the counters, which say how much is used
		if p := &parts[i]; p.whole() {
			kernel.Clear(bytesOf(a, p))
		}
	}
	begin(a)
}

// Alike returns an empty world that is [Arena.Like] a. Its memory is committed on first use; unused
// columns hold zeros, not the defaults.
func (a *Arena) Alike() (*Arena, error) {
	memory, ok := buffer.Reserve(len(a.Bytes), 0)
	if !ok {
		return nil, &Error{ErrMemory, "copy of the world", 0, len(a.Bytes)}
	}
	return alikeIn(a, memory), nil
}

// AlikeIn is [Arena.Alike] in the caller's bytes, as for [ArenaIn].
func (a *Arena) AlikeIn(b []byte) (*Arena, error) {
	memory, ok := buffer.Over(b, len(a.Bytes))
	if !ok {
		return nil, &Error{ErrBytes, "copy of the world", 0, len(b)}
	}
	return alikeIn(a, memory), nil
}

func alikeIn(a *Arena, memory *buffer.Range) *Arena {
	c := &Arena{sizes: a.sizes}
	c.list.parts = a.layout()
	viewArena(c, memory)
	for i := range a.recipes.list {
		var managers []*Manager
		for _, m := range a.recipes.list[i].managers {
			managers = append(managers, c.Find(m.Kind))
		}
		c.Describe(i+1, managers)
	}
	for i := range a.Watchers {
		w, last := a.Watchers[i].watch, a.Watchers[i].last
		if r := c.Watch(i, w.key, w.in(c)); last != nil {
			r.keepIn(c, last.Keep)
		}
	}
	c.memory.Small(true)
	return c
}

// Clone returns a copy of the world in memory that [Arena.Alike] or [Arena.AlikeIn] reserves.
func (a *Arena) Clone(reserve func(*Arena) (*Arena, error)) (*Arena, error) {
	c, err := reserve(a)
	if err != nil {
		return nil, err
	}
	c.memory.Small(false)
	settleIn(c)
	for i := range c.Watchers {
		if r := &c.Watchers[i]; r.last != nil {
			r.last.ready(len(r.blocks))
		}
	}
	c.CopyFrom(a, 0)
	return c, nil
}

// CopyFrom makes a equal to from; the two must be [Arena.Like] each other. It copies the used
// prefix of each part, derived parts included, and allocates nothing.
//
// If a and from were equal at tick since, only parts and rows stamped with that tick or a later one
// are copied. A since of 0 copies everything, and small worlds are copied whole.
func (a *Arena) CopyFrom(from *Arena, since uint64) {
	if a == from {
		return
	}
	for i := range a.Managers {
		a.Managers[i].Data.prepare(from.Managers[i].count.High)
		if m, n := &a.Managers[i], &from.Managers[i]; m.Data.Values != nil &&
			(reshaped(m, n, since) || rewritten(m, n, since)) {
			copyValues(m, n)
		}
	}
	if *a.Tick == 0 { // a was never written
		commit(a, from)
	}
	for i := range a.recipes.list {
		if r, lacks := &a.recipes.list[i], from.recipes.list[i].lacks; r.lacks != lacks {
			r.lacks = lacks
			r.agree()
		}
	}
	parts := a.layout()
	if small(a) {
		for i := range parts {
			checkUsed(from, &parts[i])
		}
		for i := range from.Managers {
			checkChanged(&a.Managers[i])
			checkChanged(&from.Managers[i])
		}
		copy(a.Bytes, from.Bytes)
		return
	}
	for i := range parts { // before the counters, which say how much is used
		p := &parts[i]
		if p.Kind == nil || reshaped(&a.Managers[p.Place], &from.Managers[p.Place], since) {
			wipe(a, p, usedOf(from, p))
		}
	}
	whole, some, moved := true, true, anyReshaped(a, from, since)
	for i := range parts {
		p := &parts[i]
		if !moved && p.ofKinds() || p.isTurns() {
			continue
		}
		checkUsed(from, p)
		dst, used := bytesOf(a, p), from.Used(p)
		if p.Kind == nil {
			p.copy(dst, used)
			continue
		}
		m, n := &a.Managers[p.Place], &from.Managers[p.Place]
		if p.Name == "counters" && p.Field == nil { // the first part of a region
			whole, some = reshaped(m, n, since), rewritten(m, n, since)
		}
		switch {
		case whole:
			p.copy(dst, used)
		case some && p.Field != nil:
			copyStamped(dst, used, 64*p.Unit, [2][]uint64{m.Stamps.list, n.Stamps.list}, since)
		}
	}
	for i := range a.Managers {
		if m, n := &a.Managers[i], &from.Managers[i]; rewritten(m, n, since) {
			copy(m.Stamps.list, n.Stamps.list[:(n.count.High+63)/64])
			m.count.Changed = n.count.Changed
		}
	}
	for i := range parts { // last: they say how much was copied
		if p := &parts[i]; p.isTurns() {
			p.copy(bytesOf(a, p), from.Used(p))
		}
	}
}

// small reports whether a copy of all bytes takes less time than finding the used bytes. Unused
// bytes are equal in all worlds, so copying them is harmless.
func small(a *Arena) bool { return len(a.Bytes) <= smallWorld && !a.memory.Mapped() }

const smallWorld = 32 << 10

// copy copies the used bytes of the same part of another world. Pages that were never written stay
// so.
func (p *Part) copy(dst, used []byte) {
	if p.per == perRow && p.Field == nil {
		kernel.CopySparse(dst, used)
	} else {
		buffer.Copy(dst, used)
	}
}

// reshaped reports whether the structure of m or n changed at since or later.
func reshaped(m, n *Manager, since uint64) bool {
	return since == 0 || m.Stamps.reshapedSince(since) || n.Stamps.reshapedSince(since)
}

// anyReshaped is reshaped for any kind of a or b.
func anyReshaped(a *Arena, b *Arena, since uint64) bool {
	for i := range a.Managers {
		if reshaped(&a.Managers[i], &b.Managers[i], since) {
			return true
		}
	}
	return len(a.Managers) == 0
}

// rewritten reports whether a value of m or n was written at since or later.
func rewritten(m, n *Manager, since uint64) bool {
	checkChanged(m)
	checkChanged(n)
	if max(m.Stamps.lastTurn(), n.Stamps.lastTurn()) >= since {
		return true
	}
	return max(m.count.Changed, n.count.Changed) >= since
}

func copyValues(m *Manager, from *Manager) {
	n := from.Rows.High()
	for row := n; row < m.Rows.High(); row++ {
		m.Data.Values.Reset(row)
	}
	m.Data.Values.Copy(from.Data.Values, n)
}

// copyStamped copies each piece of size bytes whose stamp, in either list, is at least since. If
// more than half of the pieces are, it copies all bytes, because one copy is then faster.
func copyStamped(dst, src []byte, size int, stamps [2][]uint64, since uint64) {
	n := (len(src) + size - 1) / size
	x, y := stamps[0][:n], stamps[1][:n]
	written := 0
	for i := range x {
		if max(x[i], y[i]) >= since {
			written++
		}
	}
	if 2*written > n {
		buffer.Copy(dst, src)
		return
	}
	for lo := 0; lo < n; lo++ {
		if max(x[lo], y[lo]) < since {
			continue
		}
		hi := lo + 1
		for hi < n && max(x[hi], y[hi]) >= since {
			hi++
		}
		buffer.Copy(dst[lo*size:], src[lo*size:min(hi*size, len(src))])
		lo = hi
	}
}

// Adopt copies from into a, a new world that may have other counts; ids and rows stay the same. It
// finds kinds and watchers by name; pool n of from is pool to[n-1] of a. It leaves kinds for which
// apart returns true as they are in a. If something in use does not fit, the error wraps [ErrFull],
// [gameobject.ErrTooMany] or [ErrNoKind], and a is unusable.
func (a *Arena) Adopt(from *Arena, to []uint16, apart func(*layout.KindSpec) bool) error {
	if err := hasRoomFor(a, from, apart); err != nil {
		return err
	}
	moves := func(m *Manager) bool { // m has other rows in a
		to := a.Find(m.Kind)
		return to != nil && !apart(m.Kind) && !alikeRows(to, m)
	}
	for i := range from.Managers {
		m := &from.Managers[i]
		if to := a.Find(m.Kind); to != nil && !moves(m) {
			to.Data.prepare(m.count.High)
		}
	}
	parts := make(map[partKey][]byte)
	for _, p := range a.layout() {
		parts[p.key()] = bytesOf(a, &p)
	}
	for _, p := range from.layout() {
		if to := parts[p.key()]; to != nil && p.Truth && (p.Kind == nil || !apart(p.Kind) &&
			!moves(&from.Managers[p.Place])) {
			buffer.Copy(to, from.Used(&p))
		}
	}
	for i := range from.Managers {
		if m := &from.Managers[i]; moves(m) {
			if err := moveTo(a.Find(m.Kind), m); err != nil {
				return err
			}
		}
	}
	a.Objects.Renumber(to)
	for i, name := range a.sizes.Watchers {
		if !slices.Contains(from.sizes.Watchers, name) {
			a.Watchers[i].Forget()
		}
	}
	for i := range from.Managers {
		m := &from.Managers[i]
		if to := a.Find(m.Kind); to != nil && to.Data.Values != nil {
			to.Data.Values.Copy(m.Data.Values, m.Rows.High())
		}
	}
	err := a.Rebuild()
	if err == nil {
		a.Equip()
	}
	return err
}

// A partKey identifies a part independently of the counts.
type partKey struct {
	owner, name string
	kind, field bool
}

func (p *Part) key() partKey { return partKey{p.Owner, p.Name, p.Kind != nil, p.Field != nil} }

func hasRoomFor(a *Arena, from *Arena, apart func(*layout.KindSpec) bool) error {
	if int(from.Objects.Count.High) > a.Objects.Cap() {
		return &Error{gameobject.ErrTooMany, "game object", gameobject.Nobody, a.Objects.Cap()}
	}
	for i := range from.Managers {
		m := &from.Managers[i]
		to := a.Find(m.Kind)
		switch {
		case apart(m.Kind):
		case to == nil && m.Live() > 0 && m.Kind.Of == nil: // lists move with their kind
			return &Error{ErrNoKind, m.Kind.Name, gameobject.Nobody, 0}
		case to == nil:
		case m.Rows.High() > to.Rows.Cap() && (alikeRows(to, m) || m.Live() > to.Rows.Cap()):
			return &Error{ErrFull, m.Kind.Name, gameobject.Nobody, to.Rows.Cap()}
		case m.Packed != to.Packed:
			return fmt.Errorf("flatecs: %s: packed in one world; set Packed in both counts",
				layout.Quoted(m.Kind.Name))
		}
	}
	return nil
}
