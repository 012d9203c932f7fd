// Package structure changes which objects an arena has, and their kinds: many at once if the result
// is the same as one by one.
//
//	streak    one change of objects of a block, recorded one by one, ascending
//	pool      a recipe in one world: its kinds, its first values, its slabs of ids and rows
//	copy      an object with the kinds and values of another
//
// The callers check whether the world may be changed.
package structure

import (
	"math/bits"

	"github.com/flatecs/flatecs/manager"
)

// A Change is the operation of a streak.
type Change uint8

// The operations of streaks.
const (
	Disposal Change = iota
	Addition        // of a component at home, or a mark
	Removal
)

// A Streak is one change of objects of a block that were recorded one by one, ascending. The bytes
// come out as if the changes had been made one by one.
type Streak struct {
	change  Change
	manager *manager.Manager // of the kind that is added or removed
	block   uint32
	objects uint64 // of the block, a bit each; 0: no streak
}

// joins reports whether a change of an object continues the streak.
func (t *Streak) joins(change Change, m *manager.Manager, object uint32) bool {
	return t.change == change && t.manager == m && t.block == object>>6 &&
		t.objects != 0 && t.objects < 1<<(object&63)
}

// Ready carries out the streak if a change of an object does not continue it.
func (t *Streak) Ready(a *manager.Arena, change Change, m *manager.Manager, object uint32) {
	if !t.joins(change, m, object) {
		t.CarryOut(a)
	}
}

// Join adds an object to a streak, after Ready.
func (t *Streak) Join(change Change, m *manager.Manager, object uint32) {
	if t.objects == 0 {
		t.change, t.manager, t.block = change, m, object>>6
	}
	t.objects |= 1 << (object & 63)
}

// CarryOut carries out the streak and clears it.
func (t *Streak) CarryOut(a *manager.Arena) {
	x := t.objects
	if t.objects = 0; x == 0 {
		return
	}
	object := t.block<<6 + uint32(bits.TrailingZeros64(x))
	alone := x&(x-1) == 0
	switch {
	case t.change == Disposal:
		DisposeBlock(a, t.block, x)
	case t.change == Addition && alone:
		_, _ = t.manager.Add(object) // takes the home row
	case t.change == Addition:
		t.manager.AddBlock(t.block, x)
	case alone:
		t.manager.Drop(object)
	default:
		t.manager.DropBlock(t.block, x)
	}
}
