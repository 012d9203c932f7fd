// Package page serves the inspector's page of a recording: any frame, the differences between two
// frames, and the step that wrote a value. It is separate from package record, so that programs
// that only record do not link a server.
//
//	past, err := record.Open(folder, counts, step, record.Options{})
//	clock := stage.Clock(time.Now)
//	err = page.Serve(ctx, "localhost:8080", past, step, inspect.Options{Clock: clock})
package page

import (
	"cmp"
	"context"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/internal/program"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// Serve serves the page of a recording at an address until ctx ends. It is [Show] with
// [inspect.Inspector.Serve].
func Serve(
	ctx context.Context, addr string, past *timeline.Timeline, step record.Step, o inspect.Options,
) error {
	return Show(ctx, past, step, o, func(ctx context.Context, i *inspect.Inspector) error {
		return i.Serve(ctx, addr)
	})
}

// Show shows a recording in an inspector, which serve serves until ctx ends. It starts paused after
// the last step, or before a step that panics, which the title tells. After the page goes back to a
// frame, the recorded steps are repeated. Show sets Past, Step, Paused, Edit and, if it is nil, Why
// of the options, which need a Clock: nobody edits a recording. Show returns the errors of
// [timeline.Timeline.At], [inspect.New] and serve.
func Show(
	ctx context.Context, past *timeline.Timeline, step record.Step, o inspect.Options,
	serve func(ctx context.Context, i *inspect.Inspector) error,
) error {
	if ctx == nil || past == nil || step == nil || serve == nil {
		program.Refuse("page: Serve without a context, a past or a step; give all of them")
	}
	r, panics, err := reelOf(past)
	if err != nil {
		return err
	}
	then, err := past.At(r.end)
	if err != nil {
		return err
	}
	s, err := world.Clone(then)
	if err != nil {
		return err
	}
	defer func() { world.Close(s) }()
	o.Past, o.Step, o.Paused, o.Edit = r, step, true, false
	if panics {
		o.Title = cmp.Or(o.Title, "flatecs") + ", before a step that panics"
	}
	if o.Why == nil {
		o.Why = why.Past{Timeline: past}.Wrote
	}
	i, err := inspect.New(s, o)
	if err != nil {
		return err
	}
	defer i.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	served := make(chan error, 1)
	go func() {
		served <- serve(ctx, i)
		cancel()
	}()
	for err == nil && ctx.Err() == nil {
		s, err = r.turn(ctx, s, i, step)
	}
	cancel()
	if serveErr := <-served; err == nil {
		err = serveErr
	}
	return err
}

// A reel is a recording as an inspect.Past: it ends at the current world.
type reel struct {
	*timeline.Timeline
	at, end int
}

// reelOf returns a recording up to its end, or to a step that panics.
func reelOf(past *timeline.Timeline) (r *reel, panics bool, err error) {
	_, next := past.Frames()
	at, err := past.Kept(next)
	for ; at < next && err == nil; at++ {
		if program.Caught("page", func() { _, err = past.At(at + 1) }) != nil {
			return &reel{past, at, at}, true, nil
		}
	}
	return &reel{past, at, at}, false, err
}

// Frames returns the frames up to the current world.
func (r *reel) Frames() (first, next int) {
	first, _ = r.Timeline.Frames()
	return first, r.at
}

// Rollback goes back to a frame, from which the recorded steps are repeated.
func (r *reel) Rollback(s world.State, frame int) (world.State, error) {
	s, err := r.Timeline.Rollback(s, frame)
	if err == nil {
		r.at = frame
	}
	return s, err
}

// turn carries out the page's requests, and repeats recorded steps.
func (r *reel) turn(
	ctx context.Context, s world.State, i *inspect.Inspector, step record.Step,
) (world.State, error) {
	s, steps := i.Turn(s)
	for ; steps > 0 && r.at < r.end; steps-- {
		var err error
		if s, err = r.next(s, step, i.Input); err != nil {
			return s, err
		}
	}
	if steps > 0 { // the last step was repeated
		ctx, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		<-ctx.Done() //flatecs:allow deterministic nothing of the world depends on the wait
		cancel()
	}
	return s, i.Publish(s)
}

// next repeats a recorded step. It takes the recorded world after the step if there is one, because
// an edit may have changed it.
func (r *reel) next(
	s world.State, step record.Step, sees func(input []byte) []byte,
) (world.State, error) {
	input, err := r.Input(r.at)
	if err != nil {
		return s, err
	}
	s = program.Kept(s, step(s, sees(input)), "page: the step", "")
	r.at++
	if kept, err := r.Kept(r.at); err != nil || kept != r.at {
		return s, err
	}
	return r.Timeline.Rollback(s, r.at)
}
