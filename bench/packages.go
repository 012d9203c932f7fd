package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/bench/harness"
)

// A packages is the command that runs the Go benchmarks of the library's own packages.
type packages struct {
	Only      []string `help:"Packages to measure." placeholder:"PACKAGE"`
	Benchtime string   `help:"Instead of each package's own." placeholder:"TIME"`
	Out       string   `help:"The folder of packages.csv." default:"bench/results" type:"path"`
}

// benchmarks are those of each package that are kept, and for how long each runs.
var benchmarks = []struct{ folder, names, time string }{
	{"buffer/kernel", ".", "1s"},
	{"systems", "MoveAll|Walk|Marked|Gathered|ManyKinds", "1s"},
	{"systems", "Life|Change|Commands|Runs|References", "1s"},
	{"systems", "Read|Look|Entered|Fused|Workers|Take", "1s"},
	{"systems", "Tree/|Targets|Few|Reparent|DisposeTrees", "20x"},
	{"world/schedule", "Schedule", "1s"},
	{"world/stage", "Hooks", "1s"},
	{"world/save", ".", "100x"},
	{"world/pack", "Pack|Scattered", "1000x"},
	{"world/history", "Snapshot|History", "1s"},
	{"world/delta", "Delta", "1s"},
	{"world/hunt", "Ticks", "300000x"},
	{"world/pool", "Worlds", "1s"},
	{"world/pool", "Rooms", "200x"},
	{"world/replica", "Tick|Beside", "40x"},
	{"cmd/arena", "Tick", "200x"},
}

// Run runs them package by package, three times each.
func (p *packages) Run(ctx context.Context, s streams) error {
	if err := os.MkdirAll(p.Out, 0o755); err != nil {
		return err
	}
	file := filepath.Join(p.Out, "packages.csv")
	rows, err := harness.ReadRows(file)
	if err != nil {
		return err
	}
	for _, b := range benchmarks {
		if len(p.Only) > 0 && !slices.Contains(p.Only, b.folder) {
			continue
		}
		if p.Benchtime != "" {
			b.time = p.Benchtime
		}
		_, _ = fmt.Fprintf(s.errs, "%s: %s\n", b.folder, b.names)
		var out bytes.Buffer
		command := exec.CommandContext(ctx, "go", "test", "-run=^$", "-bench="+b.names,
			"-benchtime="+b.time, "-count=3", "./"+b.folder)
		command.Stdout, command.Stderr = &out, s.errs
		if err := command.Run(); err != nil {
			return fmt.Errorf("%s: %w\n%s", b.folder, err, out.String())
		}
		for _, of := range byBenchmark(b.folder, out.String()) {
			rows = harness.Replace(rows, of)
		}
		if err := harness.WriteRows(file, rows); err != nil {
			return err
		}
	}
	return nil
}

var benchmark = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// byBenchmark returns the rows of each benchmark that go test has printed: one for each unit.
func byBenchmark(folder, output string) (all [][]harness.Row) {
	tallies, names := map[string]*harness.Tally{}, []string(nil)
	for line := range strings.Lines(output) {
		match := benchmark.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			continue
		}
		name, fields := match[1], strings.Fields(match[2])
		if tallies[name] == nil {
			names, tallies[name] = append(names, name), harness.NewTally("flatecs")
		}
		for i := 0; i+1 < len(fields); i += 2 {
			if value, err := strconv.ParseFloat(fields[i], 64); err == nil {
				tallies[name].Add("flatecs", harness.Measured{
					Measure: "benchmark", Unit: fields[i+1], Value: value,
				})
			}
		}
	}
	for _, name := range names {
		all = append(all, tallies[name].Rows(&harness.Case{Name: folder + ": " + name}, 0))
	}
	return all
}
