package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"sync"

	"github.com/flatecs/flatecs/world"
)

// A Sweep runs a model for each set of parameters with each seed: a run is one world, from Setup
// through steps to the end. Rows of its table are ordered by set, seed and step:
//
//	density  seed                  step  happy  error
//	0.2      10451216379200822465  0     0
//	0.2      10451216379200822465  20    997
//	0.2      13757245211066428519  0     0
//	…
//
// The columns are the parameters, the seed, the step (0 after Setup), the numbers of the reporters,
// and the error of a failed run. The table contains no times, and each row belongs to one run, so
// that any number of workers writes the same bytes.
//
// P is a struct, whose exported fields are numbers, bools and strings. Setup writes the parameters
// that Step needs into the world, such as into a resource, so that the world's bytes decide its
// future, and forks and saves can continue from them.
type Sweep[P any] struct {
	Params []P      // the sets; see Grid and Hypercube
	Seeds  []uint64 // of each set: one run per seed; see Seeds

	// A run begins with a new world of Counts, whose Seed is set to the run's seed, or with the
	// state of From. From forks a state: the run's random numbers are seeded by a hash of the
	// state's and the run's seed, so that different seeds are different futures.
	Counts func(params P) world.Counts
	From   *world.Snapshot

	Setup func(s world.State, params P) (world.State, error) // nil: nothing

	// Step takes a step, including Advance. Equip replaces it if steps need data beside the world:
	// it is called once for each world of a worker, before the first Setup, and only reads. Worlds
	// of the same Counts, or From, are reused, also with other parameters. Only the world may
	// decide a run's future.
	Step  func(s world.State) (world.State, error)
	Equip func(s world.State) (Equipment, error)

	Steps int                      // limit of a run; 0: only Until ends it
	Until func(s world.State) bool // checked before each step; true ends the run; nil: never

	Reports []Reporter
	Every   int                      // between rows; the last step always has a row
	When    func(s world.State) bool // whether such a step gets a row; nil: always

	Workers int // runs at the same time, each in a reused world; 0: one per processor

	// Journal is a file to which each finished run is appended. A sweep that finds its own journal
	// makes only the missing runs; see [Sweep.Run].
	Journal string
	Build   string // of the program, for the journal; empty: a hash of the program's file

	// Part of Parts, counted from 0, makes every Parts-th run, and writes its journal but no table:
	// one machine's share. Afterwards, join the journals; see [JoinJournals].
	Part, Parts int // Parts 0: all runs, and the table

	Progress func(done, total int) // called after each run, one call at a time; may be nil
}

// Equipment is the Step of one world, with its own cells, schedule or memory. It belongs to one
// goroutine.
type Equipment struct {
	Step  func(s world.State) (world.State, error) // as in a Sweep
	Close func()                                   // called when the world is closed; nil: nothing
}

// Run makes all runs and writes the table to dst, in order, each row as soon as all rows before it
// are finished. Several goroutines call Step, Until, When and the reporters, each for its own
// world.
//
// A run fails if its Setup, Step or Equip returns an error, a function panics, or a reporter
// returns NaN or an infinite number: its last row has its parameters, its seed, the step and the
// error. The other runs continue, and the error is a [FailedError].
//
// Run stops when ctx ends, or dst or the journal cannot be written: it drops runs in progress and
// starts no other; the error wraps the cause. The journal contains finished runs. The next Run of
// the same sweep, by the same program, resumes from the journal and writes the whole table; it
// repeats failed runs. A journal with a truncated end loses the last run. For a journal of another
// sweep or another build the error wraps [ErrJournal], and the journal is unchanged.
//
// A sweep with Parts makes its share of the runs, and does not use dst, which may be nil.
func (w Sweep[P]) Run(ctx context.Context, dst Sink) error {
	if w.Parts > 0 {
		dst = NewCSV(io.Discard)
	}
	if ctx == nil || dst == nil {
		panic("lab: Run without a context or a sink; give context.Background() and a *lab.Table")
	}
	p, err := w.plan()
	if err != nil {
		return err
	}
	return p.run(ctx, dst)
}

// plan checks w and converts it to a plan, which does not depend on P.
func (w Sweep[P]) plan() (*plan, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	p := &plan{
		seeds: w.Seeds, from: w.From, equip: w.Equip, steps: w.Steps, until: w.Until,
		panels: w.Reports, hashed: hashed(w.Reports),
		every: w.Every, when: w.When, workers: w.Workers,
		journal: w.Journal, build: w.Build, progress: w.Progress,
		share:  share{part: w.Part, parts: w.Parts},
		counts: func(set int) world.Counts { return w.Counts(w.Params[set]) },
		setup:  func(s world.State, _ int) (world.State, error) { return s, nil },
	}
	if p.workers <= 0 {
		p.workers = runtime.GOMAXPROCS(0)
	}
	if w.Step != nil {
		p.equip = func(world.State) (Equipment, error) { return Equipment{Step: w.Step}, nil }
	}
	if w.Setup != nil {
		p.setup = func(s world.State, set int) (world.State, error) {
			return w.Setup(s, w.Params[set])
		}
	}
	return p, w.columns(p)
}

func (w Sweep[P]) check() error {
	switch {
	case len(w.Params) == 0 || len(w.Seeds) == 0:
		return fmt.Errorf("lab: a sweep of %d sets of parameters and %d seeds; give at least one "+
			"of each, such as by Grid and Seeds", len(w.Params), len(w.Seeds))
	case (w.Counts == nil) == (w.From == nil):
		return errors.New("lab: a sweep needs Counts or From; set one of the two")
	case (w.Step == nil) == (w.Equip == nil):
		return errors.New("lab: a sweep without Step and Equip, or with both; give it the " +
			"function that makes a step, or the one that returns it for a world")
	case w.Steps < 0 || w.Every < 0:
		return fmt.Errorf("lab: a sweep of %d steps with a row every %d; neither is below 0",
			w.Steps, w.Every)
	case w.Part < 0 || w.Parts < 0 || w.Part >= max(w.Parts, 1):
		return fmt.Errorf("lab: part %d of %d; parts are numbered from 0: give Part 0 to Parts-1",
			w.Part, w.Parts)
	case w.Parts > 0 && w.Journal == "":
		return fmt.Errorf("lab: part %d of %d without a journal keeps nothing; give each part a "+
			"Journal of its own", w.Part, w.Parts)
	case w.Steps == 0 && w.Until == nil:
		return errors.New("lab: the runs of this sweep have no end; set Steps or Until")
	}
	return checkMade(w.Reports)
}

// columns sets the names of the columns, and converts the parameters of each set to values.
func (w Sweep[P]) columns(p *plan) error {
	list, err := parametersOf(reflect.TypeFor[P]())
	if err != nil {
		return err
	}
	for _, q := range list {
		p.columns = append(p.columns, q.name)
	}
	for i := range w.Params {
		var set []Value
		for _, q := range list {
			v, err := q.value(reflect.ValueOf(w.Params[i]).Field(q.index))
			if err != nil {
				return fmt.Errorf("%w; it is in set %d of Params", err, i)
			}
			set = append(set, v)
		}
		p.sets = append(p.sets, set)
	}
	p.columns = append(p.columns, "seed", "step")
	for _, r := range w.Reports {
		p.columns = append(p.columns, r.columns...)
	}
	p.columns = append(p.columns, "error")
	seen := map[string]bool{}
	for _, name := range p.columns {
		if name == "" || seen[name] {
			return fmt.Errorf("lab: %q names two columns or none; give each parameter and each "+
				"reporter a name of its own, other than seed, step and error", name)
		}
		seen[name] = true
	}
	return nil
}

// A plan is a sweep independent of its type of parameters. Run i uses set i / len(seeds), with seed
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
	hashed   []bool // per column of the reporters
	every    int
	when     func(s world.State) bool
	workers  int
	journal  string
	build    string
	share    share
	progress func(done, total int)

	disk func(file io.Writer) io.Writer // for tests: simulates a full disk; nil: none
}

// A share is the runs whose number modulo parts is part; parts 0: all runs.
type share struct{ part, parts, others int } // others: runs of other parts

// An outcome is a finished run: its rows, and why it failed, if it did.
type outcome struct {
	run     int
	steps   []int     // per row
	numbers []float64 // row by row, one per column of the reporters; NaN: missing
	fault   error     // nil: success
	end     int       // the step at which the run failed
}

// total returns the number of runs.
func (p *plan) total() int { return len(p.sets) * len(p.seeds) }

// shared returns the number of runs of the plan's part.
func (p *plan) shared() int { return p.total() - p.share.others }

// reported returns the number of the reporters' columns, which are all columns except the
// parameters, seed, step and error.
func (p *plan) reported() int { return len(p.columns) - len(p.sets[0]) - 3 }

// name describes a run in errors.
func (p *plan) name(run int) string {
	set := run / len(p.seeds)
	text := fmt.Appendf(nil, "run %d (", run)
	for i, v := range p.sets[set] {
		text = fmt.Appendf(text, "%s=%v ", p.columns[i], v)
	}
	return string(fmt.Appendf(text, "seed=%d)", p.seeds[run%len(p.seeds)]))
}

// copyOfFrom returns a world in the state of From.
func (p *plan) copyOfFrom() (world.State, error) {
	p.copying.Lock()
	defer p.copying.Unlock()
	return world.Clone(p.from.State())
}

// run makes the runs that the journal lacks, and writes the table.
func (p *plan) run(ctx context.Context, dst Sink) (err error) {
	t := &tally{plan: p, dst: dst, done: make([]*outcome, p.total())}
	none := new(outcome) // an outcome without rows
	for run := range t.done {
		if p.share.parts > 0 && run%p.share.parts != p.share.part {
			t.done[run] = none // counts as done
			p.share.others++
		}
	}
	if p.journal != "" {
		if t.journal, err = p.openJournal(t.done); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, closeJournal(t.journal.file, p.journal)) }()
	}
	if err := dst.Begin(p.columns); err != nil {
		return unwritten(err)
	}
	if err := t.write(); err != nil {
		return err
	}
	if err := p.work(ctx, t); err != nil {
		return fmt.Errorf("%w; %d of %d runs were made%s", err, t.made(), p.shared(), p.resumable())
	}
	if err := dst.End(); err != nil {
		return unwritten(err)
	}
	if len(t.failed) == 0 {
		return nil
	}
	return &FailedError{Runs: p.shared(), Failures: t.failed, part: p.share.parts > 0}
}

func (p *plan) resumable() string {
	if p.journal == "" {
		return "; a sweep with a Journal can go on"
	}
	return "; run the sweep again to go on from its journal " + p.journal
}

// work passes missing runs to the workers, and their outcomes to the tally.
func (p *plan) work(ctx context.Context, t *tally) error {
	ctx, stop := context.WithCancelCause(ctx)
	runs, outcomes := make(chan int), make(chan outcome)
	defer func() { // also if Progress panics
		stop(nil)
		for range outcomes {
			continue
		}
	}()
	var all sync.WaitGroup
	for range min(p.workers, p.shared()-t.made()) {
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
