// Command check holds the tree to its rules: one command, run from anywhere inside it.
//
//	go run ./cmd/check                  the gate: what every change has to pass
//	go run ./cmd/check -quick           for every commit: what was changed, and what imports it
//	go run ./cmd/check -nightly         what takes hours: fuzzing, benchmarks, ecsdebug at length
//	go run ./cmd/check -list            what the steps are
//	go run ./cmd/check -only race,lint  some of them
//	go run ./cmd/check -fix             format
//
// The gate leaves browsers, windows and a release's rehearsal to -nightly where what they show is
// as in the commit that .ci/landed names.
//
// Every step runs, whatever became of the one before it. What failed is shown at the end, above
// a last line that counts: `15 passed, 1 failed`. A step whose tool is missing fails.
//
// The laws that no linter knows are the tests of this package: layers, unsafe, fused products,
// and what pages and indexes show. Format, length, comments and dependencies are in .golangci.yml.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// Exit codes: what a shell expects of a checker and of wrong usage.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	flags.SetOutput(stderr)
	list := flags.Bool("list", false, "list the steps")
	only := flags.String("only", "", "run these `steps`, separated by commas")
	fix := flags.Bool("fix", false, "format")
	brief := flags.Bool("quick", false, "look at what was changed, and what imports it")
	late := flags.Bool("nightly", false, "run what takes hours")
	fuzz := flags.Duration("fuzztime", time.Minute, "how long to run each fuzz target")
	log := flags.String("log", "", "keep what the steps print in this `file`, as they do")
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	root, err := findRoot()
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitFailed
	}
	c := &check{root: root, fuzz: *fuzz}
	var all []step
	var left string // what is said of steps that are not run
	switch {
	case *fix:
		all = []step{{"format", "format with gofumpt", nil, lines{{".", "", "$LINTER fmt"}}}}
	case *brief:
		all, left, err = c.quick()
	case *late:
		all = slices.Concat(every(seldom), nightly)
	case *only != "" || *list:
		all = slices.Concat(gate, every(seldom), nightly)
	default:
		all, left = c.differing(seldom)
		all = slices.Concat(gate, all)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitFailed
	}
	fmt.Fprint(stdout, left)
	chosen, err := choose(all, *only)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitUsage
	}
	if *list {
		for _, s := range chosen {
			fmt.Fprintf(stdout, "%-10s %s\n", s.name, s.does)
		}
		return exitOK
	}
	if *log != "" {
		file, err := os.Create(*log)
		if err != nil {
			fmt.Fprintln(stderr, err)
			return exitFailed
		}
		defer file.Close()
		c.log = file
	}
	if !runSteps(chosen, c, stdout) {
		return exitFailed
	}
	return exitOK
}

// choose picks the steps that only names, in the table's order; an empty only picks all.
func choose(all []step, only string) ([]step, error) {
	if only == "" {
		return all, nil
	}
	names := strings.Split(only, ",")
	for _, name := range names {
		if !slices.ContainsFunc(all, func(s step) bool { return s.name == name }) {
			return nil, fmt.Errorf("check: no step is called %q; -list shows them", name)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(s step) bool {
		return !slices.Contains(names, s.name)
	}), nil
}
