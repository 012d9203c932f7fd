package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/console"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
)

// A sceneRun is a run of a scene.
type sceneRun struct {
	*scene.Play
	allocations
	player   player
	keys     bool   // keys of a terminal, if any, control the scene
	story    *story // nil: not a story
	lines    *lineWriter
	drawer   *drawer // nil: not drawn
	watchers []watcher
	state    world.State
	played   uint64 // steps
	opening  time.Duration
	hand     *hand.Hand // nil: no supervisor
	tape     *hand.Tape // nil: there is no hand
	typed    [1]byte    // input for the tape
	handed   bool       // the world came from the previous program

	past     *remembered // nil: no inspector
	recorder *recorder   // nil: not recorded
	hurries  bool        // more steps follow without a pause
}

// A watcher receives every step, and the end. Both functions may be nil.
type watcher struct {
	// stepped is called after a step, with the number of steps.
	stepped func(played uint64, state world.State) error
	// ended is called once, after the last step, with the number of steps and the reason for the
	// end: nil if the requested steps are done.
	ended func(played uint64, state world.State, why error) error
}

// steps plays until the player stops, or an error occurs.
func (r *sceneRun) steps(ctx context.Context) error {
	r.watch()
	defer r.unwatch()
	defer r.drawer.rewind(r)()
	for {
		if ctx.Err() != nil {
			return interrupted(ctx)
		}
		if err := r.handOver(); err != nil {
			return err
		}
		n, err := r.turn()
		for ; n > 0 && err == nil; n-- {
			r.hurries = n > 1
			err = r.next()
		}
		switch {
		case err == nil || errors.Is(err, console.ErrPaused):
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, terminal.ErrGone):
			return interruption{hangUp}
		default:
			return err
		}
	}
}

// next takes the next step with the player's input.
func (r *sceneRun) next() error {
	if p, is := r.player.(*replayed); is {
		if err := p.edit(r); err != nil {
			return err
		}
	}
	input, err := r.player.next(r.played, r.state)
	if err != nil {
		return err
	}
	return r.step(input)
}

func (r *sceneRun) step(input scene.Input) (err error) {
	before := world.Tick(r.state)
	if input, err = r.taped(input); err != nil {
		return err
	}
	if world.Tick(r.state) != before { // the tape has gone back
		noteChange(r)
	}
	if input, err = r.keep(input); err != nil {
		return err
	}
	if err := r.recorder.before(r.state, input); err != nil {
		return err
	}
	r.drawer.take(r, input)
	r.played++
	for _, w := range r.watchers {
		if w.stepped == nil {
			continue
		}
		if err := w.stepped(r.played, r.state); err != nil {
			return err
		}
	}
	if r.drawer != nil {
		r.state, err = r.drawer.stepped(r.played, r.state)
	}
	return err
}

// end calls ended of every watcher, and returns the first error. The drawer comes first, so that
// the terminal is restored before other output.
func (r *sceneRun) end(err error) error {
	why := err
	if r.drawer != nil {
		var closeErr error
		if r.state, closeErr = r.drawer.close(r.state, why); err == nil {
			err = closeErr
		}
	}
	for _, w := range r.watchers {
		if w.ended != nil {
			err = cmp.Or(err, w.ended(r.played, r.state, why))
		}
	}
	if r.past != nil {
		r.past.close()
	}
	return err
}

// summary returns the cost of the run so far, per job.
func (r *sceneRun) summary() summary {
	live := world.Len(r.state)
	s := summary{
		played: "scene", name: r.Scene.Name, frames: r.played,
		live: live, bytes: len(world.Bytes(r.state)), allocated: r.allocated,
		costs: []cost{{name: "CreateState", runs: 1, objects: uint64(live), spent: r.opening}},
	}
	for _, job := range r.Schedule.Times(scene.Pipeline) {
		s.costs = append(s.costs, cost{
			name: job.Name, runs: uint64(job.Runs), objects: uint64(live), spent: job.Total,
		})
	}
	if r.story != nil {
		r.story.sum(&s)
	}
	if r.drawer != nil {
		s.costs = append(s.costs, cost{
			name: "Draw", runs: r.drawer.drawn, spent: r.drawer.spent, whole: true,
		})
	}
	return s
}
