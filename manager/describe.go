package manager

import (
	"math/bits"
	"strings"

	"github.com/flatecs/flatecs/layout"
)

// Use returns the use of a row, and the object of a mounted or suspended row. Unlike
// [Manager.ObjectOf] it accepts any row.
func (m *Manager) Use(row layout.Row) (use RowUse, object uint32) {
	if row >= layout.Row(m.count.High) {
		return RowUnused, 0
	}
	return m.owners.use(uint32(row))
}

// RowKept returns the row of object's component, suspended or not.
func (m *Manager) RowKept(object uint32) (row layout.Row, use RowUse) {
	b := &m.blocks[object>>6]
	switch bit := uint64(1) << (object & 63); {
	case m.Present(object>>6)&bit != 0:
		use = RowMounted
	case b.kept&bit != 0:
		use = RowSuspended
	default:
		return 0, RowUnused
	}
	if m.Kind.Mark {
		return 0, use
	}
	return layout.Row(m.rowIn(b, object>>6, int(object&63))), use
}

// Loose returns the number of rows in use that are not on an object yet.
func (m *Manager) Loose() int { return int(m.count.Loose) }

// Suspended returns the number of suspended rows: they keep the values of objects that do not have
// the component now.
func (m *Manager) Suspended() int { return int(m.count.Suspended) }

// Packed reports whether the manager is packed: its rows in use have no gaps.
func (m *Manager) Packed() bool { return m.packed }

// Limits of the batches of a walk.
const (
	MinRun   = 12  // average run length, in rows, from which a block's runs are handed out in place
	ListSize = 256 // most rows of a gathered batch
)

// A Quality describes how well the rows of a kind follow the order of their objects. A walk over
// this kind alone yields one batch per run of consecutive rows, and one batch per [ListSize]
// scattered rows.
type Quality struct {
	Lockstep int // mounted components whose row is object + base of their block; for a mark, all
	Batches  int // number of batches that a walk over the kind alone yields
	Gathered int // how many of those batches are of scattered rows
}

// A layer counts the batches that a walk would yield.
type layer struct {
	Quality
	n         int    // rows of the open batch
	next      uint32 // the row after them
	scattered bool   // the open batch is of scattered rows
}

// begin starts a batch.
func (l *layer) begin() {
	l.Batches++
	l.n, l.scattered = 0, false
}

// run adds n consecutive rows in lockstep.
func (l *layer) run(row, n uint32) {
	if l.n == 0 || l.scattered || l.next != row {
		l.begin()
	}
	l.n, l.next = l.n+int(n), row+n
}

// list adds n rows of a block; if straight, they are consecutive from row on.
func (l *layer) list(row uint32, n int, straight bool) {
	follow := straight && (l.n == 0 || row == l.next)
	if l.n == 0 || l.n+n > ListSize && (l.scattered || !follow) {
		l.begin()
		follow = straight
	}
	if !follow && !l.scattered {
		l.scattered = true
		l.Gathered++
	}
	l.n, l.next = l.n+n, row+uint32(n)
}

// spread adds the objects x of a block, all in lockstep, from row first.
func (l *layer) spread(x uint64, first uint32) {
	n := bits.OnesCount64(x)
	l.Lockstep += n
	if runs := bits.OnesCount64(x &^ (x << 1)); runs > 1 && runs*MinRun > n {
		l.list(first+uint32(bits.TrailingZeros64(x)), n, false)
		return
	}
	var s, c uint32
	for x != 0 {
		s, c, x = NextRun(x)
		l.run(first+s, c)
	}
}

// Quality returns the quality of the rows.
func (m *Manager) Quality() Quality {
	m.checkPresent()
	var l layer
	for k := m.firstBlock(0); k < uint32(len(m.blocks)); k = m.firstBlock(k + 1) {
		b := &m.blocks[k]
		x := m.Present(k)
		if x == 0 {
			continue
		}
		if b.odd&x == 0 {
			l.spread(x, b.row(k<<6))
			continue
		}
		l.Lockstep += bits.OnesCount64(x &^ b.odd)
		var rows [64]uint32
		straight := m.RowsOf(&rows, k, x)
		l.list(rows[0], bits.OnesCount64(x), straight)
	}
	return l.Quality
}

// Rules describes the watcher's rules, with the names of the kinds.
func (r *Watcher) Rules() string { return r.watch.rules() }

func (m *Match) rules() string {
	var parts []string
	add := func(word string, kinds []*Manager) {
		if len(kinds) == 0 {
			return
		}
		names := make([]string, len(kinds))
		for i, k := range kinds {
			names[i] = k.Kind.Name
		}
		parts = append(parts, word+" "+strings.Join(names, ", "))
	}
	add("all of", m.All)
	for _, kinds := range m.Any {
		add("any of", kinds)
	}
	add("none of", m.None)
	if m.only != nil {
		parts = append(parts, "and no other kind")
	}
	if len(parts) == 0 {
		return "every object"
	}
	return strings.Join(parts, "; ")
}
