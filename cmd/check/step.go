package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
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
	root string // directory that holds the go.work of all
	fuzz time.Duration
	cpu  time.Duration // processor time of the step's commands
	out  bytes.Buffer
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

// runSteps runs every step, then shows the output of those that failed and counts.
func runSteps(list []step, c *check, w io.Writer) bool {
	var failures bytes.Buffer
	failed := 0
	for _, s := range list {
		fmt.Fprintf(w, "%-9s ", s.name)
		c.out.Reset()
		c.cpu = 0
		start := time.Now()
		err := s.run(c)
		word := "ok"
		if err != nil {
			word = "FAIL"
			failed++
			fmt.Fprintf(&failures, "\n--- %s: %v\n%s", s.name, err, c.out.Bytes())
		}
		fmt.Fprintf(w, "%-4s  %6.1fs  %6.1fs of processor time\n", word,
			time.Since(start).Seconds(), c.cpu.Seconds())
	}
	fmt.Fprintf(w, "%s\n%d passed, %d failed\n", failures.Bytes(), len(list)-failed, failed)
	return failed == 0
}

// command runs a program in a directory of the tree and keeps what it prints.
func (c *check) command(dir string, env []string, args ...string) error {
	line := strings.Join(append([]string{filepath.Base(args[0])}, args[1:]...), " ")
	fmt.Fprintf(&c.out, "$ cd %s && %s\n", dir, strings.Join(append(slices.Clone(env), line), " "))
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = filepath.Join(c.root, dir)
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &c.out, &c.out
	err := cmd.Run()
	if cmd.ProcessState != nil {
		c.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", dir, line, err)
	}
	return nil
}

// ask returns what a command prints in a directory of the tree.
func (c *check) ask(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = filepath.Join(c.root, dir)
	cmd.Stderr = &c.out
	text, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %s %s: %w", dir, name, strings.Join(args, " "), err)
	}
	return string(text), err
}

// modules returns the directories of all modules, from the tree's root.
func (c *check) modules() ([]string, error) {
	list, err := c.ask(".", "git", "ls-files", "go.mod", "**/go.mod")
	var dirs []string
	for name := range strings.FieldsSeq(list) {
		dirs = append(dirs, filepath.Dir(name))
	}
	return dirs, err
}

// findRoot climbs from the working directory to the one that holds the go.work of the tree. That of
// a nested module has a "../.." in it.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		work, err := os.ReadFile(filepath.Join(dir, "go.work"))
		if err == nil && !bytes.Contains(work, []byte("../..")) {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("check: no go.work here or above; run it inside the tree")
		}
		dir = parent
	}
}
