package main

import (
	"errors"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// A remembered is the timeline of a run, and an inspector that uses it.
type remembered struct {
	page  *inspect.Inspector
	past  *timeline.Timeline
	from  uint64  // steps before the first frame of the timeline
	input [1]byte // of the next step
}

const pastFrames = 10 * 60 * 60 // ten minutes

// remember adds a timeline of the run to the options of an inspector.
func (r *sceneRun) remember(o *inspect.Options) (*timeline.Timeline, error) {
	o.Step = scene.Repeated(r.Play)
	frames := pastFrames
	if _, replays := r.player.(*replayed); replays {
		frames = 1 << 26
	}
	past, err := timeline.New(r.state, timeline.Options{
		Step: o.Step, Frames: frames, InputBytes: 1,
	})
	if err != nil {
		return nil, err
	}
	o.Past, o.Why = backing{past, r}, why.Past{Timeline: past, Jobs: r.Schedule}.Wrote
	return past, nil
}

// A backing is the past of a run that may also be recorded elsewhere.
type backing struct {
	*timeline.Timeline
	run *sceneRun
}

// Rollback goes back, unless there is a tape. A recording continues with the earlier world.
func (b backing) Rollback(s world.State, frame int) (world.State, error) {
	if b.run.tape != nil && b.run.tape.Records() {
		return s, errors.New("a run that a tape records step by step cannot go back; stop the tape")
	}
	s, err := b.Timeline.Rollback(s, frame)
	b.run.recorder.changed()
	return s, err
}

// Changed records an edit.
func (b backing) Changed() { noteChange(b.run) }

// noteChange records that the world of a run was changed between two steps.
func noteChange(r *sceneRun) {
	if r.past != nil {
		r.past.past.Changed()
	}
	r.recorder.changed()
}

func (p *remembered) close() {
	p.page.Close()
	p.past.Close()
}

// turn returns the number of steps to take.
func (r *sceneRun) turn() (steps int, err error) {
	if r.past == nil {
		return 1, nil
	}
	before := world.Tick(r.state)
	r.state, steps = r.past.page.Turn(r.state)
	_, next := r.past.past.Frames()
	r.played = r.past.from + uint64(next)
	if r.drawer != nil && !r.drawer.atEnd && world.Tick(r.state) != before {
		r.state, err = r.drawer.draw(r.state)
	}
	if w, ok := r.player.(*watching); ok && steps == 0 && err == nil {
		_, err = w.console.Wait(w.run) // handles keys
	}
	return steps, err
}

// keep records the next step, and returns its input.
func (r *sceneRun) keep(input scene.Input) (scene.Input, error) {
	p := r.past
	if p == nil {
		return input, nil
	}
	p.input[0] = byte(input)
	now := p.page.Input(p.input[:])
	return scene.Input(now[0]), p.past.Record(r.state, now)
}
