package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/bench/turns"
)

type options struct {
	Seeds int    `help:"Runs of each model." default:"100"`
	Mason string `placeholder:"CLASSPATH" help:"${mason}"`
	Java  string `help:"The Java that runs MASON." default:"java"`
}

var help = kong.Vars{
	"mason": "Measure MASON, too: a class path of its jar, and of the comparison's compiled " +
		"programs for it.",
}

func main() {
	var o options
	kong.Parse(&o, help,
		kong.Description("Measure the models of JuliaDynamics/ABMFrameworksComparison."))
	if o.Seeds < 1 {
		fmt.Fprintln(os.Stderr, "abm: --seeds below 1; give 1 or more")
		os.Exit(2)
	}
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (o options) run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	results, err := measure(ctx, os.Stderr, o.Seeds, mason{o.Java, o.Mason})
	if err == nil {
		report(os.Stdout, results)
	}
	return err
}

// A result is the times of a contest, in milliseconds, seed by seed.
type result struct {
	name                       string
	flatecs, ark, plain, mason []float64
}

// measure makes all runs in turn; those of MASON, each model's by one process, come last.
func measure(ctx context.Context, progress io.Writer, seeds int, m mason) ([]result, error) {
	results := make([]result, len(contests))
	for seed := range uint64(seeds) {
		fmt.Fprintf(progress, "\rseed %d of %d", seed+1, seeds)
		for i, c := range contests {
			r := &results[i]
			r.name = c.name
			r.flatecs = append(r.flatecs, milliseconds(c.flatecs, seed+1))
			r.ark = append(r.ark, milliseconds(c.ark, seed+1))
			r.plain = append(r.plain, milliseconds(c.plain, seed+1))
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("abm: stopped after %d of %d seeds", seed+1, seeds)
		}
	}
	fmt.Fprintln(progress)
	for i, c := range contests {
		if c.mason == "" || m.classPath == "" {
			continue
		}
		fmt.Fprintf(progress, "MASON's %s\n", c.mason)
		var err error
		if results[i].mason, err = m.times(ctx, c.mason, 1, c.steps, seeds); err != nil {
			return nil, err
		}
	}
	return results, nil
}

func milliseconds(run func(uint64) []float64, seed uint64) float64 {
	begun := time.Now()
	run(seed)
	return float64(time.Since(begun).Microseconds()) / 1000
}

func report(w io.Writer, results []result) {
	rows := [][]string{{
		"model", "flatecs, ms", "Ark, ms", "plain Go, ms", "MASON, ms",
		"flatecs/Ark", "least/least", "flatecs/plain", "least/least", "flatecs/MASON",
	}}
	measured := false
	for _, r := range results {
		a, b, c := turns.Median(r.flatecs), turns.Median(r.ark), turns.Median(r.plain)
		row := []string{
			r.name, turns.Figure(a), turns.Figure(b), turns.Figure(c), "",
			turns.Figure(a / b), least(r.flatecs, r.ark),
			turns.Figure(a / c), least(r.flatecs, r.plain), "",
		}
		if len(r.mason) > 0 {
			d := turns.Median(r.mason)
			row[4], row[9], measured = turns.Figure(d), turns.Figure(a/d), true
		}
		rows = append(rows, row)
	}
	fmt.Fprintf(w, "%v\nMedians of %d runs, creation included.\n", turns.ThisMachine(),
		len(results[0].ark))
	if measured {
		fmt.Fprintln(w, "MASON: steps alone, all runs of a model by one process; its Schelling, "+
			"whose agents never leave their places on the grid, is left out.")
	} else {
		fmt.Fprintln(w, "MASON was not given and is left out: --mason CLASSPATH.")
	}
	turns.Table(w, rows)
}

// least is the ratio of the shortest times.
func least(a, b []float64) string {
	return turns.Figure(turns.Quantile(a, 0) / turns.Quantile(b, 0))
}
