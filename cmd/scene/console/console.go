// Package console shows a scene in a terminal for watching and playing: steps take their real time,
// and keys have the functions in the line below the picture.
//
//	space, Enter, a click    the scene's first input, if it has inputs; ↑, too
//	←                        held: time runs backwards
//	f                        a second future beside the first, and one again
//	a d w s + - 0            turn the view, come nearer, and back
//	a                        in a scene with a pilot: the pilot plays, or stops
//	l                        lines that show movement
//	p                        pause, and go on
//	q, Escape                end
//
// The line above it shows the number of objects, the time of a step, the frames per second, and the
// world's digest.
//
// To play: [New], [Times.Remember], [Console.Wait], [Times.Step], [Console.Late]; to draw:
// [Times.Draw].
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

const (
	tooLate = 250 * time.Millisecond // later steps are not made up for
	unseen  = 100 * time.Millisecond // then even a late step is drawn
	told    = time.Second            // between two updates of the status line
	turns   = .12                    // radians per key press
	nearer  = 1.15                   // factor per key press
)

// A Console determines when the next step of a scene is due, and its input.
type Console struct {
	*scene.View
	Times Times
	Pilot bool // the scene's pilot also gives inputs
	Plays bool // keys give inputs

	Other func(term.Key) // receives other keys; nil: they turn the view
	Note  string         // description of the other keys, for the line below the picture

	scene  *scene.Scene
	canvas *term.Canvas
	keys   <-chan term.Key
	timer  *time.Timer
	pace   pace
	paused bool
	ended  bool
	input  scene.Input
	status status
}

// A pace determines when to step and to draw.
type pace struct {
	due   time.Time // time of the next step
	drawn time.Time // when a step was last worth drawing
}

// A status is the data of the status line for the last second.
type status struct {
	since  time.Time
	steps  int
	spent  time.Duration // by the steps
	frames int
	line   string // without the scene's name
}

// Footer returns the initial footer for a canvas.
func Footer(sc *scene.Scene) string {
	return (&Console{View: &scene.View{}, scene: sc, Plays: true}).Footer()
}

// New returns a console for a scene on a canvas, whose keys it reads. Keys play the scene by
// default.
func New(sc *scene.Scene, canvas *term.Canvas) *Console {
	c := &Console{
		View: scene.NewView(sc, canvas), Plays: true,
		scene: sc, canvas: canvas, keys: canvas.Keys(), timer: time.NewTimer(0),
	}
	c.Times.console = c
	return c
}

// ErrPaused is the error of a step that must not be taken yet.
var ErrPaused = errors.New("console: the scene is paused")

// Wait waits until the next step is due, and returns its input. It returns [io.EOF] when the user
// has ended the scene, or the context's cause. While the scene is paused it returns [ErrPaused]
// after the time of a step.
func (c *Console) Wait(ctx context.Context) (scene.Input, error) {
	if now := time.Now(); now.Sub(c.pace.due) > tooLate {
		c.pace.due = now
	}
	c.timer.Reset(time.Until(c.pace.due))
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
	c.pace.due = c.pace.due.Add(c.scene.StepTime())
	switch {
	case c.ended:
		return 0, io.EOF
	case c.Times.rewinds():
		return 0, nil
	case c.paused:
		return 0, ErrPaused
	}
	return c.input, nil
}

// drain handles the keys that were typed before the step was due.
func (c *Console) drain() {
	for range len(c.keys) {
		c.press(<-c.keys)
	}
}

// Late reports whether the next step is due already, so that this one should not be drawn. It
// returns false at least ten times a second.
func (c *Console) Late() bool {
	now := time.Now()
	if now.Sub(c.pace.due) > c.scene.StepTime() && now.Sub(c.pace.drawn) < unseen {
		return true
	}
	c.pace.drawn = now
	c.status.frames++
	return false
}

// Stepped reports a step: the world after it, and its duration. The status line is updated each
// second.
func (c *Console) Stepped(s world.State, spent time.Duration) {
	now := time.Now()
	if c.status.since.IsZero() {
		c.status.since = now
	}
	c.status.steps++
	c.status.spent += spent
	if now.Sub(c.status.since) >= told {
		c.tell(s, now)
	}
}

// tell updates the status line.
func (c *Console) tell(s world.State, now time.Time) {
	t := &c.status
	ms := t.spent.Seconds() * 1000 / float64(t.steps)
	t.line = fmt.Sprintf("%s%s%s%.1f ms/step%s%.0f fps%s",
		gap, grouped(world.Len(s)), " objects"+gap, ms, gap,
		float64(t.frames)/now.Sub(t.since).Seconds(), gap) + c.Times.digests(s)
	*t = status{since: now, line: t.line}
	c.show()
}

// Seen describes a world in the status line.
func Seen(s world.State) string {
	return fmt.Sprintf("A world of %s objects and %.3g MB", grouped(world.Len(s)),
		float64(len(world.Bytes(s)))/1e6)
}

// grouped returns a number with commas.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func (c *Console) show() {
	if c.canvas != nil {
		c.canvas.Footer(c.Footer())
	}
}

// Pressed adds the input of the scene's pilot, if it plays.
func (c *Console) Pressed(input scene.Input, s world.State) scene.Input {
	if c.Pilot && c.scene.Pilot != nil {
		input |= c.scene.Pilot(s)
	}
	return input
}

// press handles a key.
func (c *Console) press(key term.Key) {
	switch key {
	case 'p', 'P':
		c.paused = !c.paused
	case 'q', 'Q', term.Escape:
		c.ended = true
	case 'a', 'A':
		c.Pilot = !c.Pilot && c.Plays && c.scene.Pilot != nil
		if c.scene.Pilot == nil {
			c.turn(key)
		}
	case 'l', 'L':
		c.Lines = !c.Lines && c.scene.DrawGizmos != nil
	case 'f', 'F':
		c.Times.fork, c.Times.pressed = c.Times.On() && !c.Times.fork, time.Time{}
	case term.Left:
		c.Times.pressed = time.Now()
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
	c.show()
}

func (c *Console) flap() {
	if c.Plays {
		c.input |= 1
	}
}

// A Mode is the settings that keys change.
type Mode struct{ Paused, Pilot, Lines bool }

// Mode returns the current mode.
func (c *Console) Mode() Mode { return Mode{c.paused, c.Pilot, c.Lines} }

// SetMode sets the mode.
func (c *Console) SetMode(m Mode) { c.paused, c.Pilot, c.Lines = m.Paused, m.Pilot, m.Lines }

// turn turns the view.
func (c *Console) turn(key term.Key) {
	by := render.Bearing{Zoom: 1}
	switch key {
	case 'a', 'A':
		by.Yaw = -turns
	case 'd', 'D', term.Right:
		by.Yaw = turns
	case 'w', 'W', term.Up:
		by.Pitch = turns
	case 's', 'S', term.Down:
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

const gap = " · "

// Footer returns the status line, and below it the line that describes the keys.
func (c *Console) Footer() string {
	status := c.status.line
	switch {
	case c.Times.back:
		status = c.Times.line()
	case c.paused:
		status = ", paused" + status
	}
	var keys []string
	if len(c.scene.Inputs) > 0 && c.Plays {
		keys = append(keys, fmt.Sprintf("space or a click: %s", c.scene.Inputs[0]))
	}
	if c.Times.On() {
		keys = append(keys, "hold ←: back", onOff("f", "fork", c.Times.fork))
	}
	keys = append(keys, "q ends", map[bool]string{true: "p goes on", false: "p pauses"}[c.paused])
	if c.scene.Pilot != nil && c.Plays {
		keys = append(keys, onOff("a", "autopilot", c.Pilot))
	}
	if c.scene.DrawGizmos != nil {
		keys = append(keys, onOff("l", "lines", c.Lines))
	}
	if len(c.scene.Inputs) == 0 {
		keys = append(keys, "a d w s turn", "+ − 0 zoom")
	}
	if c.Note != "" {
		keys = append(keys, c.Note)
	}
	return c.scene.Name + status + "\n" + strings.Join(keys, gap)
}

func onOff(key, what string, on bool) string {
	if on {
		return key + " " + what + " off"
	}
	return key + " " + what
}
