package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/bench/turns"
)

type options struct {
	Seeds  int    `help:"Runs of each model." default:"100"`
	Mason  string `placeholder:"CLASSPATH" help:"${mason}"`
	Java   string `help:"The Java that runs MASON." default:"java"`
	JSON   string `name:"json" help:"Keep times here (${kept})." type:"path" placeholder:"FILE"`
	Resume bool   `help:"Go on with what an interrupted run has kept in the file of --json."`
	Out    string `help:"Write the chart, as SVG, to this folder." type:"path" placeholder:"DIR"`
}

// kept is where times are kept when nothing else is said.
func kept() string { return filepath.Join(os.TempDir(), "flatecs-abm.json") }

var help = kong.Vars{
	"mason": "Measure MASON, too: a class path of its jar, and of the comparison's compiled " +
		"programs for it.",
	"kept": kept(),
}

func main() {
	var o options
	kong.Parse(&o, help,
		kong.Description("Measure the models of JuliaDynamics/ABMFrameworksComparison."))
	if o.Seeds < 1 {
		fmt.Fprintln(os.Stderr, "abm: --seeds below 1; give 1 or more")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := o.run(ctx, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run measures what is not kept, and prints and draws it.
func (o options) run(ctx context.Context, out, progress io.Writer) error {
	if o.JSON == "" {
		o.JSON = kept()
	}
	r := record{Machine: turns.ThisMachine(), Results: make([]result, len(contests))}
	if o.Resume {
		if err := r.resume(o.JSON); err != nil {
			return err
		}
	}
	err := o.measure(ctx, progress, &r)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("abm: %d of %d seeds are kept in %s; go on with --resume: %w",
			len(r.Results[0].Ark), o.Seeds, o.JSON, err)
	}
	if err != nil {
		return err
	}
	report(out, &r)
	if o.Out == "" {
		return nil
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return err
	}
	return draw(filepath.Join(o.Out, chartName), r.Results)
}

// measure makes all runs in turn, and keeps each seed's; those of MASON, each model's by one
// process, come last.
func (o options) measure(ctx context.Context, progress io.Writer, r *record) error {
	bar := turns.NewProgress(progress, o.Seeds)
	defer bar.End()
	for seed := len(r.Results[0].Ark); seed < o.Seeds; seed++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.run(uint64(seed + 1))
		if err := turns.Keep(o.JSON, r); err != nil {
			return err
		}
		bar.Add(1)
	}
	for i, c := range contests {
		if c.mason == "" || o.Mason == "" || len(r.Results[i].Mason) >= o.Seeds {
			continue
		}
		fmt.Fprintf(progress, "MASON's %s\n", c.mason)
		times, err := mason{o.Java, o.Mason}.times(ctx, c.mason, 1, c.steps, o.Seeds)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		r.Results[i].Mason = times
		if err := turns.Keep(o.JSON, r); err != nil {
			return err
		}
	}
	return nil
}
