package manager

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/flatecs/flatecs/layout"
)

// mustBe returns m. It panics if m is not the manager of k.
func mustBe(m *Manager, k layout.Kind) *Manager {
	if m.Kind != k.Spec() {
		panic("flatecs: this is the manager of " + m.Kind.Name + "; give the one of " + k.String())
	}
	return m
}

// Live returns the number of rows in use: mounted, loose or suspended.
func (m *Manager) Live() int { return int(m.count.Loose+m.count.Suspended) + m.Mounted() }

// Mounted returns the number of objects that have the component.
func (m *Manager) Mounted() int {
	if inBlocks(m) {
		return countPresent(m)
	}
	return int(m.count.Mounted)
}

// countPresent counts the objects that have the component.
func countPresent(m *Manager) (n int) {
	for g := range m.Blocks.Groups[:(m.Blocks.used()+63)/64] {
		for x := m.Blocks.Groups[g].Any; x != 0; x &= x - 1 {
			n += bits.OnesCount64(m.Blocks.list[g<<6+bits.TrailingZeros64(x)].Present)
		}
	}
	return n
}

// Left returns the number of rows that are not in use. Marks and kinds by block have room for every
// object.
func (m *Manager) Left() int {
	if m.Kind.Mark || ByBlock(m) {
		return math.MaxInt
	}
	return m.Rows.Cap() - m.Live()
}

// tally adds n, modulo 2³², to the number of objects that have the component.
func tally(m *Manager, n uint32) {
	if !inBlocks(m) {
		m.count.Mounted += n
	}
}

// Has reports whether object has the component.
func (m *Manager) Has(object uint32) bool {
	return m.Blocks.Present(object>>6)>>(object&63)&1 != 0
}

// RowOf returns the row of object's component, and whether the object has the component.
func (m *Manager) RowOf(object uint32) (row layout.Row, ok bool) {
	b := &m.Blocks.list[object>>6]
	if m.Blocks.InLockstep(object>>6)>>(object&63)&1 != 0 {
		return layout.Row(b.row(object)), true
	}
	return m.Blocks.oddRow(b, object)
}

// Get is RowOf with an error that wraps [ErrAbsent]. The row of a mark is 0.
func (m *Manager) Get(object uint32) (layout.Row, error) {
	row, ok := m.RowOf(object)
	switch {
	case !ok:
		return 0, refuse(m, ErrAbsent, object)
	case m.Kind.Mark:
		return 0, nil
	}
	return row, nil
}

// owner returns the object that row is on, or unmounted. It panics if row is not in use.
func (m *Manager) owner(row layout.Row) uint32 {
	if uint32(row) < m.count.High {
		if m.Rows.isMounted(uint32(row)) {
			return m.Rows.Owner(uint32(row))
		}
		if !ByBlock(m) && m.Rows.word(uint32(row)) == unmounted {
			return unmounted
		}
	}
	panic(unusedRow(m, row))
}

//go:noinline
func unusedRow(m *Manager, row layout.Row) string {
	return fmt.Sprintf("flatecs: row %d of %s is not in use, %d of %d rows are; use a row that "+
		"CreateComponent or Ensure returned, until its component is disposed", row, m.Kind.Name,
		m.Live(), m.Rows.Cap())
}

// ObjectOf returns the object that row is mounted on, if any. It panics if row is not in use.
func (m *Manager) ObjectOf(row layout.Row) (object uint32, ok bool) {
	object = m.owner(row)
	return object, object != unmounted
}
