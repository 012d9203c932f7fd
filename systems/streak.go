package systems

import (
	"math/bits"

	"github.com/flatecs/flatecs/manager"
)

// A streak is one change of objects of a block that were named one after the other, ascending:
// [Apply] and [DisposeGameObject] carry it out for all of them at once. The bytes come out as if it
// had been carried out one by one.
type streak struct {
	change  opcode           // opDispose, opAdd or opRemove
	manager *manager.Manager // of what is added or removed
	block   uint32
	objects uint64 // of the block, a bit each; none: there is no streak
}

// joins reports whether a change of an object goes on with the streak.
func (t *streak) joins(change opcode, m *manager.Manager, object uint32) bool {
	return t.change == change && t.manager == m && t.block == object>>6 &&
		t.objects != 0 && t.objects < 1<<(object&63)
}

// ready carries out a streak that a change of an object does not go on with.
func (j *job) ready(t *streak, change opcode, m *manager.Manager, object uint32) {
	if !t.joins(change, m, object) {
		j.carryOut(t)
	}
}

// add adds an object to a streak that is ready for it.
func (t *streak) add(change opcode, m *manager.Manager, object uint32) {
	if t.objects == 0 {
		t.change, t.manager, t.block = change, m, object>>6
	}
	t.objects |= 1 << (object & 63)
}

// carryOut carries out a streak, and leaves none.
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
		_, _ = t.manager.Add(object) // at home
	case t.change == opAdd:
		t.manager.AddBlock(t.block, x)
	case alone:
		t.manager.Drop(object)
	default:
		t.manager.DropBlock(t.block, x)
	}
}

// disposeBlock disposes the live objects x of a block, and all that they have. It asks only the
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
