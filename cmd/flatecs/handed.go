package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
)

var (
	// errHandedOver is the error of a run that another program goes on with.
	errHandedOver = errors.New("another program plays on")

	errHandedRecord = errors.New("--record: a recording begins where the scene does, and this " +
		"world is another program's")
)

// playedKey names the number of steps, which goes with the world to the next program.
const playedKey = "played"

// join takes over the world of the program before, if a supervisor has one for this program.
func (r *sceneRun) join(stderr io.Writer) error {
	h, err := hand.Join(hand.Options{Save: r.saveOptions(), Signals: true, Out: stderr})
	if err != nil || !h.Supervised() {
		return err
	}
	first := r.state
	state, err := h.World(world.CountsOf(first), func() (world.State, error) { return first, nil })
	if err != nil {
		return err
	}
	r.hand, r.state = h, state
	h.OnOffer(r.offer)
	if played := h.Bytes(playedKey); played != nil {
		world.Close(first)
		r.handed = true
		if r.played, err = strconv.ParseUint(string(played), 10, 64); err != nil {
			return fmt.Errorf("steps of the program before: %w", err)
		}
	}
	return nil
}

// offer gives the terminal back, and adds what goes with the world.
func (r *sceneRun) offer(o *hand.Offer) error {
	if c := r.terminal(); c != nil {
		c.Pause()
	}
	o.Bytes(playedKey, strconv.AppendUint(nil, r.played, 10))
	return nil
}

// terminal returns the canvas of a run that draws in a terminal, or nil.
func (r *sceneRun) terminal() *terminal.Canvas {
	if r.drawer == nil {
		return nil
	}
	c, _ := r.drawer.canvas.(*terminal.Canvas)
	return c
}

// handOver lets another program go on with the world, if one is to: then the error is
// errHandedOver.
func (r *sceneRun) handOver() error {
	if r.hand == nil {
		return nil
	}
	on := r.hand.Continue(r.state)
	switch c := r.terminal(); {
	case on && c != nil:
		c.Resume() // where it was given back for nothing
		return nil
	case on:
		return nil
	case r.hand.Code() == 0:
		return errHandedOver
	}
	return errInterrupted
}
