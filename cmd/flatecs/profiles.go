package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
)

// profiles are the measurements that Go itself offers.
type profiles struct {
	CPU    newFile `help:"${cpuprofile}" placeholder:"FILE" name:"cpuprofile"`
	Memory newFile `help:"${memprofile}" placeholder:"FILE" name:"memprofile"`
	Trace  newFile `help:"${trace}"      placeholder:"FILE"`
	Pprof  address `help:"${pprof}"      placeholder:"ADDR"`

	PprofAnyone bool `help:"${pprofanyone}"`
}

// apart refuses two profiles, or a profile and another file of the command, that are one file.
func (p *profiles) apart(others ...flagFile) error {
	files := slices.Concat(others, []flagFile{
		{"--cpuprofile", string(p.CPU)},
		{"--memprofile", string(p.Memory)},
		{"--trace", string(p.Trace)},
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

// start begins every profile asked for. The function it returns ends them, last one first.
func (p *profiles) start(ctx context.Context, stderr io.Writer) (stop func() error, err error) {
	if p.CPU != "" || p.Memory != "" || p.Trace != "" {
		orderly(ctx)
	}
	var stops []func() error
	stop = func() error {
		var first error
		for _, end := range slices.Backward(stops) {
			if err := end(); first == nil {
				first = err
			}
		}
		return first
	}
	begin := func(value string, start func(value string) (func() error, error)) {
		if value == "" || err != nil {
			return
		}
		var end func() error
		if end, err = start(value); err == nil {
			stops = append(stops, end)
		}
	}
	begin(string(p.CPU), startCPUProfile)
	begin(string(p.Memory), startMemoryProfile)
	begin(string(p.Trace), startTrace)
	begin(string(p.Pprof), func(string) (func() error, error) {
		return servePprof(p.Pprof, slog.New(slog.NewTextHandler(stderr, nil)))
	})
	if err != nil {
		_ = stop()
		return nil, err
	}
	return stop, nil
}

// A profileFile remembers the first error of writing, which the runtime's profilers keep to
// themselves, and returns it when it is closed.
type profileFile struct {
	*os.File
	failed error
}

func createProfile(path string) (*profileFile, error) {
	file, err := createFile(path)
	return &profileFile{File: file}, err
}

func (f *profileFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if f.failed == nil {
		f.failed = err
	}
	return n, err
}

func (f *profileFile) Close() error {
	if err := f.File.Close(); f.failed == nil {
		f.failed = err
	}
	return f.failed
}

func startCPUProfile(path string) (func() error, error) {
	file, err := createProfile(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		_ = file.Close()
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}

// startMemoryProfile opens the file at once, so that a bad path is not found out after the run.
func startMemoryProfile(path string) (func() error, error) {
	file, err := createProfile(path)
	if err != nil {
		return nil, err
	}
	return func() error {
		runtime.GC() // brings the profile up to date
		if err := pprof.Lookup("allocs").WriteTo(file, 0); err != nil {
			_ = file.Close()
			return err
		}
		return file.Close()
	}, nil
}

func startTrace(path string) (func() error, error) {
	file, err := createProfile(path)
	if err != nil {
		return nil, err
	}
	if err := trace.Start(file); err != nil {
		_ = file.Close()
		return nil, err
	}
	return func() error {
		trace.Stop()
		return file.Close()
	}, nil
}
