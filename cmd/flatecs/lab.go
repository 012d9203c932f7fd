package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/scene/abm"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

// labSweep is the command that sweeps a model over parameters and seeds.
type labSweep struct {
	Model   string   `arg:"" help:"${labmodel}" enum:"schelling,wolfsheep,flocking,forestfire"`
	Large   bool     `help:"Use the parameters of the large model."`
	Param   []string `placeholder:"NAME=VALUES" sep:"none" help:"${labparam}"`
	Seeds   int      `default:"10" help:"Runs of each set, each with its own seed."`
	Seed    uint64   `default:"1" help:"Number from which the runs' seeds are hashed."`
	Steps   *int     `placeholder:"N" help:"Steps of a run (default: as in the comparison)."`
	Every   *int     `placeholder:"N" help:"Steps between rows (default: one row per run)."`
	ForkAt  *int     `placeholder:"STEP" help:"Fork one world of each set after STEP steps."`
	Forks   *int     `placeholder:"N" help:"Futures of that world, instead of --seeds worlds."`
	Workers *int     `placeholder:"N" help:"Parallel runs (default: one per processor)."`
	Out     newFile  `placeholder:"FILE" help:"${labout}"`
	Part    partOf   `placeholder:"I/N" help:"${labpart}"`
	Journal newFile  `placeholder:"FILE" help:"With --part: the file of finished runs."`
	Join    string   `placeholder:"DIR" help:"${labjoin}"`

	Inspect       address `placeholder:"ADDR" help:"${labinspect}"`
	InspectAnyone bool    `help:"${inspectanyone}"`
	Rate          uint16  `default:"20" help:"With --inspect: steps per second."`
}

// Validate refuses invalid numbers and combinations of flags.
func (c *labSweep) Validate() error {
	return errors.Join(c.refuseNumbers(), c.refuseBeside(), c.refuseParts())
}

// Run sweeps, and writes the table.
func (c *labSweep) Run(ctx context.Context, s streams) error {
	var axes []lab.Axis
	for _, text := range c.Param {
		a, err := lab.ParseAxis(text)
		if name, _, given := strings.Cut(text, "="); !given {
			a, err = lab.Axis{Name: name}, nil // an unknown name, or one without values
		}
		if err != nil {
			return err
		}
		axes = append(axes, a)
	}
	return labModels[c.Model](ctx, c, axes, s)
}

// refuseNumbers refuses invalid numbers.
func (c *labSweep) refuseNumbers() error {
	const most = 1 << 20
	one, forked := 1, c.ForkAt != nil
	for _, f := range []struct {
		flag   string
		number *int
		least  int
		most   int
	}{
		{"seeds", &c.Seeds, 1, most},
		{"forks", c.Forks, 1, most},
		{"steps", c.Steps, 1, math.MaxInt32},
		{"every", c.Every, 1, math.MaxInt32},
		{"workers", c.Workers, 1, math.MaxInt32},
		{"fork-at", c.ForkAt, 0, math.MaxInt32},
	} {
		if n := *cmp.Or(f.number, &one); n < f.least || n > f.most {
			return fmt.Errorf("--%s %d; give --%[1]s %[3]d or more, at most %[4]d", f.flag, n,
				f.least, f.most)
		}
	}
	if forked != (c.Forks != nil) {
		return errors.New("--fork-at and --forks need each other; give both")
	}
	return nil
}

// valueOf returns the number of a flag, or 0 without the flag.
func valueOf(flag *int) int { return *cmp.Or(flag, new(int)) }

// labModels are the models by name.
var labModels = map[string]func(context.Context, *labSweep, []lab.Axis, streams) error{
	"schelling": labModel[abm.Schelling]{
		abm.SchellingSmall, abm.SchellingLarge, abm.StepSchelling, abm.SchellingReports, 20,
	}.run,
	"wolfsheep": labModel[abm.WolfSheep]{
		abm.WolfSheepSmall, abm.WolfSheepLarge, abm.StepWolfSheep, abm.WolfSheepReports, 100,
	}.run,
	"flocking": labModel[abm.Flocking]{
		abm.FlockingSmall, abm.FlockingLarge, abm.StepFlocking, abm.FlockingReports, 100,
	}.run,
	"forestfire": labModel[abm.ForestFire]{
		abm.ForestFireSmall, abm.ForestFireLarge, abm.StepForestFire, abm.ForestFireReports, 100,
	}.run,
}

// A labModel is a model that can be swept.
type labModel[P abm.Model] struct {
	small, large P
	step         func(world.State) world.State
	reports      []lab.Reporter
	steps        int
}

func (m labModel[P]) run(ctx context.Context, c *labSweep, axes []lab.Axis, s streams) error {
	base := m.small
	if c.Large {
		base = m.large
	}
	sets, err := lab.Grid(base, axes...)
	if err != nil {
		return err
	}
	w := lab.Sweep[P]{
		Params: sets, Seeds: lab.Seeds(c.Seed, c.Seeds), Counts: P.Counts,
		Setup: func(s world.State, p P) (world.State, error) { return p.Setup(s) },
		Step:  func(s world.State) (world.State, error) { return m.step(s), nil },
		Steps: m.steps, Reports: m.reports, Every: valueOf(c.Every), Workers: valueOf(c.Workers),
	}
	if c.Steps != nil {
		w.Steps = *c.Steps
	}
	switch {
	case c.Inspect != "":
		return m.look(ctx, c, w, s)
	case c.Forks != nil:
		return m.fork(ctx, c, w, s)
	}
	return sweepRuns(ctx, c, w, s)
}

// sweepRuns makes the runs, and writes the table unless w is a part.
func sweepRuns[P any](ctx context.Context, c *labSweep, w lab.Sweep[P], s streams) error {
	return c.write(ctx, s, func(dst lab.Sink, journal string) (err error) {
		if w.Journal, err = c.joined(cmp.Or(journal, string(c.Journal)), s.err); err != nil {
			return err
		}
		p := newProgress(s.err, "runs")
		defer p.end()
		w.Part, w.Parts = c.Part.part, c.Part.parts
		w.Progress = func(done, total int) { p.show(int64(done), int64(total)) }
		if err = w.Run(ctx, dst); c.Join != "" && errors.Is(err, lab.ErrJournal) {
			err = fmt.Errorf("%w; give --join the flags of its parts", err)
		}
		return err
	})
}

// fork creates one world, and sweeps over its futures.
func (m labModel[P]) fork(ctx context.Context, c *labSweep, w lab.Sweep[P], s streams) error {
	p, err := m.warm(ctx, *c.ForkAt, w)
	if err != nil {
		return err
	}
	defer p.Close()
	w.Counts, w.Setup, w.From, w.Seeds = nil, nil, p, lab.Seeds(c.Seed, *c.Forks)
	return sweepRuns(ctx, c, w, s)
}

// warm returns the world of the first set and seed after some steps.
func (m labModel[P]) warm(
	ctx context.Context, steps int, w lab.Sweep[P],
) (p *world.Snapshot, err error) {
	state, err := m.begin(w)
	if err != nil {
		return nil, err
	}
	for n := range steps {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("lab: stopped before the fork: %w", context.Cause(ctx))
		}
		if state, err = m.stepped(state); err != nil {
			return nil, fmt.Errorf("lab: before the fork, step %d %w", n+1, err)
		}
	}
	defer world.Close(state)
	if p, err = world.NewSnapshot(state); err != nil {
		return nil, err
	}
	err = p.Take(state)
	return p, err
}

// write calls sweep with a table for the file, which replaces the old file once it is complete.
// Devices and pipes are written directly, and have no journal.
func (c *labSweep) write(
	ctx context.Context, s streams, sweep func(dst lab.Sink, journal string) error,
) error {
	if c.Out == "" {
		return sweep(lab.NewCSV(s.out), "")
	}
	out, err := file.Create(string(c.Out))
	if err != nil {
		return fmt.Errorf("lab: %w; give --out a file that can be written", err)
	}
	name := file.Place(string(c.Out))
	journal := journalOf(name)
	if out.Direct() {
		journal = ""
	} else {
		orderly(ctx)
	}
	table := &countedRows{Sink: sinkOf(name, out)}
	err = sweep(table, journal)
	if _, failed := errors.AsType[*lab.FailedError](err); err != nil && !failed {
		out.Discard()
		if journal != "" && errors.Is(err, errInterrupted) {
			_, _ = fmt.Fprintf(s.err, "flatecs: lab: interrupted; the same command "+
				"continues from %s\n", printable(journal))
		}
		return err
	}
	if commitErr := out.Commit(); commitErr != nil {
		return errors.Join(err, commitErr)
	}
	if journal == "" {
		return err
	}
	if err == nil {
		err = os.Remove(journal)
	}
	rows := "rows"
	if table.rows == 1 {
		rows = "row"
	}
	_, outErr := fmt.Fprintf(s.out, "%d %s in %s\n", table.rows, rows, printable(name))
	return errors.Join(err, outErr)
}

// A countedRows is a sink that counts its rows.
type countedRows struct {
	lab.Sink
	rows int
}

// Row is [lab.Sink].Row.
func (c *countedRows) Row(values []lab.Value) error {
	c.rows++
	return c.Sink.Row(values)
}

// journalOf returns the name of a table's journal. It is valid for every valid name of a table.
func journalOf(table string) string {
	const most, end = 255, ".journal" // bytes of a file name
	if dir, name := filepath.Split(table); len(name) > most-len(end) {
		begin := strings.ToValidUTF8(name[:200], "")
		return fmt.Sprintf("%s%s-%08x%s", dir, begin, crc32.ChecksumIEEE([]byte(name)), end)
	}
	return table + end
}

func sinkOf(name string, w io.Writer) lab.Sink {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, ".ndjson") || strings.HasSuffix(name, ".jsonl") {
		return lab.NewNDJSON(w)
	}
	return lab.NewCSV(w)
}
