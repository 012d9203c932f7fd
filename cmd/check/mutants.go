package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/flatecs/flatecs/cmd/check/mutate"
)

type mutantSettings struct {
	of     string // directory of the package
	sample int
	seed   uint64
	limit  time.Duration
}

// checkMutants runs a package's tests on changes of it, and lists those that they do not see.
func checkMutants(c *check) error {
	of := c.mutants
	if of.of == "" {
		return errors.New("no package is given; say which by -package, as -package gameobject")
	}
	o := mutate.Options{Root: c.root, Package: filepath.Clean(of.of), Limit: of.limit}
	all, err := mutate.Package(o)
	if err != nil {
		return err
	}
	var counts [mutate.Unbuilt + 1]int
	chosen := mutate.Sample(all, of.sample, of.seed)
	err = mutate.Run(o, chosen, func(m *mutate.Mutant, outcome mutate.Outcome) {
		counts[outcome]++
		if outcome == mutate.Survived {
			fmt.Fprintln(&c.out, m)
			fmt.Fprintf(c.log, "survives: %v\n", m)
		}
	})
	if err != nil {
		return err
	}
	summary := fmt.Sprintf("of %d mutants, out of %d, %d survive, %d are killed, %d by the time "+
		"limit, and %d do not compile", len(chosen), len(all), counts[mutate.Survived],
		counts[mutate.Killed]+counts[mutate.TimedOut], counts[mutate.TimedOut],
		counts[mutate.Unbuilt])
	fmt.Fprintln(c.log, summary)
	if counts[mutate.Survived] > 0 {
		return errors.New(summary)
	}
	return nil
}
