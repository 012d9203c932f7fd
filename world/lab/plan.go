package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/flatecs/flatecs/world"
)

// A plan is a sweep that knows no type of parameters. Run i is of set i / len(seeds), with seed
// i % len(seeds).
type plan struct {
	sets     [][]Value
	seeds    []uint64
	columns  []string
	counts   func(set int) world.Counts
	from     *world.Snapshot
	copying  sync.Mutex // a snapshot belongs to one goroutine at a time
	setup    func(s world.State, set int) (world.State, error)
	equip    func(s world.State) (Equipment, error)
	steps    int
	until    func(s world.State) bool
	panels   []Reporter
	hashed   []bool // of each of their columns
	every    int
	when     func(s world.State) bool
	workers  int
	journal  string
	build    string
	progress func(done, total int)

	disk func(file io.Writer) io.Writer // for tests: a disk that may be full; nil: none
}

// An outcome is a finished run: rows of what the reporters found, and why it failed, if it did.
type outcome struct {
	run     int
	steps   []int     // of each row
	numbers []float64 // row by row, one per column of the reporters; NaN: nothing
	fault   error     // nil: the run did not fail
	end     int       // the step at which it did
}

// total returns the number of runs.
func (p *plan) total() int { return len(p.sets) * len(p.seeds) }

// reported returns the number of the reporters' columns: all but parameters, seed, step, error.
func (p *plan) reported() int { return len(p.columns) - len(p.sets[0]) - 3 }

// name says which run one is.
func (p *plan) name(run int) string {
	set := run / len(p.seeds)
	text := fmt.Appendf(nil, "run %d (", run)
	for i, v := range p.sets[set] {
		text = fmt.Appendf(text, "%s=%v ", p.columns[i], v)
	}
	return string(fmt.Appendf(text, "seed=%d)", p.seeds[run%len(p.seeds)]))
}

// copyOfFrom returns a world in the state that p forks.
func (p *plan) copyOfFrom() (world.State, error) {
	p.copying.Lock()
	defer p.copying.Unlock()
	return world.Clone(p.from.State())
}

// run makes the runs that the journal lacks, and writes the table.
func (p *plan) run(ctx context.Context, dst Sink) (err error) {
	t := &tally{plan: p, dst: dst, done: make([]*outcome, p.total())}
	if p.journal != "" {
		if t.journal, err = p.openJournal(t.done); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, t.journal.close()) }()
	}
	if err := dst.Begin(p.columns); err != nil {
		return unwritten(err)
	}
	if err := t.write(); err != nil {
		return err
	}
	if err := p.work(ctx, t); err != nil {
		return fmt.Errorf("%w; %d of %d runs were made%s", err, t.made(), p.total(), p.resumable())
	}
	if err := dst.End(); err != nil {
		return unwritten(err)
	}
	if len(t.failed) == 0 {
		return nil
	}
	return &FailedError{Runs: p.total(), Failures: t.failed}
}

func (p *plan) resumable() string {
	if p.journal == "" {
		return "; a sweep with a Journal can go on"
	}
	return "; run the sweep again to go on from its journal " + p.journal
}

// work hands the runs that are missing to the workers, and what they return to the tally.
func (p *plan) work(ctx context.Context, t *tally) error {
	ctx, stop := context.WithCancelCause(ctx)
	runs, outcomes := make(chan int), make(chan outcome)
	defer func() { // also where Progress panics
		stop(nil)
		for range outcomes {
			continue
		}
	}()
	var all sync.WaitGroup
	for range min(p.workers, p.total()-t.made()) {
		all.Go(func() {
			w := &worker{plan: p, panel: newPanel(p.panels)}
			defer func() {
				if err := w.close(); err != nil {
					stop(err)
				}
			}()
			for run := range runs {
				if o, ok := w.make(ctx, run); ok {
					outcomes <- o
				}
			}
		})
	}
	go func() {
		defer func() { close(runs); all.Wait(); close(outcomes) }()
		for run, done := range t.pending() {
			if done {
				continue
			}
			select {
			case runs <- run:
			case <-ctx.Done():
				return
			}
		}
	}()
	var first error
	for o := range outcomes {
		if err := t.add(o); err != nil && first == nil {
			first = err
			stop(err)
		}
	}
	if first == nil && ctx.Err() != nil {
		first = fmt.Errorf("lab: the sweep was stopped: %w", context.Cause(ctx))
	}
	return first
}
