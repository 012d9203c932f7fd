package tool

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// A Moment is a time in the life of one kind in one world, for what is computed from its values and
// kept beside the world.
type Moment = systems.Moment

// MomentOf returns the moment of a kind. While the moments of two calls are equal, the same objects
// have the kind, with the same values. It is over if the kind was written in the current tick:
// later writes of this tick then look like the earlier ones, until [systems.Advance]. It panics if
// the world does not have the kind.
func MomentOf(s systems.State, k layout.Kind) (now Moment, over bool) {
	return systems.ArenaOf(s).Moment(k)
}
