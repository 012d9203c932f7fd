package lab

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A worker makes runs, one after the other, in one world. It reuses the world for runs with the
// same counts, by restoring a snapshot of the first state.
type worker struct {
	plan   *plan
	panel  *panel
	counts world.Counts // of the world, without its seed
	s      world.State
	blank  *world.Snapshot // of the first state; nil: there is no world
	tools  Equipment       // of the world
	step   int             // of the run
	found  outcome
}

// close closes the worker's world and its equipment. It returns an error if Close panics.
func (w *worker) close() error {
	if w.blank == nil {
		return nil
	}
	systems.Discard(w.s)
	w.blank.Close()
	w.blank = nil
	done := w.tools.Close
	if w.tools = (Equipment{}); done != nil {
		return called(func() error { done(); return nil })
	}
	return nil
}

// called calls f. It turns a panic of f into an error without a stack, because stacks differ from
// run to run.
func called(f func() error) (err error) {
	if p := program.Caught("lab", func() { err = f() }); p != nil {
		return errors.New("panic: " + program.Said(p))
	}
	return err
}

// make makes a run. It returns false if ctx ended first.
func (w *worker) make(ctx context.Context, run int) (o outcome, ok bool) {
	w.step, w.found = 0, outcome{run: run}
	if p := w.plan; p.every > 0 && p.steps > 0 { // reserves the rows, so that steps do not allocate
		rows := min(p.steps/p.every+2, mostSets)
		w.found.steps = make([]int, 0, rows)
		w.found.numbers = make([]float64, 0, rows*len(w.panel.dst))
	}
	stopped := false
	err := called(func() (err error) { stopped, err = w.attempt(ctx, run); return err })
	if stopped {
		return o, false
	}
	if err != nil {
		w.found.end = w.step
		w.found.fault = errors.Join(err, w.close()) // the world may be damaged
	}
	return w.found, true
}

// attempt makes a run.
func (w *worker) attempt(ctx context.Context, run int) (stopped bool, err error) {
	p := w.plan
	if err := w.begin(run/len(p.seeds), p.seeds[run%len(p.seeds)]); err != nil {
		return false, err
	}
	for {
		if ctx.Err() != nil {
			return true, nil //nolint:nilerr // it was stopped, not failed
		}
		end := p.steps > 0 && w.step == p.steps || p.until != nil && p.until(w.s)
		if err := w.report(end); err != nil || end {
			return false, err
		}
		s, err := w.tools.Step(w.s)
		if err != nil {
			return false, err
		}
		w.s = s
		w.step++
	}
}

// report adds a row if the step gets one.
func (w *worker) report(end bool) error {
	p := w.plan
	due := p.every > 0 && w.step%p.every == 0 && (p.when == nil || p.when(w.s))
	if !due && !end {
		return nil
	}
	numbers, err := w.panel.observe(w.s)
	if err == nil {
		w.found.steps = append(w.found.steps, w.step)
		w.found.numbers = append(w.found.numbers, numbers...)
	}
	return err
}

// begin prepares the world for a run.
func (w *worker) begin(set int, seed uint64) (err error) {
	if w.plan.from != nil {
		err = w.fork(seed)
	} else {
		err = w.renew(set, seed)
	}
	if err != nil {
		return err
	}
	w.s, err = w.plan.setup(w.s, set)
	return err
}

// renew prepares a world with the counts of a set, and with a seed.
func (w *worker) renew(set int, seed uint64) (err error) {
	counts := w.plan.counts(set)
	counts.Seed, counts.Random = seed, true
	counts.Queries = slices.Clone(counts.Queries)
	for _, r := range w.plan.panels {
		counts.Queries = append(counts.Queries, r.queries...)
	}
	if w.blank != nil && sameCounts(counts, w.counts) {
		if w.s, err = world.Restore(w.s, w.blank); err == nil {
			w.s = systems.SetSeed(w.s, seed)
		}
		return err
	}
	if err := w.close(); err != nil {
		return err
	}
	s, err := world.CreateState(counts)
	if err != nil {
		return err
	}
	return w.keep(s, counts)
}

// sameCounts reports whether two counts are equal except for their seeds.
func sameCounts(a, b world.Counts) bool {
	a.Seed, b.Seed = 0, 0
	return reflect.DeepEqual(a, b)
}

// keep makes s the world of w, takes a snapshot of its first state, and creates its equipment.
func (w *worker) keep(s world.State, counts world.Counts) error {
	blank, err := program.Snapshot(s)
	if err != nil {
		world.Close(s)
		return err
	}
	w.s, w.blank, w.counts = s, blank, counts
	tools, err := w.plan.equip(s)
	switch {
	case err != nil:
		return fmt.Errorf("equip the world: %w", err)
	case tools.Step == nil:
		return errors.New("lab: Equip returned no Step; return the function that makes a step")
	}
	w.tools = tools
	return nil
}

// fork restores the world to the state of From, and gives it its own random numbers.
func (w *worker) fork(seed uint64) (err error) {
	if w.blank == nil {
		s, err := w.plan.copyOfFrom()
		if err != nil {
			return err
		}
		if err := w.keep(s, world.Counts{}); err != nil {
			return err
		}
	} else if w.s, err = world.Restore(w.s, w.blank); err != nil {
		return err
	}
	w.s = reseed(w.s, seed)
	return nil
}
