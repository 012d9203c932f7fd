package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/flatecs/flatecs/bench/turns"
)

// A record is all that was measured.
type record struct {
	Machine turns.Machine
	Results []result // as contests
}

// A result is the times of a contest, in milliseconds, seed by seed.
type result struct {
	Name                       string
	Flatecs, Ark, Plain, Mason []float64
}

// resume reads what was kept on the same machine, of the same contests.
func (r *record) resume(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("abm: --resume: %w", err)
	}
	var old record
	if err := json.Unmarshal(text, &old); err != nil {
		return fmt.Errorf("abm: --resume: %s: %w", name, err)
	}
	same := slices.EqualFunc(old.Results, contests, func(r result, c contest) bool {
		n := len(r.Ark)
		return r.Name == c.name && len(r.Flatecs) == n && len(r.Plain) == n &&
			n == len(old.Results[0].Ark)
	})
	if old.Machine != r.Machine || !same {
		return fmt.Errorf("abm: --resume: %s was measured on another machine, or is of other "+
			"models; begin anew without --resume", name)
	}
	*r = old
	return nil
}

// run makes a run of each contest.
func (r *record) run(seed uint64) {
	for i, c := range contests {
		r := &r.Results[i]
		r.Name = c.name
		r.Flatecs = append(r.Flatecs, milliseconds(c.flatecs, seed))
		r.Ark = append(r.Ark, milliseconds(c.ark, seed))
		r.Plain = append(r.Plain, milliseconds(c.plain, seed))
	}
}

func milliseconds(run func(uint64) []float64, seed uint64) float64 {
	begun := time.Now()
	run(seed)
	return float64(time.Since(begun).Microseconds()) / 1000
}

// report prints medians.
func report(w io.Writer, all *record) {
	rows := [][]string{{
		"model", "flatecs, ms", "Ark, ms", "plain Go, ms", "MASON, ms",
		"flatecs/Ark", "least/least", "flatecs/plain", "least/least", "flatecs/MASON",
		"least/least",
	}}
	measured := false
	for _, r := range all.Results {
		a, b, c := turns.Median(r.Flatecs), turns.Median(r.Ark), turns.Median(r.Plain)
		row := []string{
			r.Name, turns.Figure(a), turns.Figure(b), turns.Figure(c), "",
			turns.Figure(a / b), least(r.Flatecs, r.Ark),
			turns.Figure(a / c), least(r.Flatecs, r.Plain), "", "",
		}
		if len(r.Mason) > 0 {
			d := turns.Median(r.Mason)
			row[4], row[9], measured = turns.Figure(d), turns.Figure(a/d), true
			row[10] = least(r.Flatecs, r.Mason)
		}
		rows = append(rows, row)
	}
	fmt.Fprintf(w, "%v\nMedians of %d runs, creation included.\n", all.Machine,
		len(all.Results[0].Ark))
	if measured {
		fmt.Fprintln(w, "MASON: steps alone, all runs of a model by one process; its Schelling, "+
			"whose agents never leave their places on the grid, is left out.")
	} else {
		fmt.Fprintln(w, "MASON was not given and is left out: --mason CLASSPATH.")
	}
	fmt.Fprintln(w)
	turns.Table(w, rows)
}

// least is the ratio of the shortest times.
func least(a, b []float64) string {
	return turns.Figure(turns.Quantile(a, 0) / turns.Quantile(b, 0))
}
