package main

import (
	"context"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/console"
	"github.com/flatecs/flatecs/world"
)

// A watching is a player that runs at the scene's own speed and obeys keys.
type watching struct {
	player  player // decides the number of steps, and may play
	console *console.Console
	run     context.Context // ends when the run is interrupted
}

// next waits until the next step is due.
func (w *watching) next(played uint64, state world.State) (scene.Input, error) {
	typed, err := w.console.Wait(w.run)
	if w.run.Err() != nil {
		return 0, interrupted(w.run)
	}
	if err != nil {
		return 0, err
	}
	input, err := w.player.next(played, state)
	return w.console.Pressed(input|typed, state), err
}

func (w *watching) far(played uint64) (done, total int64) { return w.player.far(played) }
