package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A step is one thing the check does: commands, of which each runs, and what needs a function.
type step struct {
	name  string
	does  string // what holds when it passes
	run   func(*check) error
	lines lines
}

type lines = []line

// A line is a command: its directory in the tree, variables that it gets, and its words, in which
// $TEMP, $GOROOT and $LINTER are expanded.
type line struct{ dir, env, words string }

// A check is one step at work: what it looks at, and what it has to show if it fails.
type check struct {
	root string // directory that holds the go.work of all
	temp string // a folder of the step's own
	fuzz time.Duration
	cpu  time.Duration // processor time of the step's commands
	out  bytes.Buffer
	log  io.Writer // gets what all steps print, as they do; or nil
}

// runSteps runs every step, then shows the output of those that failed and counts.
func runSteps(list []step, c *check, w io.Writer) bool {
	var failures bytes.Buffer
	failed := 0
	for _, s := range list {
		fmt.Fprintf(w, "%-9s ", s.name)
		c.out.Reset()
		c.cpu = 0
		start, word := time.Now(), "ok"
		if err := c.do(s); err != nil {
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

// do runs a step, all of it whatever fails.
func (c *check) do(s step) (err error) {
	if c.temp, err = os.MkdirTemp("", "flatecs-check"); err != nil {
		return err
	}
	defer os.RemoveAll(c.temp)
	for _, l := range s.lines {
		err = errors.Join(err, c.command(l))
	}
	if s.run != nil {
		err = errors.Join(err, s.run(c))
	}
	return err
}

// command runs a line and keeps what it prints.
func (c *check) command(l line) error {
	cmd, err := c.prepare(l)
	if err != nil {
		return err
	}
	out := io.Writer(&c.out)
	if c.log != nil {
		out = io.MultiWriter(out, c.log)
	}
	cmd.Stdout, cmd.Stderr = out, out
	fmt.Fprintf(out, "$ cd %s && %s\n", l.dir, strings.TrimSpace(l.env+" "+l.words))
	err = cmd.Run()
	if cmd.ProcessState != nil {
		c.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", l.dir, l.words, err)
	}
	return nil
}

// ask returns what a command prints.
func (c *check) ask(dir, env, words string) (string, error) {
	cmd, err := c.prepare(line{dir, env, words})
	if err != nil {
		return "", err
	}
	text, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %s: %w", dir, words, err)
	}
	return string(text), err
}

// prepare makes a line's command.
func (c *check) prepare(l line) (*exec.Cmd, error) {
	var failed error
	words := strings.Fields(os.Expand(l.words, func(name string) string {
		value, err := c.temp, error(nil)
		switch name {
		case "GOROOT":
			value, err = c.ask(".", "", "go env GOROOT")
		case "LINTER":
			value, err = c.golangci()
		}
		failed = errors.Join(failed, err)
		return strings.TrimSpace(value)
	}))
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = filepath.Join(c.root, l.dir)
	cmd.Env = append(append(cmd.Environ(), "CGO_ENABLED=0"), strings.Fields(l.env)...)
	if l.dir == toolsModule { // it needs none of the others, which a go.work finds
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	cmd.Stderr = &c.out
	return cmd, failed
}

// modules returns the directories of all modules, from the tree's root.
func (c *check) modules() (dirs []string, err error) {
	list, err := c.ask(".", "", "git ls-files go.mod **/go.mod")
	for name := range strings.FieldsSeq(list) {
		dirs = append(dirs, filepath.Dir(name))
	}
	return dirs, err
}

// findRoot returns the root of the checkout.
func findRoot() (string, error) {
	text, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		err = fmt.Errorf("check: git knows no checkout here; run it inside one: %w", err)
	}
	return strings.TrimSpace(string(text)), err
}
