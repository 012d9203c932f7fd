package main

import (
	"io"
	"math"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// A player says what is pressed in each step.
type player interface {
	// next returns the input of the step after so many, or the error io.EOF when there is none.
	next(played uint64, state world.State) (scene.Input, error)
	// far returns how far the run has come after so many steps, of how much.
	far(played uint64) (done, total int64)
}

// steady is a player for a number of steps, or for ever: one who knows how to play, if there is
// such a one, or who presses nothing.
type steady struct {
	frames *uint64 // nil: no end
	pilot  func(world.State) scene.Input
}

func (p *steady) next(played uint64, state world.State) (scene.Input, error) {
	switch {
	case p.frames != nil && played >= *p.frames:
		return 0, io.EOF
	case p.pilot == nil:
		return 0, nil
	}
	return p.pilot(state), nil
}

func (p *steady) far(played uint64) (done, total int64) {
	if p.frames == nil {
		return int64(played), unknown
	}
	return int64(played), int64(min(*p.frames, math.MaxInt64))
}
