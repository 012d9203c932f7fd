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
	"github.com/flatecs/flatecs/systems/internal/kind"
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
//
// Objects that leave nothing in an order are disposed block by block, however they were named.
type Streak struct {
	change  Change
	manager *manager.Manager // of the kind that is added or removed
	block   uint32
	objects uint64   // of the block, a bit each; 0: no streak
	Leaving *Leaving // may be of an earlier streak
}

// Leaving are objects that are to be disposed and leave nothing in an order.
type Leaving struct {
	objects []uint64 // a bit per object
	blocks  []uint32 // that have some, as they were named
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

// Disposes reports whether no other change is left to be carried out than disposals.
func (t *Streak) Disposes() bool { return t.change == Disposal }

// Dispose adds the disposal of a live object. No other change is left to be carried out. It may be
// named again.
func (t *Streak) Dispose(a *manager.Arena, object uint32) {
	k, bit := object>>6, uint64(1)<<(object&63)
	if l := t.Leaving; l != nil && int(k) < len(l.objects) && l.objects[k] != 0 {
		l.objects[k] |= bit
		return
	}
	t.disposeFirst(a, object, bit)
}

// disposeFirst is Dispose for the first of a block, or an object whose order matters.
//
//go:noinline
func (t *Streak) disposeFirst(a *manager.Arena, object uint32, bit uint64) {
	if k := object >> 6; manager.LeavesNoOrder(a, k) {
		if t.Leaving == nil {
			t.Leaving = new(Leaving)
		}
		l := t.Leaving
		l.objects, l.blocks = kind.Grow(l.objects, k), append(l.blocks, k)
		l.objects[k] = bit
		return
	}
	if t.Ready(a, Disposal, nil, object); a.Objects.Words()[object>>6]&bit != 0 {
		t.Join(Disposal, nil, object)
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
	if l := t.Leaving; l != nil {
		for _, k := range l.blocks {
			x := l.objects[k]
			l.objects[k] = 0
			DisposeBlock(a, k, x)
		}
		l.blocks = l.blocks[:0]
	}
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
