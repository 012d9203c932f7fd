// Command check holds the tree to its rules: one command, run from anywhere inside it.
//
//	go run ./cmd/check                  the gate: what every change has to pass
//	go run ./cmd/check -quick           for every commit: what was changed, and what imports it
//	go run ./cmd/check -nightly         what takes hours: fuzzing, benchmarks, ecsdebug at length
//	go run ./cmd/check -nightly -for 1h a part of that: first the steps that passed longest ago
//	go run ./cmd/check -list            what the steps are
//	go run ./cmd/check -only race,lint  some of them
//	go run ./cmd/check -fix             format
//	go run ./cmd/check -quality         write nightly's last passes into docs/QUALITY.md
//
// -nightly writes into .ci/nightly at which commit each of its steps passed last. The gate leaves
// browsers, windows, a release's rehearsal and what cmd/vet finds to it where what they look at is
// as it was there, and lints what differs.
//
// The steps are in steps.txt, and the laws that no linter knows are the tests of this package.
// Every step runs, whatever became of the one before it. What failed is shown at the end, above a
// last line that counts: `15 passed, 1 failed`. A step whose tool is missing fails.
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

func main() {
	passed, err := run(os.Args[1:], os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2) // wrong usage
	case !passed:
		os.Exit(1)
	}
}

// run carries out the arguments, and reports whether all steps passed.
func run(args []string, stdout io.Writer) (passed bool, err error) {
	flags := flag.NewFlagSet("check", flag.ExitOnError)
	list := flags.Bool("list", false, "list the steps")
	only := flags.String("only", "", "run these `steps`, separated by commas")
	fix := flags.Bool("fix", false, "format")
	brief := flags.Bool("quick", false, "check changed packages and their importers")
	late := flags.Bool("nightly", false, "run the steps that take hours")
	quality := flags.Bool("quality", false, "write nightly's last passes into "+qualityPage)
	hours := flags.Duration("for", 0, "with -nightly: begin no step after this `time`")
	log := flags.String("log", "", "also write the output of the steps to this `file`")
	_ = flags.Parse(args) // exits on errors
	if flags.NArg() > 0 {
		return false, fmt.Errorf("check: unknown flag %q; -help lists them", flags.Arg(0))
	}
	root, err := findRoot()
	if err != nil {
		return false, err
	}
	c := &check{root: root, nightly: *late}
	if *quality {
		return true, c.writeQuality()
	}
	if *hours > 0 {
		c.until = time.Now().Add(*hours)
	}
	gate, seldom, nightly := steps["gate"], steps["seldom"], steps["nightly"]
	chosen, left := slices.Concat(gate, seldom, nightly), ""
	switch {
	case *fix:
		chosen = []step{{name: "format", lines: []string{"$LINTER fmt"}}}
	case *brief:
		chosen, left, err = c.quick()
	case *late:
		chosen = c.longestAgo(slices.Concat(seldom, nightly))
		if *only != "" {
			chosen, err = choose(chosen, *only)
		}
	case *only != "":
		chosen, err = choose(chosen, *only)
	case !*list:
		chosen, left = c.differing(seldom)
		chosen = slices.Concat(gate, chosen)
	}
	if err != nil || *list {
		for _, s := range chosen {
			fmt.Fprintf(stdout, "%-10s %s\n", s.name, s.does)
		}
		return true, err
	}
	if *log != "" {
		file, err := os.Create(*log)
		if err != nil {
			return false, err
		}
		defer file.Close()
		c.log = file
	}
	fmt.Fprint(stdout, left)
	return runSteps(chosen, c, stdout), nil
}

// choose returns the steps that only names.
func choose(all []step, only string) (chosen []step, err error) {
	for name := range strings.SplitSeq(only, ",") {
		at := slices.IndexFunc(all, func(s step) bool { return s.name == name })
		if at < 0 {
			return nil, fmt.Errorf("check: unknown step %q; -list lists them", name)
		}
		chosen = append(chosen, all[at])
	}
	return chosen, nil
}
