package main

import (
	"context"
	"time"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// sceneFlags are the flags of every scene.
type sceneFlags struct {
	Frames  uint64 `help:"${steps}"   default:"600"`
	Seed    uint64 `help:"${seed}"    default:"1"`
	Workers uint8  `help:"${workers}" default:"1"`
	Render  string `help:"${picture}" default:"none" enum:"none"`
	Summary bool   `help:"${summary}"`

	Profiles profiles `embed:"" group:"Profiling"`
}

// play opens a scene and plays it.
func (f *sceneFlags) play(ctx context.Context, s streams, sc *scene.Scene, o scene.Options) error {
	stop, err := f.Profiles.start(s.err)
	if err != nil {
		return err
	}
	err = f.playProfiled(ctx, s, sc, o)
	if stopErr := stop(); err == nil {
		err = stopErr
	}
	return err
}

func (f *sceneFlags) playProfiled(
	ctx context.Context, s streams, sc *scene.Scene, o scene.Options,
) error {
	begin := time.Now()
	o.Seed, o.Workers = f.Seed, int(f.Workers)
	o.Clock = func() time.Duration { return time.Since(begin) }
	play, err := sc.Open(o)
	if err != nil {
		return err
	}
	r := &sceneRun{Play: play, state: play.First, opening: time.Since(begin)}
	defer func() { play.Close(r.state) }()
	r.counting = f.Summary
	err = r.steps(ctx, f.Frames)
	if f.Summary && !isClosedPipe(err) {
		cost := r.summary()
		cost.print(s.err)
	}
	return err
}

// A sceneRun is a scene that is being played.
type sceneRun struct {
	*scene.Play
	allocations
	state    world.State
	played   uint64 // steps
	opening  time.Duration
	watchers []watcher
}

// A watcher is told of every step, and of the end.
type watcher interface {
	// stepped is told after a step: how many there were, and the last one's input.
	stepped(played uint64, input scene.Input, state world.State) (world.State, error)
	// ended is told after the last step, also when the scene ends by an error.
	ended(state world.State) error
}

// steps plays so many steps, or until something fails.
func (r *sceneRun) steps(ctx context.Context, frames uint64) (err error) {
	r.watch()
	for r.played < frames && err == nil {
		if ctx.Err() != nil {
			err = errInterrupted
			break
		}
		err = r.step(0)
	}
	r.unwatch()
	for _, w := range r.watchers {
		if endErr := w.ended(r.state); err == nil {
			err = endErr
		}
	}
	return err
}

func (r *sceneRun) step(input scene.Input) (err error) {
	r.state = r.Step(r.state, input)
	r.played++
	for _, w := range r.watchers {
		if r.state, err = w.stepped(r.played, input, r.state); err != nil {
			return err
		}
	}
	return nil
}

// summary tells what the run has cost so far, job by job.
func (r *sceneRun) summary() summary {
	live := world.Live(r.state)
	s := summary{
		played: "scene", name: r.Scene.Name, frames: r.played,
		live: live, bytes: world.Size(r.state), allocated: r.allocated,
		costs: []cost{{"CreateState", 1, uint64(live), r.opening}},
	}
	for _, job := range r.Schedule.Times(scene.Pipeline) {
		s.costs = append(s.costs, cost{job.Name, uint64(job.Runs), uint64(live), job.Total})
	}
	return s
}
