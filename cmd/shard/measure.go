package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

type measureFlags struct {
	Objects int       `name:"count" default:"100000" help:"People."`
	Ticks   uint64    `default:"120" help:"Ticks of a run."`
	Speeds  []float32 `default:"0.01,10,100" help:"World units that people walk along x per tick."`
	Shards  []int     `default:"2,4" help:"Numbers of shards, beside one process."`
	Rounds  int       `default:"3" help:"Runs of each kind, in turn; the shortest counts."`
}

// A setting is one configuration of a run.
type setting struct {
	simulation
	took time.Duration // shortest run
	left float64       // objects that changed shards per tick
}

// run writes a table of durations, with the machine and its load.
func (f *measureFlags) run(ctx context.Context, out, log io.Writer) error {
	fmt.Fprintf(out, "%s/%s, %d processors, load %s; %d people, %d ticks, the shortest of %d\n\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), load(), f.Objects, f.Ticks, f.Rounds)
	var head strings.Builder
	head.WriteString("| crossing per tick | 1 process | 2 workers |")
	for _, n := range f.Shards {
		fmt.Fprintf(&head, " %d shards | ratio |", n)
	}
	fmt.Fprintf(out, "%s\n|%s\n", &head,
		strings.Repeat("---:|", strings.Count(head.String(), "|")-1))
	for _, speed := range f.Speeds {
		all := f.settings(speed)
		for round := range f.Rounds {
			for i := range all {
				fmt.Fprintf(log, "speed %g, round %d of %d: %d shards, %d workers\n",
					speed, round+1, f.Rounds, all[i].Shards, all[i].Workers)
				if err := all[i].measure(ctx, log); err != nil {
					return err
				}
			}
		}
		if _, err := fmt.Fprintln(out, row(all)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(out, "\nload at the end", load())
	return err
}

// settings returns the settings to compare: the first is one process with one worker.
func (f *measureFlags) settings(speed float32) (all []setting) {
	s := simulation{
		Shards: 1, Objects: f.Objects, Ticks: f.Ticks, Seed: 1, Speed: speed,
		Every: 100, Workers: 1,
	}
	all = append(all, setting{simulation: s})
	s.Workers = 2
	all = append(all, setting{simulation: s})
	s.Workers = 1
	for _, s.Shards = range f.Shards {
		all = append(all, setting{simulation: s})
	}
	return all
}

// measure runs a setting once, from the start of its processes to the digest.
func (s *setting) measure(ctx context.Context, log io.Writer) error {
	f := runFlags{simulation: s.simulation}
	b := newBoard(&f.simulation)
	d := newDisplay(log, b.table, func(string) string { return "" }) // no table
	begin := time.Now()
	var err error
	if f.Shards == 1 {
		_, err = f.alone(ctx, b, d)
	} else {
		_, err = f.together(ctx, b, d)
	}
	if err != nil {
		return err
	}
	if took := time.Since(begin); s.took == 0 || took < s.took {
		s.took = took
	}
	s.left = 0
	for _, r := range b.reports() {
		s.left += float64(r.Stats.Left) / float64(max(r.Stats.Ticks, 1))
	}
	return nil
}

// row returns a line of the table.
func row(all []setting) string {
	crossing := 0.0
	if len(all) > 2 {
		crossing = all[2].left
	}
	var line strings.Builder
	fmt.Fprintf(&line, "| %.0f | %.1f s | %.1f s |", crossing,
		all[0].took.Seconds(), all[1].took.Seconds())
	for _, s := range all[2:] {
		fmt.Fprintf(&line, " %.1f s | %.2f |", s.took.Seconds(),
			all[0].took.Seconds()/s.took.Seconds())
	}
	return line.String()
}

// load returns the load averages of the machine, if it has any.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if words := strings.Fields(string(text)); err == nil && len(words) > 2 {
		return strings.Join(words[:3], " ")
	}
	return "unknown"
}
