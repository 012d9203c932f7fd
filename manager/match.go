package manager

import (
	"math/bits"
	"slices"
)

// NewMatch returns the match without rules.
func (a *Arena) NewMatch() Match { return Match{arena: a, bare: true} }

// Require adds the rule that objects have every one of kinds.
func (m *Match) Require(kinds ...*Manager) {
	m.All = append(m.All, kinds...)
	m.bare = m.bare && len(m.All) == 0
}

// RequireAny adds the rule that objects have at least one of kinds; of no kinds nobody has one.
func (m *Match) RequireAny(kinds []*Manager) {
	m.Any, m.bare = append(m.Any, kinds), false
}

// Forbid adds the rule that objects have none of kinds.
func (m *Match) Forbid(kinds ...*Manager) { m.None = append(m.None, kinds...) }

// RequireOnly adds the rule that objects have every one of kinds, and no other kind.
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

// Bare reports whether no rule asks for a kind, so that objects without any match too.
func (m *Match) Bare() bool { return m.bare }

// Group returns the blocks of group g that may have matching objects, and those all of whose
// objects match and lie in lockstep with the block before.
func (m *Match) Group(g int) (some, whole uint64) {
	some, whole = full, full
	for _, k := range m.All {
		some &= k.Groups[g].Any
		whole &= k.Groups[g].Whole
	}
	for _, k := range m.None {
		whole &^= k.Groups[g].Any
	}
	for _, kinds := range m.Any {
		var a, w uint64
		for _, k := range kinds {
			a |= k.Groups[g].Any
			w |= k.Groups[g].Whole
		}
		some, whole = some&a, whole&w
	}
	if m.bare {
		return some, 0
	}
	if whole &= some; m.only != nil && whole != 0 {
		whole = m.pure(g, whole)
	}
	return some, whole
}

// pure returns those of the blocks of group g of which no object has a kind that the rules do not
// name.
func (m *Match) pure(g int, blocks uint64) uint64 {
	for x := blocks; x != 0; x &= x - 1 {
		for w, kinds := range m.arena.Kinds(uint32(g<<6 + bits.TrailingZeros64(x))) {
			if kinds&^m.only[w] != 0 {
				blocks &^= x & -x
				break
			}
		}
	}
	return blocks
}

// Block returns which objects of block b match.
func (m *Match) Block(b uint32) uint64 {
	x := m.arena.Objects.Words()[b]
	for _, k := range m.All {
		x &= k.Blocks[b].Present
	}
	for _, k := range m.None {
		x &^= k.Blocks[b].Present
	}
	for _, kinds := range m.Any {
		var some uint64
		for _, k := range kinds {
			some |= k.Blocks[b].Present
		}
		x &= some
	}
	if m.only != nil && x != 0 {
		x = m.without(b, x)
	}
	return x
}

// without takes the objects out that have a kind which the rules do not name.
func (m *Match) without(b uint32, x uint64) uint64 {
	for w, kinds := range m.arena.Kinds(b) {
		for k := kinds &^ m.only[w]; k != 0; k &= k - 1 {
			x &^= m.arena.Managers[w<<6+bits.TrailingZeros64(k)].Blocks[b].Present
		}
	}
	return x
}

// Object reports whether the object of an index is alive and matches.
func (m *Match) Object(object uint32) bool { return m.Block(object>>6)>>(object&63)&1 != 0 }

// asks reports whether it matters to the rules who has a kind.
func (m *Match) asks(k *Manager) bool {
	in := func(kinds []*Manager) bool { return slices.Contains(kinds, k) }
	return m.only != nil || in(m.All) || in(m.None) || slices.ContainsFunc(m.Any, in)
}

// in returns the same rules for another arena of the same kinds.
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
