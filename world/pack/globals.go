package pack

import (
	"fmt"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// Global is the kind of global ids: numbers from 1 to 2⁶³−1 that name an object in every world that
// it is packed into. Counts.Globals says how many objects of a world can have one. It is a
// component: objects with a global id match With(Global), and do not match [world.Only] of other
// kinds. [world.Copy] leaves it away, because no two objects of a world have the same.
var Global = systems.GlobalKind

// Errors of global ids.
var (
	ErrGlobal = systems.ErrGlobal // a global id is not between 1 and 2⁶³−1
	ErrTaken  = systems.ErrTaken  // another object of the world has the global id
)

// SetGlobal gives an object a global id, or another one. The error wraps [ErrGlobal], [ErrTaken],
// [world.ErrFull], [world.ErrDead], [world.ErrOutOfRange], [world.ErrWalking], or [world.ErrNoKind]
// if the world has no global ids.
func SetGlobal(s world.State, id world.GameObject, global uint64) (world.State, error) {
	return systems.SetGlobal(s, id, global)
}

// GlobalOf returns the global id of an object, or 0 if [world.Add] gave it the kind and it got no
// number yet. The error wraps [world.ErrAbsent], [world.ErrDead], [world.ErrOutOfRange], or
// [world.ErrNoKind] if the world has no global ids.
func GlobalOf(s world.State, id world.GameObject) (uint64, error) { return systems.GlobalOf(s, id) }

// Globals returns the global ids of the objects of a batch, in place: do not write to them. It
// panics if the batch's query does not read [Global].
func Globals(b world.Batch) []uint64 { return systems.Globals(b) }

// ByGlobal returns the object that has a global id, if there is one. It panics if the world has no
// global ids.
func ByGlobal(s world.State, global uint64) (world.GameObject, bool) {
	return systems.ByGlobal(s, global)
}

// NextGlobal makes a global id for an object that another one gives birth to, and counts it in that
// parent: a hash of the parent's global id and how many were made from it before, SplitMix64 of
// both. So it does not depend on the world that the parent is in, nor on what else is born there.
// The error wraps [ErrGlobal] if the parent's number is 0, or is one of [GlobalOf], or
// [world.ErrWalking].
func NextGlobal(s world.State, parent world.GameObject) (world.State, uint64, error) {
	return systems.NextGlobal(s, parent)
}

// NewGlobal gives an object a global id that is fresh: a hash of the object's id, which is never
// handed out again, and of the world's seed, so that nobody has to count, also after a load. It
// returns that number, or the one that the object has already. Worlds that exchange objects need
// different Seeds in their Counts. The error wraps [world.ErrFull], [world.ErrDead],
// [world.ErrOutOfRange], [world.ErrWalking], or [world.ErrNoKind] if the world has no global ids.
func NewGlobal(s world.State, id world.GameObject) (world.State, uint64, error) {
	return systems.NewGlobal(s, id)
}

// checkGlobals checks the global ids of n objects of a pack, which begin column: that no other
// object has one of them.
func (p *Packer) checkGlobals(k *kind, column []byte, n int) error {
	if p.numbers == nil {
		p.numbers = make(map[uint64]struct{})
	}
	if len(k.fields) == 0 || k.fields[0].Index != 0 {
		return damaged("its global ids have no numbers")
	}
	for at := 0; at < 8*n; at += 8 {
		number := little.Uint64(column[at:])
		if number == 0 {
			continue
		}
		if number&inside != 0 {
			return damaged("global id %d is above 2⁶³−1", number)
		}
		if _, twice := p.numbers[number]; twice {
			return damaged("two objects have global id %d", number)
		}
		p.numbers[number] = struct{}{}
		if id, taken := systems.ByGlobal(p.state, number); taken {
			return fmt.Errorf("pack: global id %d: %w, %v; dispose it first, or set WithoutGlobals",
				number, ErrTaken, id)
		}
	}
	return nil
}

// skip passes over the values of a kind that is left away.
func (r *reader) skip(k *kind, n int) {
	for _, f := range k.fields {
		r.Take(n * f.Stride)
	}
}
