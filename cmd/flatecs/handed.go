package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/console"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
)

var (
	// errHandedOver is the error of a run that another program continues.
	errHandedOver = errors.New("another program plays on")

	errHandedRecord = errors.New("--record: a recording begins at the start of a scene, and " +
		"another program began this world")
)

// playedKey names the number of steps, which travels with the world.
const playedKey = "played"

// shownKey names the display settings, which travel with the world.
const shownKey = "shown"

// join takes over the world of the previous program, if a supervisor has one.
func (r *sceneRun) join(stderr io.Writer) error {
	h, err := hand.Join(hand.Options{Save: r.saveOptions(), Signals: true, Out: stderr})
	if err != nil || !h.Supervised() {
		return err
	}
	first := r.state
	r.handed = true
	state, err := h.World(world.CountsOf(first), func() (world.State, error) {
		r.handed = false
		return first, nil
	})
	if err != nil {
		return err
	}
	r.hand, r.state = h, state
	h.OnOffer(r.offer)
	h.Keep(playedKey, func(dst []byte) []byte { return strconv.AppendUint(dst, r.played, 10) })
	if r.tape, err = h.NewTape(state, int(time.Second/scene.StepTime), 1); err != nil {
		return err
	}
	if r.handed {
		world.Close(first)
	}
	if played := h.Bytes(playedKey); played != nil {
		if r.played, err = strconv.ParseUint(string(played), 10, 64); err != nil {
			return fmt.Errorf("steps of the previous program: %w", err)
		}
	}
	return nil
}

// offer restores the terminal, and adds the data that travels with the world.
func (r *sceneRun) offer(o *hand.Offer) error {
	if c := r.terminal(); c != nil {
		c.Pause()
		o.OnRefused(c.Resume)
	}
	if r.drawer != nil && r.drawer.shown != nil {
		shown, err := json.Marshal(r.drawer.shown.Mode())
		if err != nil {
			return err
		}
		o.Bytes(shownKey, shown)
	}
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

// handOver lets the next program take the world, if the supervisor asks. Then the error is
// errHandedOver.
func (r *sceneRun) handOver() error {
	if r.hand == nil {
		return nil
	}
	switch on := r.hand.Continue(r.state); {
	case on:
		return nil
	case r.hand.Code() == 0:
		return errHandedOver
	}
	return errInterrupted
}

// taped returns the input of the next step: the given input, or in a loop the tape's.
func (r *sceneRun) taped(input scene.Input) (scene.Input, error) {
	if r.tape == nil {
		return input, nil
	}
	r.typed[0] = byte(input)
	state, now, err := r.tape.Next(r.state, r.typed[:])
	r.state = state
	if err != nil {
		return 0, err
	}
	return scene.Input(now[0]), nil
}

// showHand adds the keys of a supervised run to a console.
func (r *sceneRun) showHand(c *console.Console) error {
	if r.hand == nil {
		return nil
	}
	c.Other = r.press
	r.noteHand(c)
	if text := r.hand.Bytes(shownKey); text != nil {
		mode := c.Mode()
		if err := json.Unmarshal(text, &mode); err != nil {
			return fmt.Errorf("keys of the previous program: %w", err)
		}
		c.SetMode(mode)
	}
	return nil
}

func (r *sceneRun) noteHand(c *console.Console) {
	c.Note = "u undoes a change"
	switch {
	case r.tape.Looping():
		c.Note += " · r plays on"
	case r.tape.Records():
		c.Note += " · r loops"
	}
}

// press handles the additional keys of a supervised run.
func (r *sceneRun) press(key terminal.Key) {
	switch key {
	case 'u', 'U':
		r.hand.Undo()
	case 'r', 'R':
		r.tape.Loop(!r.tape.Looping())
		r.noteHand(r.drawer.shown)
	}
}
