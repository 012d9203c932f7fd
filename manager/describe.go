package manager

import (
	"math/bits"
	"strings"
)

// Limits of the batches of a walk.
const (
	MinRun   = 12  // average run length, in rows, from which a block's runs are handed out in place
	ListSize = 256 // most rows of a gathered batch
)

// A Quality describes how well the rows of a kind follow the order of their objects. The rows of a
// mark are its objects.
type Quality struct {
	Lockstep int // mounted components whose row is object + base of their block
	Runs     int // runs of consecutive rows, in the order of the objects
}

// QualityOf returns the quality of the rows.
func QualityOf(m *Manager) (q Quality) {
	checkPresent(m)
	next := unmounted
	for k := range uint32(m.Blocks.used()) {
		x, rows := m.Blocks.Present(k), [64]uint32{}
		q.Lockstep += bits.OnesCount64(x &^ m.Blocks.Odd(k))
		m.Blocks.RowsOf(&rows, k, x)
		for _, row := range rows[:bits.OnesCount64(x)] {
			if row != next {
				q.Runs++
			}
			next = row + 1
		}
	}
	return q
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
