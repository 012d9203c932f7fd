package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An Outcome is what became of a mutant.
type Outcome uint8

// Outcomes of the tests of a mutant.
const (
	Survived Outcome = iota // they pass
	Killed                  // one fails
	TimedOut                // they go on for too long
	Unbuilt                 // it is no Go
)

// Options say how mutants are run.
type Options struct {
	Root    string        // directory in which the go command is run
	Package string        // directory of the package, from Root
	Limit   time.Duration // of the tests of one mutant; 0: a minute
	Env     []string      // beside the environment

	tests []string // packages whose tests are run
}

// ErrTests is the error of tests that fail without any change.
var ErrTests = errors.New("the tests fail as it is; mend them first")

// Package returns the mutants of the files of a package that are compiled on this machine.
func Package(o Options) ([]Mutant, error) {
	list := o.command(context.Background(), "list", "-f", `{{join .GoFiles "\n"}}`, o.path())
	names, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("mutate: %s is no package: %w", o.Package, err)
	}
	var all []Mutant
	for name := range strings.FieldsSeq(string(names)) {
		file := path.Join(filepath.ToSlash(o.Package), name)
		source, err := os.ReadFile(filepath.Join(o.Root, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		found, err := Find(file, source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// Sample returns n of the mutants, in their order; all of them when there are no more, or n is 0.
// The same seed chooses the same ones.
func Sample(all []Mutant, n int, seed uint64) []Mutant {
	if n <= 0 || n >= len(all) {
		return all
	}
	chosen := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:n]
	slices.Sort(chosen)
	sample := make([]Mutant, n)
	for i, at := range chosen {
		sample[i] = all[at]
	}
	return sample
}

// Run runs the tests on each mutant, one after the other, and tells each outcome as it is known.
// The error wraps [ErrTests].
func Run(o Options, mutants []Mutant, tell func(*Mutant, Outcome)) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if o.tests, err = o.testing(); err != nil {
		return err
	}
	if outcome, out, err := o.test(); err != nil || outcome != Survived {
		return fmt.Errorf("mutate: %s: %w: %s", o.Package, errors.Join(ErrTests, err), out)
	}
	for i := range mutants {
		overlay, err := o.overlay(dir, &mutants[i])
		if err != nil {
			return err
		}
		outcome, _, err := o.test("-overlay=" + overlay)
		if err != nil {
			return err
		}
		tell(&mutants[i], outcome)
	}
	return nil
}

// testing returns the packages of the module whose tests are run: the package, and those that
// import it.
func (o *Options) testing() ([]string, error) {
	const imports = `{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} ` +
		`{{join .XTestImports " "}}`
	name, err := o.command(context.Background(), "list", o.path()).Output()
	if err != nil {
		return nil, fmt.Errorf("mutate: %s is no package: %w", o.Package, err)
	}
	of := strings.TrimSpace(string(name))
	list, err := o.command(context.Background(), "list", "-f", imports, "./...").Output()
	tests := []string{of}
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		if words[0] != of && slices.Contains(words[1:], of) {
			tests = append(tests, words[0])
		}
	}
	return tests, err
}

// overlay writes a mutant beside the tree, and returns the file that tells the go command of it.
func (o *Options) overlay(dir string, m *Mutant) (string, error) {
	original, err := filepath.Abs(filepath.Join(o.Root, filepath.FromSlash(m.File)))
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	replace := map[string]map[string]string{"Replace": {original: changed}}
	list, err := json.Marshal(replace)
	if err == nil {
		err = os.WriteFile(changed, m.Apply(source), 0o600)
	}
	if err == nil {
		err = os.WriteFile(overlay, list, 0o600)
	}
	return overlay, err
}

// test runs the tests. Those that do not heed their time limit are ended by force.
func (o *Options) test(flags ...string) (outcome Outcome, out string, err error) {
	limit := o.Limit
	if limit <= 0 {
		limit = time.Minute
	}
	const build = 10 * time.Minute
	ctx, cancel := context.WithTimeout(context.Background(), build+2*limit)
	defer cancel()
	args := append([]string{
		"test", "-count=1", "-vet=off", "-failfast", "-timeout=" + limit.String(),
	}, flags...)
	b, err := o.command(ctx, append(args, o.tests...)...).CombinedOutput()
	out = string(b)
	var failed *exec.ExitError
	switch {
	case err == nil:
		return Survived, out, nil
	case ctx.Err() != nil, strings.Contains(out, "panic: test timed out after"):
		return TimedOut, out, nil
	case strings.Contains(out, "[build failed]"), strings.Contains(out, "[setup failed]"):
		return Unbuilt, out, nil
	case errors.As(err, &failed):
		return Killed, out, nil
	}
	return Killed, out, err
}

func (o *Options) path() string { return "./" + filepath.ToSlash(o.Package) }

func (o *Options) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = o.Root
	cmd.Env = append(cmd.Environ(), o.Env...)
	cmd.WaitDelay = time.Second
	return cmd
}
