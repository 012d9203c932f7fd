// Package fork draws two futures of a world: a scene is played to a step, from there to its end,
// and from the same step a second time with other inputs.
//
//	step 0 ── At ──┬── first: inputs end after a while
//	               └── second: inputs continue
//
// In scenes without inputs, the second future starts with an additional random number. The futures
// of a game are drawn over each other: the film shows the first one, goes back to the fork, and
// shows the second, with the differing parts of the first as a ghost. Other futures are drawn side
// by side, with a ring around the differences.
package fork

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Options configure a film.
type Options struct {
	scene.Options
	At    int // step before the fork
	Steps int // of the first future; the second takes half as many more if it is drawn alone
	Every int // steps between drawn frames, at least 1
}

// A film is the state of drawing a fork.
type film struct {
	Options
	play   *scene.Play
	state  world.State
	sheet  *sheet
	frames []frame // of the first future
}

// A frame is a picture of one world.
type frame struct {
	marks  []render.Mark
	step   int // since the fork
	digest uint64
}

// Draw plays a scene that lies in a plane, and draws its futures on a canvas, which newCanvas
// creates from a look. It closes the canvas.
func Draw(sc *scene.Scene, o Options, newCanvas func(render.Look) render.Canvas) (err error) {
	play, err := sc.Open(o.Options)
	if err != nil {
		return err
	}
	f := &film{Options: o, play: play, state: play.First}
	f.sheet = newSheet(sc.Look(), sc.Pilot == nil)
	f.sheet.canvas = newCanvas(f.sheet.look)
	f.sheet.canvas.Init()
	defer func() {
		play.Close(f.state)
		err = cmp.Or(err, f.sheet.canvas.Close())
	}()
	f.state = f.goOn(f.state, o.At)
	other, err := world.Clone(f.state)
	if err != nil {
		return err
	}
	defer func() { world.Close(other) }()
	if sc.Pilot == nil {
		other, _ = world.NextStream(other)
		other, err = f.sideBySide(other)
		return err
	}
	if err = f.first(); err == nil {
		err = f.back()
	}
	if err == nil {
		other, err = f.second(other)
	}
	return err
}

// goOn takes steps with the inputs of the scene's pilot.
func (f *film) goOn(s world.State, steps int) world.State {
	for range steps {
		var input scene.Input
		if pilot := f.play.Scene.Pilot; pilot != nil {
			input = pilot(s)
		}
		s = f.play.Step(s, input)
	}
	return s
}

// seen returns the frame for a world.
func (f *film) seen(s world.State, step int) (world.State, frame) {
	kept := render.NewFrame(render.Look{})
	s = f.play.Scene.Draw(s, &kept)
	return s, frame{marks: kept.Over.Marks(), step: step, digest: world.Digest(s)}
}

// first plays the first future, and draws it.
func (f *film) first() error {
	const awake = 1.0 / 3 // part of the first future with inputs
	for step := range f.Steps + 1 {
		var now frame
		f.state, now = f.seen(f.state, step)
		f.frames = append(f.frames, now)
		if step%f.Every == 0 {
			if err := f.draw(now, nil); err != nil {
				return err
			}
		}
		if float32(step) < float32(f.Steps)*awake {
			f.state = f.goOn(f.state, 1)
		} else {
			f.state = f.play.Step(f.state, 0)
		}
	}
	return nil
}

// back goes back to the fork.
func (f *film) back() error {
	const quick = 4
	for step := f.Steps; step >= 0; step -= quick * f.Every {
		if err := f.draw(f.frames[step], nil); err != nil {
			return err
		}
	}
	return nil
}

// second plays and draws the second future, with the first one as a ghost. The ghost stops at the
// last step with equal texts in both.
func (f *film) second(s world.State) (world.State, error) {
	var ghost []render.Mark
	for step := range f.Steps + f.Steps/2 + 1 {
		var now frame
		s, now = f.seen(s, step)
		if step <= f.Steps && sameWords(now.marks, f.frames[step].marks) {
			ghost = different(f.frames[step].marks, now.marks)
		}
		if step%f.Every == 0 {
			if err := f.draw(now, ghost); err != nil {
				return s, err
			}
		}
		s = f.goOn(s, 1)
	}
	return s, nil
}

// draw draws a game, with the progress of the second future, and a ghost.
func (f *film) draw(now frame, ghost []render.Mark) error {
	share := float32(now.step) / float32(f.Steps+f.Steps/2)
	return f.sheet.draw(now, share, fmt.Sprintf("step %d", f.At+now.step), ghost)
}

// sideBySide draws both futures side by side.
func (f *film) sideBySide(other world.State) (world.State, error) {
	for step := range f.Steps + 1 {
		if step%f.Every == 0 {
			var left, right frame
			f.state, left = f.seen(f.state, step)
			other, right = f.seen(other, step)
			d, _, err := tool.FirstDifference(f.state, other)
			if err == nil {
				err = f.sheet.drawBoth(left, right, f.firstDifference(d, other, left.step))
			}
			if err != nil {
				return other, err
			}
		}
		f.state, other = f.goOn(f.state, 1), f.goOn(other, 1)
	}
	return other, nil
}

// firstDifference describes the first difference of the futures, short enough for the strip.
func (f *film) firstDifference(d tool.Difference, other world.State, step int) string {
	name := ""
	if called := f.play.Scene.Called; called != nil && d.Object != world.Nobody {
		name = cmp.Or(called(f.state, d.Object), called(other, d.Object))
	}
	text := "the first difference is "
	switch name = cmp.Or(name, fmt.Sprintf("object %v", d.Object)); {
	case strings.HasPrefix(d.Part, "random source"):
		text = "they look the same, and will draw other random numbers"
	case d.Object == world.Nobody:
		text += d.Part
	case d.Part == "alive":
		text += "a " + name + " that only one has"
	default:
		text += "the " + cmp.Or(d.Kind, d.Part) + " of a " + name
	}
	return fmt.Sprintf("step %d: %s", f.At+step, text)
}
