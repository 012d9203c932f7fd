package main

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A step is one thing the check does.
type step struct {
	name string
	does string // what holds when it passes
	run  func(*check) error
}

// A check is one step at work: what it looks at, and what it has to show if it fails.
type check struct {
	*tree
	settings
	out   bytes.Buffer
	notes []string // shown also when it passes
}

// settings are what the command line says to single steps.
type settings struct {
	fuzz    fuzzing
	mutants mutantSettings
	profile string    // of coverage; a temporary file if empty
	log     io.Writer // for steps that take long
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
	var chosen []step
	for _, s := range all {
		if slices.Contains(names, s.name) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// runSteps runs every step, then shows the output of those that failed and counts.
func runSteps(list []step, t *tree, o settings, w io.Writer) bool {
	var failures bytes.Buffer
	failed := 0
	for _, s := range list {
		fmt.Fprintf(w, "%-9s ", s.name)
		c := &check{tree: t, settings: o}
		start := time.Now()
		err := s.run(c)
		seconds := time.Since(start).Seconds()
		word := "ok"
		if err != nil {
			word = "FAIL"
		}
		fmt.Fprintf(w, "%-4s  %6.1fs\n", word, seconds)
		for _, note := range c.notes {
			fmt.Fprintln(w, "         ", note)
		}
		if err == nil {
			continue
		}
		failed++
		fmt.Fprintf(&failures, "\n--- %s: %v\n%s", s.name, err, c.out.Bytes())
	}
	fmt.Fprintf(w, "%s\n%d passed, %d failed\n", failures.Bytes(), len(list)-failed, failed)
	return failed == 0
}

// command runs a program in a directory of the tree and keeps what it prints.
func (c *check) command(dir string, env []string, args ...string) error {
	line := strings.Join(append([]string{filepath.Base(args[0])}, args[1:]...), " ")
	fmt.Fprintf(&c.out, "$ cd %s && %s\n", dir, strings.Join(append(slices.Clone(env), line), " "))
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = c.abs(dir)
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &c.out, &c.out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %s: %w", dir, line, err)
	}
	return nil
}

// problems fails a step that found any, and shows them.
func (c *check) problems(found []string) error {
	if len(found) == 0 {
		return nil
	}
	for _, line := range found {
		fmt.Fprintln(&c.out, line)
	}
	return fmt.Errorf("%d to mend", len(found))
}
