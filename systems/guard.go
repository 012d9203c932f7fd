package systems

import "math"

// ended is the turn of a world that was closed.
const ended = math.MaxUint64

// A guard tells states that were used up from the valid one, and Writers that have ended from those
// that are open.
//
//	state    1 ──Add──▶ 2 ──Move──▶ 3     the world's turn is 3: the states of 1 and 2 are used up
//	shape    1          2           2     Writers that were opened before Add have ended
type guard struct {
	Turn     uint64 // changes so far
	Shape    uint64 // of them, those of structure
	Frozen   bool   // a world that is only read: a snapshot's, or one that is
	Borrowed bool   // over bytes of others, which may be closed
}
