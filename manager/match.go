package manager

import (
	"math/bits"
	"slices"
)

// NewMatch returns a match without rules.
func (a *Arena) NewMatch() Match { return Match{arena: a, bare: true} }

// Require adds the rule that objects have all of kinds.
func (m *Match) Require(kinds ...*Manager) {
	m.All = append(m.All, kinds...)
	m.bare = m.bare && len(m.All) == 0
}

// RequireAny adds the rule that objects have at least one of kinds. With no kinds nothing matches.
func (m *Match) RequireAny(kinds []*Manager) {
	m.Any, m.bare = append(m.Any, kinds), false
}

// Forbid adds the rule that objects have none of kinds.
func (m *Match) Forbid(kinds ...*Manager) { m.None = append(m.None, kinds...) }

// RequireOnly adds the rule that objects have all of kinds and no other kind.
func (m *Match) RequireOnly(kinds []*Manager) {
	m.Require(kinds...)
	only := make([]uint64, m.arena.Words)
	for _, k := range kinds {
		i := m.arena.Slot(k.Kind)
		only[i>>6] |= 1 << (i & 63)
	}
	for w, x := range m.only {
		only[w] &= x
	}
	m.only = only
}

// Bare reports whether no rule names a kind, so that objects without components match too.
func (m *Match) Bare() bool { return m.bare }

// IsSingle reports whether the only rule is that objects have one kind.
func IsSingle(m *Match) bool {
	return len(m.All) == 1 && len(m.None)+len(m.Any)+len(m.Held) == 0 && m.only == nil
}

// Group returns the blocks of group g that may have matching objects, and the blocks whose objects
// all match and are in lockstep with the block before.
func (m *Match) Group(g int) (some, whole uint64) {
	m.checkGroup(g)
	alive := &m.arena.Objects.Groups[g]
	some, whole = alive.Some, alive.Full
	for _, k := range m.All {
		some &= k.Blocks.Groups[g].Any
		whole &= k.Blocks.Groups[g].Whole
	}
	for _, k := range m.None {
		whole &^= k.Blocks.Groups[g].Any
	}
	for _, kinds := range m.Any {
		var a, w uint64
		for _, k := range kinds {
			a |= k.Blocks.Groups[g].Any
			w |= k.Blocks.Groups[g].Whole
		}
		some, whole = some&a, whole&w
	}
	if m.bare || len(m.Held) > 0 {
		return some, 0
	}
	if whole &= some; m.only != nil && whole != 0 {
		whole = m.pure(g, whole)
	}
	return some, whole
}

// pure returns the blocks of group g in which no object has a kind that the rules do not name.
func (m *Match) pure(g int, blocks uint64) uint64 {
	for x := blocks; x != 0; x &= x - 1 {
		block := uint32(g<<6 + bits.TrailingZeros64(x))
		checkKinds(m.arena, block)
		for w, kinds := range m.arena.Kinds(block) {
			if kinds&^m.only[w] != 0 {
				blocks &^= x & -x
				break
			}
		}
	}
	return blocks
}

// Block returns the matching objects of block b, one bit each.
func (m *Match) Block(b uint32) uint64 {
	m.checkBlock(b)
	x := m.arena.Objects.Words()[b]
	for _, k := range m.All {
		x &= k.Blocks.Present(b)
	}
	for _, k := range m.None {
		x &^= k.Blocks.Present(b)
	}
	for _, kinds := range m.Any {
		var some uint64
		for _, k := range kinds {
			some |= k.Blocks.Present(b)
		}
		x &= some
	}
	for _, h := range m.Held {
		x &= h.Held(b)
	}
	if m.only != nil && x != 0 {
		x = m.without(b, x)
	}
	return x
}

// without returns x without the objects that have a kind that the rules do not name.
func (m *Match) without(b uint32, x uint64) uint64 {
	checkKinds(m.arena, b)
	for w, kinds := range m.arena.Kinds(b) {
		for k := kinds &^ m.only[w]; k != 0; k &= k - 1 {
			x &^= m.arena.Managers[w<<6+bits.TrailingZeros64(k)].Blocks.Present(b)
		}
	}
	return x
}

// Version returns a number that changes when an object may have started or stopped matching, or
// when rows of the kinds have moved. It returns false if the rules depend on more than kinds.
func (m *Match) Version() (version uint64, ok bool) {
	m.each(func(k *Manager) { version += k.Stamps.Reshaped() })
	return version, !m.bare && m.only == nil && len(m.Held) == 0
}

// each calls f with every kind that rules ask for.
func (m *Match) each(f func(k *Manager)) {
	for _, kinds := range [...][]*Manager{m.All, m.None} {
		for _, k := range kinds {
			f(k)
		}
	}
	for _, kinds := range m.Any {
		for _, k := range kinds {
			f(k)
		}
	}
}

// Object reports whether the object is alive and matches.
func (m *Match) Object(object uint32) bool { return m.Block(object>>6)>>(object&63)&1 != 0 }

// asks reports whether the rules depend on kind k.
func (m *Match) asks(k *Manager) bool {
	in := func(kinds []*Manager) bool { return slices.Contains(kinds, k) }
	return m.only != nil || in(m.All) || in(m.None) || slices.ContainsFunc(m.Any, in)
}

// in returns the same rules for another arena with the same kinds.
func (m *Match) in(a *Arena) Match {
	there := func(kinds []*Manager) []*Manager {
		moved := make([]*Manager, len(kinds))
		for i, k := range kinds {
			moved[i] = a.Find(k.Kind)
		}
		return moved
	}
	moved := Match{arena: a, All: there(m.All), None: there(m.None), only: m.only, bare: m.bare}
	for _, kinds := range m.Any {
		moved.Any = append(moved.Any, there(kinds))
	}
	return moved
}
