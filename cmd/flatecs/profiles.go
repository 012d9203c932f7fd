package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"

	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
)

// profiles are the flags for Go's own measurements.
type profiles struct {
	CPU    newFile `help:"Write a CPU profile, by system." placeholder:"FILE" name:"cpuprofile"`
	Memory newFile `help:"Write a profile of the allocations." placeholder:"FILE" name:"memprofile"`
	Trace  newFile `help:"Write an execution trace." placeholder:"FILE"`
	Jobs   newFile `help:"Write when jobs ran, for Perfetto." placeholder:"FILE" name:"trace-jobs"`
	Pprof  address `help:"${pprof}"      placeholder:"ADDR"`

	PprofAnyone bool `help:"Let other machines take profiles, by an ADDR that they reach."`

	jobs inspect.Trace
}

// requireDistinct refuses two profiles, or a profile and another file, with the same path.
func (p *profiles) requireDistinct(others ...flagFile) error {
	files := slices.Concat(others, []flagFile{
		{"--cpuprofile", string(p.CPU)},
		{"--memprofile", string(p.Memory)},
		{"--trace", string(p.Trace)},
		{"--trace-jobs", string(p.Jobs)},
	})
	for i, b := range files {
		for _, a := range files[:i] {
			if a.path != "" && b.path != "" && sameFile(a.path, b.path) {
				return fmt.Errorf("%s and %s both name %s; give each a file of its own",
					a.flag, b.flag, b.path)
			}
		}
	}
	return nil
}

// follow attaches a trace to the jobs of a run, if requested.
func (p *profiles) follow(r *sceneRun) {
	if p.Jobs != "" {
		p.jobs.Attach(r.Schedule)
		p.jobs.Start()
		r.watchers = append(r.watchers, watcher{
			stepped: func(uint64, world.State) error { p.jobs.Frame(); return nil },
		})
	}
}

// start starts the requested profiles. The returned function ends them in reverse order.
func (p *profiles) start(ctx context.Context, stderr io.Writer) (stop func() error, err error) {
	if p.CPU != "" || p.Memory != "" || p.Trace != "" || p.Jobs != "" {
		orderly(ctx)
	}
	var stops []func() error
	stop = func() error {
		var first error
		for _, end := range slices.Backward(stops) {
			first = cmp.Or(first, end())
		}
		return first
	}
	begin := func(path newFile, start, finish func(io.Writer) error) {
		if path == "" || err != nil {
			return
		}
		var end func() error
		if end, err = profileTo(path, start, finish); err == nil {
			stops = append(stops, end)
		}
	}
	begin(p.CPU, pprof.StartCPUProfile, func(io.Writer) error {
		pprof.StopCPUProfile()
		return nil
	})
	begin(p.Memory, func(io.Writer) error { return nil }, writeAllocations)
	begin(p.Trace, trace.Start, func(io.Writer) error { trace.Stop(); return nil })
	begin(p.Jobs, func(io.Writer) error { return nil }, func(w io.Writer) error {
		_, err := p.jobs.WriteTo(w)
		return err
	})
	if p.Pprof != "" && err == nil {
		var end func() error
		if end, err = servePprof(p.Pprof, stderr); err == nil {
			stops = append(stops, end)
		}
	}
	if err != nil {
		_ = stop()
	}
	return stop, err
}

// profileTo starts a profile and returns a function that ends it. It opens the file immediately, so
// that a bad path fails before the run.
func profileTo(path newFile, start, finish func(io.Writer) error) (end func() error, err error) {
	profile, err := file.Stream(string(path))
	if err != nil {
		return nil, err
	}
	if err := start(profile); err != nil {
		profile.Discard()
		return nil, err
	}
	return func() error { return cmp.Or(finish(profile), profile.Commit()) }, nil
}

func writeAllocations(out io.Writer) error {
	runtime.GC() // updates the heap profile
	return pprof.Lookup("allocs").WriteTo(out, 0)
}
