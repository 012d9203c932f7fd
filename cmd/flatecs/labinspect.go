package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/flatecs/flatecs/cmd/scene/abm"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// refuseBeside refuses flags for tables together with --inspect.
func (c *labSweep) refuseBeside() error {
	const labShows = "see and change all of this world, and " + pprofShows
	switch {
	case c.Inspect == "":
		return nil
	case c.Rate < 1 || c.Rate > 1000:
		return errors.New("give --rate 1 to 1000 steps per second")
	case c.Out != "" || c.Forks != nil || c.Every != nil || c.Part.parts > 0 || c.Join != "":
		return errors.New("--inspect shows one world and writes no table; " +
			"omit --out, --every, --forks, --fork-at, --part and --join")
	}
	return c.Inspect.refuseOthers("--inspect", labShows, c.InspectAnyone)
}

// look runs the world of the first seed at its own speed, and serves its inspector, until it is
// interrupted or the requested steps are done.
func (m labModel[P]) look(ctx context.Context, c *labSweep, w lab.Sweep[P], s streams) (err error) {
	state, err := m.begin(w)
	if err != nil {
		return err
	}
	defer func() { world.Close(state) }()
	panel, err := lab.NewPanel(m.reports...)
	if err != nil {
		return err
	}
	panel.Picture = abm.Picture(w.Params[0])
	step := func(s world.State, _ []byte) world.State { return m.step(s) }
	past, err := timeline.New(state, timeline.Options{Step: step, Frames: pastFrames})
	if err != nil {
		return err
	}
	defer past.Close()
	i, err := inspectState(c.Inspect, state, inspect.Options{
		Title: c.Model, Clock: stage.Clock(time.Now), Edit: true, Rate: min(int(c.Rate), 50),
		Model: panel, Controls: abm.Controls(w.Params[0]),
		Past: past, Paused: c.Steps == nil, Step: step, Why: why.Past{Timeline: past}.Wrote,
	}, nil, s.err)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, i.stop()) }()
	orderly(ctx)
	ticker := time.NewTicker(time.Second / time.Duration(c.Rate))
	defer ticker.Stop()
	for done := 0; c.Steps == nil || done < *c.Steps; {
		select {
		case <-ctx.Done():
			return interrupted(ctx)
		case <-ticker.C:
		}
		if state, err = m.turn(i.Inspector, past, state); err != nil {
			return err
		}
		_, done = past.Frames()
	}
	return nil
}

// turn takes the steps that the page requests.
func (m labModel[P]) turn(
	i *inspect.Inspector, past *timeline.Timeline, s world.State,
) (world.State, error) {
	s, n := i.Turn(s)
	for ; n > 0; n-- {
		i.Input(nil)
		err := past.Record(s, nil)
		if err == nil {
			s, err = m.stepped(s)
		}
		if err != nil {
			_, done := past.Frames()
			return s, fmt.Errorf("lab: step %d %w", done, err)
		}
	}
	return s, i.Publish(s)
}

// stepped takes a step. It turns a panic of the model into an error.
func (m labModel[P]) stepped(s world.State) (next world.State, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			next, err = s, fmt.Errorf("panicked: %v", fault)
		}
	}()
	return m.step(s), nil
}

// begin returns the world of the first set and seed. It turns a panic of the model, for example
// because of invalid parameters, into an error.
func (m labModel[P]) begin(w lab.Sweep[P]) (s world.State, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("lab: the model cannot start: %v", fault)
		}
	}()
	if len(w.Params) != 1 {
		return s, fmt.Errorf("lab: there are %d sets of parameters; --inspect and --forks need one",
			len(w.Params))
	}
	counts := w.Params[0].Counts()
	counts.Seed, counts.Random = w.Seeds[0], true
	if s, err = world.CreateState(counts); err != nil {
		return s, err
	}
	return w.Params[0].Setup(s)
}
