// Package console lets somebody watch and play a scene in a terminal: its steps take the time that
// they stand for, keys do what the line below the picture says.
//
//	space, Enter, a click    the scene's first input, where it hears any; ↑, too
//	← → ↑ ↓ + - 0            turn the view, come nearer, and back
//	a                        the scene's own pilot plays, and no longer
//	l                        lines that show where things are heading
//	p                        pause, and go on
//	q, Escape                end
//
// To play: [New], [Console.Wait], [Console.Late]; to draw: [scene.View.Draw] of the Console.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

const (
	tooLate = 250 * time.Millisecond // what is later than that is not made up for
	unseen  = 100 * time.Millisecond // after that even a late step is drawn
	turns   = .12                    // radians that a key turns the view
	nearer  = 1.15                   // times larger
)

// A Console says when the next step of a scene is due, and what is pressed in it.
type Console struct {
	*scene.View
	Pilot bool // the scene's own one presses, too
	Plays bool // keys press the scene's input

	Other func(term.Key) // hears the other keys; nil: they turn the view
	Note  string         // what those do, for the line below the picture

	scene  *scene.Scene
	canvas *term.Canvas
	keys   <-chan term.Key
	timer  *time.Timer
	due    time.Time // of the next step
	drawn  time.Time // when the latest step was worth drawing
	steps  int
	paused bool
	ended  bool
	input  scene.Input
}

// Footer returns what a canvas is to write below the picture of a scene before anything is pressed.
func Footer(sc *scene.Scene) string {
	return (&Console{View: &scene.View{}, scene: sc, Plays: true}).Footer()
}

// New returns a console for a scene that a canvas draws, whose keys it takes. Keys play it, unless
// that is changed.
func New(sc *scene.Scene, canvas *term.Canvas) *Console {
	return &Console{
		View: scene.NewView(sc, canvas), Plays: true,
		scene: sc, canvas: canvas, keys: canvas.Keys(), timer: time.NewTimer(0),
	}
}

// ErrPaused is the error of a step that is not to be taken yet.
var ErrPaused = errors.New("console: the scene is paused")

// Wait waits until the next step is due, and returns what is pressed in it; or [io.EOF] when
// somebody has ended the scene, or the context's cause. While it is paused it returns [ErrPaused]
// after the time of a step.
func (c *Console) Wait(ctx context.Context) (scene.Input, error) {
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
			waiting = false
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
	c.drain()
	c.due = c.due.Add(scene.StepTime)
	switch {
	case c.ended:
		return 0, io.EOF
	case c.paused:
		return 0, ErrPaused
	}
	c.steps++
	return c.input, nil
}

// drain hears what was typed before the step was due.
func (c *Console) drain() {
	for range len(c.keys) {
		c.press(<-c.keys)
	}
}

// Steps returns for how many steps somebody waited.
func (c *Console) Steps() int { return c.steps }

// Late reports that the next step is due already, so that this one is not worth drawing. However
// long steps take, ten in a second are.
func (c *Console) Late() bool {
	now := time.Now()
	if now.Sub(c.due) > scene.StepTime && now.Sub(c.drawn) < unseen {
		return true
	}
	c.drawn = now
	return false
}

// Pressed adds what the scene's pilot presses, while it plays.
func (c *Console) Pressed(input scene.Input, s world.State) scene.Input {
	if c.Pilot && c.scene.Pilot != nil {
		input |= c.scene.Pilot(s)
	}
	return input
}

// press does what a key is for.
func (c *Console) press(key term.Key) {
	switch key {
	case 'p', 'P':
		c.paused = !c.paused
	case 'q', 'Q', term.Escape:
		c.ended = true
	case 'a', 'A':
		c.Pilot = !c.Pilot && c.Plays && c.scene.Pilot != nil
	case 'l', 'L':
		c.Lines = !c.Lines && c.scene.DrawGizmos != nil
	case term.Space, term.Enter, term.Click:
		c.flap()
	case term.Up:
		c.flap()
		c.turn(key)
	default:
		c.turn(key)
		if c.Other != nil {
			c.Other(key)
		}
	}
	if c.canvas != nil {
		c.canvas.Footer(c.Footer())
	}
}

func (c *Console) flap() {
	if c.Plays {
		c.input |= 1
	}
}

// A Mode is what keys have set.
type Mode struct{ Paused, Pilot, Lines bool }

// Mode returns what keys have set.
func (c *Console) Mode() Mode { return Mode{c.paused, c.Pilot, c.Lines} }

// SetMode sets it, as keys would.
func (c *Console) SetMode(m Mode) { c.paused, c.Pilot, c.Lines = m.Paused, m.Pilot, m.Lines }

// turn turns the view.
func (c *Console) turn(key term.Key) {
	by := render.Bearing{Zoom: 1}
	switch key {
	case term.Left:
		by.Yaw = -turns
	case term.Right:
		by.Yaw = turns
	case term.Up:
		by.Pitch = turns
	case term.Down:
		by.Pitch = -turns
	case '+', '=':
		by.Zoom = nearer
	case '-':
		by.Zoom = 1 / nearer
	case '0':
		c.Back()
	}
	c.Turn(by)
}

// Footer says what keys do.
func (c *Console) Footer() string {
	parts := []string{c.scene.Name}
	if c.paused {
		parts[0] += ", paused"
	}
	parts = append(parts, "q ends", map[bool]string{true: "p goes on", false: "p pauses"}[c.paused])
	if len(c.scene.Inputs) > 0 && c.Plays {
		parts = append(parts[:1], append([]string{
			fmt.Sprintf("space or a click: %s", c.scene.Inputs[0]),
		}, parts[1:]...)...)
	}
	if c.scene.Pilot != nil && c.Plays {
		parts = append(parts, onOff("a", "autopilot", c.Pilot))
	}
	if c.scene.DrawGizmos != nil {
		parts = append(parts, onOff("l", "lines", c.Lines))
	}
	if len(c.scene.Inputs) == 0 {
		parts = append(parts, "arrows turn", "+ − 0 zoom")
	}
	if c.Note != "" {
		parts = append(parts, c.Note)
	}
	return strings.Join(parts, " · ")
}

func onOff(key, what string, on bool) string {
	if on {
		return key + " " + what + " off"
	}
	return key + " " + what
}
