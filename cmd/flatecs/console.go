package main

import (
	"context"
	"io"
	"time"

	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// A console lets steps take the time that they stand for, and somebody press keys meanwhile:
//
//	space, Enter, Up, a click   the first input of the scene, where the keys are to play
//	p                           pause, and go on
//	q, Escape                   end
type console struct {
	player player // who says how many steps there are, and may play
	plays  bool   // whether the keys do
	keys   <-chan terminal.Key
	run    context.Context // ends when the run is interrupted
	timer  *time.Timer
	due    time.Time // of the next step
	paused bool
	ended  bool
	input  scene.Input
}

const tooLate = 250 * time.Millisecond // what is later than that is not made up for

// next waits until the next step is due.
func (c *console) next(played uint64, state world.State) (scene.Input, error) {
	if now := time.Now(); now.Sub(c.due) > tooLate {
		c.due = now
	}
	c.timer.Reset(time.Until(c.due))
	c.input = 0
	for waiting := true; waiting && !c.ended; {
		select {
		case key, open := <-c.keys:
			if !open {
				c.keys = nil
			}
			c.press(key)
		case <-c.timer.C:
			waiting = c.paused
			c.timer.Reset(scene.StepTime)
		case <-c.run.Done():
			return 0, interrupted(c.run)
		}
	}
	c.due = c.due.Add(scene.StepTime)
	if c.ended {
		return 0, io.EOF
	}
	input, err := c.player.next(played, state)
	if c.plays {
		input |= c.input
	}
	return input, err
}

func (c *console) far(played uint64) (done, total int64) { return c.player.far(played) }

// press does what a key is for.
func (c *console) press(key terminal.Key) {
	switch key {
	case terminal.Space, terminal.Enter, terminal.Up, terminal.Click:
		c.input |= 1
	case 'p', 'P':
		c.paused = !c.paused
	case 'q', 'Q', terminal.Escape:
		c.ended = true
	}
}

// late reports that the next step is due already, so that this one is not worth drawing.
func (c *console) late() bool { return time.Since(c.due) > scene.StepTime }
