// Package page serves the inspector's page of a recording: any frame, what differs between two, and
// which step wrote a value. It is apart from package record, so that a program that only records
// has no server.
//
//	past, err := record.Open(folder, counts, step, record.Options{})
//	clock := stage.Clock(time.Now)
//	err = page.Serve(ctx, "localhost:8080", past, step, inspect.Options{Clock: clock})
package page

import (
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

// Show plays a recording for an inspector, which serve serves until ctx ends. It begins paused
// behind the last step; from a frame that the page goes back to, the recorded steps are played
// again. It sets Past, Step, Paused and, unless it is given, Why of the options, which need a
// Clock. The error is that of [timeline.Timeline.At], [inspect.New] or serve.
func Show(
	ctx context.Context, past *timeline.Timeline, step record.Step, o inspect.Options,
	serve func(ctx context.Context, i *inspect.Inspector) error,
) error {
	if ctx == nil || past == nil || step == nil || serve == nil {
		program.Refuse("page: Serve without a context, a past or a step; give all of them")
	}
	_, next := past.Frames()
	r := &reel{past, next, next}
	then, err := past.At(next)
	if err != nil {
		return err
	}
	s, err := world.Clone(then)
	if err != nil {
		return err
	}
	defer func() { world.Close(s) }()
	o.Past, o.Step, o.Paused = r, step, true
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

// A reel is a recording as the inspector plays it: its past ends where the world is.
type reel struct {
	*timeline.Timeline
	at, end int
}

// Frames returns the frames up to that of the world.
func (r *reel) Frames() (first, next int) {
	first, _ = r.Timeline.Frames()
	return first, r.at
}

// Rollback goes back to a frame, from where the recorded steps are played again.
func (r *reel) Rollback(s world.State, frame int) (world.State, error) {
	s, err := r.Timeline.Rollback(s, frame)
	if err == nil {
		r.at = frame
	}
	return s, err
}

// turn does what the page asks for, and plays recorded steps while there are any.
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
	if steps > 0 { // it is behind the last step
		ctx, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		<-ctx.Done() //flatecs:allow deterministic nothing of the world depends on the wait
		cancel()
	}
	return s, i.Publish(s)
}

// next plays a recorded step. Where the recording has the world behind it, that is taken: an edit
// may have led there.
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
