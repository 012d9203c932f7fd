package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/gif"
	"github.com/flatecs/flatecs/cmd/render/png"
	"github.com/flatecs/flatecs/cmd/render/soft"
	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/console"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

// drawFlags are the flags for drawing a scene.
type drawFlags struct {
	Digest string  `help:"${digest}"  default:"none" enum:"last,every,none"`
	Render string  `help:"${picture}" default:"auto" enum:"auto,none,term,png,gif"`
	Out    newFile `help:"The picture to write: SCENE.png or SCENE.gif." placeholder:"FILE"`
	Size   extent  `help:"Picture size in pixels." placeholder:"WxH"`
	Every  uint16  `help:"Draw every Nth step: 3 in a GIF, else 1." placeholder:"N"`
	Gizmos bool    `help:"Also draw lines that show where objects are heading."`
	Small  bool    `help:"Write a GIF of half the file size."`
}

// extent is the size of a picture in pixels.
type extent struct{ width, height int }

const maxExtent = 1 << 13 // pixels, each way

// UnmarshalText reads WxH.
func (e *extent) UnmarshalText(text []byte) error {
	w, h, _ := strings.Cut(string(text), "x")
	width, errW := strconv.ParseUint(w, 10, 32)
	height, errH := strconv.ParseUint(h, 10, 32)
	if errW != nil || errH != nil || width-1 >= maxExtent || height-1 >= maxExtent {
		return fmt.Errorf("expected a size such as 640x360, at most %dx%[1]d", maxExtent)
	}
	*e = extent{int(width), int(height)}
	return nil
}

// check refuses flags that do not apply to the way of drawing.
func (f *drawFlags) check() error {
	file := f.Render == "png" || f.Render == "gif"
	kind := strings.TrimPrefix(strings.ToLower(filepath.Ext(string(f.Out))), ".")
	switch {
	case f.Out != "" && !file:
		return errors.New("--out: only pictures are written to a file; give --render png or gif")
	case file && kind != f.Render && (kind == "png" || kind == "gif"):
		return fmt.Errorf("--out %s: --render %s writes no %s; "+
			"give --render %[3]s, or another name", string(f.Out), f.Render, kind)
	case f.Small && f.Render != "gif":
		return errors.New("--small: for moving pictures only; give --render gif")
	case f.Size != extent{} && !file:
		return errors.New("--size: for pictures only; give --render png or gif")
	}
	return nil
}

// choose returns the way of drawing: in a terminal if there is one, otherwise as text.
func (f *drawFlags) choose(s streams) string {
	if f.Render != "auto" {
		return f.Render
	}
	file, isFile := s.out.(*os.File)
	switch {
	case shows(s) && term.IsTerminal(int(os.Stdin.Fd())),
		isFile && !isTerminal(file) && f.Digest == "none":
		return "term"
	}
	return "none"
}

func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// shows reports whether stdout is a terminal that can show animation.
func shows(s streams) bool {
	return isTerminal(s.out) && terminal.DepthOf(os.Getenv) != terminal.Text
}

// usualSteps returns the default number of steps; nil: until the user ends the run.
func (f *drawFlags) usualSteps(s streams) *uint64 {
	if f.watched(s) {
		return nil
	}
	n := cmp.Or(map[string]uint64{"gif": 180, "png": 120, "term": 240}[f.choose(s)], 600)
	return &n
}

// watched reports whether the scene is drawn in a terminal, where a user may play.
func (f *drawFlags) watched(s streams) bool { return f.choose(s) == "term" && shows(s) }

// draw adds a drawer to a run. A terminal can end the run by cancel.
func (f *drawFlags) draw(
	ctx context.Context, cancel context.CancelCauseFunc, r *sceneRun, s streams,
) error {
	how := f.choose(s)
	if how == "none" || r.story != nil { // a story logs by itself
		return nil
	}
	d := &drawer{every: uint64(f.Every)}
	size := f.Size
	if size == (extent{}) {
		size = usual(how, r.Scene)
	}
	picture := func() *soft.Canvas {
		return soft.New(r.Scene.Look(), soft.Options{Width: size.width, Height: size.height})
	}
	switch how {
	case "png":
		d.atEnd = true
		d.canvas = png.New(f.path(r.Scene, "png"), picture())
	case "gif":
		pace := r.Scene.StepTime()
		if d.every == 0 {
			d.every = max(uint64(3*scene.StepTime/pace), 1)
		}
		d.film = true
		options := gif.Options{
			Path: f.path(r.Scene, "gif"), Delay: gifDelay(time.Duration(d.every) * pace), Loss: 2,
		}
		if f.Small {
			options.Colours, options.Loss = 64, 24
		}
		d.canvas = gif.New(picture(), options)
	case "term":
		if err := d.inTerminal(ctx, cancel, r, s, f.Gizmos); err != nil {
			return err
		}
	}
	d.every = max(d.every, 1)
	view := scene.NewView(r.Scene, d.canvas)
	view.Lines, d.view = f.Gizmos, view
	if d.shown != nil {
		view, d.view = d.shown.View, &d.shown.Times
	}
	if f.Gizmos || d.shown != nil {
		view.Gizmos = stage.NewGizmos(max(world.Len(r.state), 1))
	}
	r.drawer = d
	d.canvas.Init()
	return nil
}

// gifDelay returns a duration in 1/100 s.
func gifDelay(d time.Duration) int { return int(d.Round(10*time.Millisecond).Milliseconds() / 10) }

// path returns the file name for a picture.
func (f *drawFlags) path(sc *scene.Scene, kind string) string {
	if f.Out != "" {
		return string(f.Out)
	}
	return sc.Name + "." + kind
}

// usual returns the default size of pictures: for a plane, or for a film.
func usual(how string, sc *scene.Scene) extent {
	size := extent{640, 360}
	if look := sc.Look(); look.W > 0 && look.H > 0 {
		size = extent{int(look.W), int(look.H)}
	}
	if how == "png" {
		return extent{2 * size.width, 2 * size.height}
	}
	return size
}

// A viewer draws a world: a view, or a console with two views.
type viewer interface {
	Draw(s world.State) (world.State, render.Report, error)
}

// A drawer draws a run.
type drawer struct {
	canvas render.Canvas
	view   viewer
	every  uint64           // steps
	atEnd  bool             // draw only the last state
	film   bool             // the film has a frame
	shown  *console.Console // nil: not in a terminal
	text   io.Writer        // for text output without a terminal; or nil
	drawn  uint64
	spent  time.Duration
	label  context.Context
}

// stepped draws the state after a number of steps, if it is due.
func (d *drawer) stepped(played uint64, state world.State) (world.State, error) {
	if d.atEnd || played%d.every != 0 || d.shown != nil && d.shown.Late() {
		return state, nil
	}
	return d.draw(state)
}

// take takes a step of a run, or goes a step back while that key is held; d may be nil.
func (d *drawer) take(r *sceneRun, input scene.Input) {
	switch {
	case d == nil || d.shown == nil:
		r.state = r.Step(r.state, input)
	case d.shown.Times.On():
		r.state = d.shown.Times.Step(r.state, input)
	default:
		begin := time.Now()
		r.state = r.Step(r.state, input)
		d.shown.Stepped(r.state, time.Since(begin))
	}
}

// rewind lets the keys of a terminal rewind and fork a run until end is called, unless an
// inspector, a recording or another watcher follows the run; d may be nil.
func (d *drawer) rewind(r *sceneRun) (end func()) {
	if d == nil || d.shown == nil || len(r.watchers) > 0 || r.hand != nil || r.past != nil ||
		r.recorder != nil {
		return func() {}
	}
	d.shown.Times.Remember(r.Play, r.state)
	return d.shown.Times.Close
}

// draw draws a frame. Its work has the label of a system.
//
//flatecs:allow deterministic the time that drawing takes is shown, and goes into no world
func (d *drawer) draw(state world.State) (world.State, error) {
	if d.label == nil {
		d.label = pprof.WithLabels(context.Background(), pprof.Labels("system", "Draw"))
	}
	start := time.Now()
	pprof.SetGoroutineLabels(d.label)
	state, _, err := d.view.Draw(state)
	pprof.SetGoroutineLabels(context.Background())
	d.spent += time.Since(start)
	d.drawn++
	return state, err
}

// close finishes the drawing, after success or failure.
func (d *drawer) close(state world.State, why error) (world.State, error) {
	var err error
	if (d.atEnd || d.film && d.drawn == 0) && (why == nil || errors.Is(why, errInterrupted)) {
		state, err = d.draw(state)
	}
	err = cmp.Or(err, d.canvas.Close())
	if d.text != nil && err == nil {
		_, err = fmt.Fprintf(d.text, "%s. In a terminal it moves.\n", console.Seen(state))
	}
	return state, err
}

// inTerminal creates the canvas for a terminal, or for the final text without one.
func (d *drawer) inTerminal(
	ctx context.Context, cancel context.CancelCauseFunc, r *sceneRun, s streams, gizmos bool,
) error {
	out, ok := s.out.(*os.File)
	if !ok {
		return errors.New("--render term: standard output is neither a terminal nor a file")
	}
	options := terminal.Options{
		Out: out, Depth: terminal.DepthOf(os.Getenv),
		Signal: func(s os.Signal) { cancel(interruption{s}) },
		Footer: console.Footer(r.Scene),
	}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		options.In = os.Stdin
	}
	canvas := terminal.New(r.Scene.Look(), options)
	d.canvas = canvas
	if d.atEnd = !shows(s); d.atEnd {
		d.text = out
		return nil
	}
	d.shown = console.New(r.Scene, canvas)
	d.shown.Plays, d.shown.Lines = r.keys, gizmos
	if p, steady := r.player.(*steady); steady && p.pilot != nil {
		d.shown.Plays, d.shown.Pilot, p.pilot = true, true, nil
	}
	if err := r.showHand(d.shown); err != nil {
		return err
	}
	canvas.Footer(d.shown.Footer())
	r.player = &watching{player: r.player, console: d.shown, run: ctx}
	return nil
}
