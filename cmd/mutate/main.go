// Command mutate changes a package in small ways, one at a time, and runs its tests on each, and
// those of the packages that import it: a mutant that they let through is a line that no test sees.
//
//	go run ./cmd/mutate -package systems/internal/kin -sample 50
//
//	drop     a statement: an assignment, a call, x++, defer, go
//	negate   a condition of if, or of a case without a tag
//	swap     && and ||, == and !=, < and <=, > and >=, + and -, & and |, << and >>, &^ for &
//	number   n for n + 1, and for n - 1 where it is not 0
//	flip     true and false
//
// No file of the tree is touched: the go command reads the changed file by its flag -overlay. Tests
// that run longer than a limit count as having seen the mutant, since most of those go on for ever.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

func main() {
	err := run(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(args []string, log io.Writer) error {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(log)
	of := flags.String("package", "", "the `directory` of the package, from here")
	sample := flags.Int("sample", 50, "how many mutants; 0: all")
	seed := flags.Uint64("seed", 1, "which ones")
	limit := flags.Duration("limit", time.Minute, "time for the tests of one")
	if err := flags.Parse(args); err != nil {
		return errors.Join(flag.ErrHelp, err)
	}
	if *of == "" {
		return errors.New("no package is given; say which by -package, as -package gameobject")
	}
	o := Options{Root: ".", Package: filepath.Clean(*of), Limit: *limit}
	all, err := Package(o)
	if err != nil {
		return err
	}
	var counts [Unbuilt + 1]int
	chosen := Sample(all, *sample, *seed)
	err = Run(o, chosen, func(m *Mutant, outcome Outcome) {
		counts[outcome]++
		if outcome == Survived {
			fmt.Fprintf(log, "survives: %v\n", m)
		}
	})
	if err != nil {
		return err
	}
	summary := fmt.Sprintf("of %d mutants, out of %d, %d survive, %d are killed, %d by the time "+
		"limit, and %d do not compile", len(chosen), len(all), counts[Survived],
		counts[Killed]+counts[TimedOut], counts[TimedOut], counts[Unbuilt])
	if counts[Survived] > 0 {
		return errors.New(summary)
	}
	fmt.Fprintln(log, summary)
	return nil
}
