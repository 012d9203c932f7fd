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

// A sceneRun is a scene that is being played.
type sceneRun struct {
	*scene.Play
	allocations
	player   player
	keys     bool   // a terminal's keys play, if there are any
	story    *story // nil: a scene is played
	lines    *lineWriter
	drawer   *drawer // nil: nobody looks
	watchers []watcher
	state    world.State
	played   uint64 // steps
	opening  time.Duration
	hand     *hand.Hand // nil: nobody supervises this program
	tape     *hand.Tape // nil: there is no hand
	typed    [1]byte    // for the tape
	handed   bool       // the world is that of the program before

	past     *remembered // nil: there is no inspector
	recorder *recorder   // nil: nothing is recorded in a file
	hurries  bool        // other steps follow at once
}

// A watcher is told of every step, and of the end; either may be nil.
type watcher struct {
	// stepped is told after a step how many there were.
	stepped func(played uint64, state world.State) error
	// ended is told once, after the last step: how many there were, and why there is no other,
	// which is nil where none was asked for.
	ended func(played uint64, state world.State, why error) error
}

// steps plays until the player stops, or something fails.
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

// next takes the step that the player says.
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
	if world.Tick(r.state) != before { // it loops
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

// end tells every watcher of the end, and returns the first error of all. The drawer is first, so
// that a terminal is given back before anything else is written to it.
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
		r.past.page.Close()
		r.past.past.Close()
	}
	return err
}

// summary tells what the run has cost so far, job by job.
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
