package main

import (
	"io"
	"math"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// A player provides the input of each step.
type player interface {
	// next returns the input of the step after played steps, or io.EOF at the end.
	next(played uint64, state world.State) (scene.Input, error)
	// far returns the progress of the run after played steps.
	far(played uint64) (done, total int64)
}

// steady is a player for a number of steps, or without an end. It uses the scene's own player, if
// any; otherwise it presses no key.
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
