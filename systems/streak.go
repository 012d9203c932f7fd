package systems

import (
	"math/bits"

	"github.com/flatecs/flatecs/manager"
)

// A streak is the same change to several objects of a block, ascending: [Apply] and
// [DisposeGameObject] carry it out at once. The resulting bytes are the same as one by one.
type streak struct {
	change  opcode           // opDispose, opAdd or opRemove
	manager *manager.Manager // of the kind that is added or removed
	block   uint32
	objects uint64 // of the block, a bit each; 0: no streak
}

// joins reports whether a change of an object continues the streak.
func (t *streak) joins(change opcode, m *manager.Manager, object uint32) bool {
	return t.change == change && t.manager == m && t.block == object>>6 &&
		t.objects != 0 && t.objects < 1<<(object&63)
}

// ready carries out the streak if a change of an object does not continue it.
func (j *job) ready(t *streak, change opcode, m *manager.Manager, object uint32) {
	if !t.joins(change, m, object) {
		j.carryOut(t)
	}
}

// add adds an object to a streak, after ready.
func (t *streak) add(change opcode, m *manager.Manager, object uint32) {
	if t.objects == 0 {
		t.change, t.manager, t.block = change, m, object>>6
	}
	t.objects |= 1 << (object & 63)
}

// carryOut carries out the streak and clears it.
func (j *job) carryOut(t *streak) {
	x := t.objects
	if t.objects = 0; x == 0 {
		return
	}
	object := t.block<<6 + uint32(bits.TrailingZeros64(x))
	alone := x&(x-1) == 0
	switch {
	case t.change == opDispose && alone:
		j.dispose(object)
	case t.change == opDispose:
		j.disposeBlock(t.block, x)
	case t.change == opAdd && alone:
		_, _ = t.manager.Add(object) // takes the home row
	case t.change == opAdd:
		t.manager.AddBlock(t.block, x)
	case alone:
		t.manager.Drop(object)
	default:
		t.manager.DropBlock(t.block, x)
	}
}

// disposeBlock disposes the live objects x of a block with all their components. It visits only the
// managers of kinds that some object of the block has.
func (j *job) disposeBlock(block uint32, x uint64) {
	for m := range j.Among(block) {
		m.DisposeBlock(block, x)
	}
	j.Objects.DisposeBlock(block, x)
}

// dispose is disposeBlock for one object.
func (j *job) dispose(object uint32) {
	for m := range j.Among(object >> 6) {
		m.Drop(object)
	}
	j.Objects.Dispose(object)
}
