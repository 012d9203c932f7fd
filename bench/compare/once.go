package main

import (
	"fmt"

	"github.com/flatecs/flatecs/bench/suite"
	"github.com/flatecs/flatecs/bench/turns"
)

// An errand does some work and ends: what a profiler looks at.
type errand struct {
	Contender  string `arg:"" help:"Name of the contender."`
	Definition string `arg:"" help:"Name of the definition."`
	N          int    `arg:"" help:"Number of objects."`
	Runs       int    `arg:"" help:"How often to run it."`
	CPUProfile string `name:"cpuprofile" help:"Profile the runs, for go tool pprof." type:"path"`
}

// Run does the work.
func (e *errand) Run(s turns.Streams) error {
	c, known := contenderNamed(e.Contender)
	d, ok := definitionNamed(e.Definition)
	if !known || !ok || !d.Has(c.Name) || c.Peer == suite.C {
		return fmt.Errorf("no %s of %s; --list names them", e.Definition, e.Contender)
	}
	work := d.Make(c, e.N)
	defer work.Close()
	stop, err := turns.Profile(e.CPUProfile)
	if err != nil {
		return err
	}
	defer stop()
	for range e.Runs {
		work.Run()
		if work.Reset != nil {
			work.Reset()
		}
	}
	r := work.Check()
	_, err = fmt.Fprintln(s.Out, r.Count, r.Sum)
	return err
}
