package pack

import (
	"fmt"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// Global is the kind of global ids: numbers from 1 to 2⁶³−1 that name an object in every world that
// it is packed into. Counts.Globals is the number of objects of a world that can have one. It is a
// component: objects with a global id match With(Global), and do not match world.Only of other
// kinds. world.Copy omits it, because global ids are unique in a world.
var Global = systems.GlobalKind

// Errors of global ids.
var (
	ErrGlobal = systems.ErrGlobal // a global id is not between 1 and 2⁶³−1
	ErrTaken  = systems.ErrTaken  // another object of the world has the global id
)

// SetGlobal sets or replaces the global id of an object. The error wraps [ErrGlobal], [ErrTaken],
// [world.ErrFull], [world.ErrDead], [world.ErrOutOfRange], [world.ErrWalking], or [world.ErrNoKind]
// if the world has no global ids.
func SetGlobal(s world.State, id world.GameObject, global uint64) (world.State, error) {
	return systems.SetGlobal(s, id, global)
}

// GlobalOf returns the global id of an object, or 0 if the object got the kind by [world.Add] and
// no number was set. The error wraps [world.ErrAbsent], [world.ErrDead], [world.ErrOutOfRange], or
// [world.ErrNoKind] if the world has no global ids.
func GlobalOf(s world.State, id world.GameObject) (uint64, error) { return systems.GlobalOf(s, id) }

// Globals returns the global ids of the objects of a batch, in place: do not write to them. It
// panics if the batch's query does not read [Global].
func Globals(b world.Batch) []uint64 { return systems.Globals(b) }

// ByGlobal returns the object with a global id, if any. It panics if the world has no global ids.
func ByGlobal(s world.State, global uint64) (world.GameObject, bool) {
	return systems.ByGlobal(s, global)
}

// NextGlobal returns a global id for a child of parent, and counts it in the parent: a SplitMix64
// hash of the parent's global id and that count. So it does not depend on the parent's world, nor
// on other objects created there. It returns the errors of [GlobalOf]; or the error wraps
// [ErrGlobal] if the parent's number is 0, or [world.ErrWalking].
func NextGlobal(s world.State, parent world.GameObject) (world.State, uint64, error) {
	return systems.NextGlobal(s, parent)
}

// NewGlobal gives an object a new global id, a hash of the object's id, which is never reused, and
// of the world's seed; so no counter is needed, also after a load. It returns that number, or the
// object's existing global id. Worlds that exchange objects need different Seeds in their Counts.
// The error wraps [world.ErrFull], [world.ErrDead], [world.ErrOutOfRange], [world.ErrWalking], or
// [world.ErrNoKind] if the world has no global ids.
func NewGlobal(s world.State, id world.GameObject) (world.State, uint64, error) {
	return systems.NewGlobal(s, id)
}

// A globals is the set of global ids in a pack that is being read.
type globals struct{ numbers map[uint64]struct{} }

// add adds the global ids of n objects, at the start of column. It checks that no other object has
// one of them.
func (g *globals) add(s world.State, column []byte, n int) error {
	if g.numbers == nil {
		g.numbers = make(map[uint64]struct{})
	}
	for at := 0; at < 8*n; at += 8 {
		number := little.Uint64(column[at:])
		if number == 0 {
			continue
		}
		if number&inside != 0 {
			return damaged("global id %d is above 2⁶³−1", number)
		}
		if _, twice := g.numbers[number]; twice {
			return damaged("two objects have global id %d", number)
		}
		g.numbers[number] = struct{}{}
		if id, taken := systems.ByGlobal(s, number); taken {
			return fmt.Errorf("pack: global id %d: %w, %v; dispose it first, or set WithoutGlobals",
				number, ErrTaken, id)
		}
	}
	return nil
}
