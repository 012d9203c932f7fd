// Command check holds the tree to its rules: one command, run from anywhere inside it.
//
//	go run ./cmd/check                  every step; takes a while
//	go run ./cmd/check -quick           what to run before each commit: a minute of processor time
//	go run ./cmd/check -list            what the steps are
//	go run ./cmd/check -only laws,lint  some of them
//	go run ./cmd/check -only fuzz -for 1h  every fuzz target for a part of an hour; inputs that
//	                                    lead to new code are kept in testdata
//	go run ./cmd/check -fix             bring the written lists up to date, and format
//
//	go run ./cmd/check -only mutants -package manager -sample 50
//
// changes a package in 50 small ways, one at a time, and lists those that its tests do not see. It
// takes a while, and is done only when it is named.
//
// Every step runs, whatever became of the one before it. What failed is shown at the end, above
// a last line that counts: `15 passed, 1 failed`. A step whose tool is missing fails.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
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
	fix := flags.Bool("fix", false, "bring the written lists up to date, and format")
	brief := flags.Bool("quick", false,
		"format, laws, vet; lint and tests of the library and of what was changed")
	var o settings
	flags.DurationVar(&o.fuzz.each, "fuzztime", 3*time.Second, "how long to run each fuzz target")
	flags.DurationVar(&o.fuzz.all, "for", 0,
		"how long to run all fuzz targets together, and keep inputs that lead to new code")
	flags.StringVar(&o.mutants.of, "package", "", "mutants: of the package in this `directory`")
	flags.IntVar(&o.mutants.sample, "sample", 50, "mutants: how many; 0: all")
	flags.Uint64Var(&o.mutants.seed, "seed", 1, "mutants: which ones")
	flags.DurationVar(&o.mutants.limit, "limit", time.Minute, "mutants: time for the tests of one")
	flags.StringVar(&o.profile, "coverprofile", "", "coverage: keep the profile in this `file`")
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	all := steps
	switch {
	case *fix:
		all = fixes
	case *brief:
		all = quick
	case *only != "" || *list:
		all = slices.Concat(steps, apart)
	}
	chosen, err := choose(all, *only)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitUsage
	}
	if *list {
		printSteps(stdout, chosen)
		return exitOK
	}
	o.log = stderr
	return checkTree(chosen, o, stdout, stderr)
}

func checkTree(chosen []step, o settings, stdout, stderr io.Writer) int {
	root, err := findRoot(".")
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitFailed
	}
	t, err := loadTree(root)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitFailed
	}
	if !runSteps(chosen, t, o, stdout) {
		return exitFailed
	}
	return exitOK
}

func printSteps(w io.Writer, list []step) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer table.Flush()
	for _, s := range list {
		fmt.Fprintf(table, "%s\t%s\n", s.name, s.does)
	}
}
