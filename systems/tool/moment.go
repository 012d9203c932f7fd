package tool

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// A Moment is a time in the life of one kind in one world, for what is computed from its values and
// kept beside the world. While two Moments are equal, the same objects have the kind, with the same
// values. The zero Moment is no time of any world.
type Moment struct {
	world             *manager.Arena
	written, reshaped uint64
}

// MomentOf returns the moment of a kind. What a task writes counts when all tasks have ended, and
// what a walk writes when its batch has. It panics if the world does not have the kind.
func MomentOf(s systems.State, k layout.Kind) Moment {
	m := of(s, k)
	return Moment{systems.ArenaOf(s), m.Stamps.Written, m.Stamps.Reshaped()}
}
