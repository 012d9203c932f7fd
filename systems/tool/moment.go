package tool

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// A Moment identifies the contents of one kind in one world at one time, for caches of results
// outside the world. While two Moments are equal, the same objects have the kind, with the same
// values. The zero Moment equals no Moment of a world.
type Moment struct {
	world             *manager.Arena
	written, reshaped uint64
}

// MomentOf returns the moment of a kind. Writes of a task count when all tasks have ended, and
// writes of a walk when their batch has. It panics if the world does not have the kind.
func MomentOf(s systems.State, k layout.Kind) Moment {
	m := of(s, k)
	return Moment{systems.ArenaOf(s), m.Stamps.Written, m.Stamps.Reshaped()}
}
