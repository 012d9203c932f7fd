package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A check is the run of one step: its environment, and its output in case of failure.
type check struct {
	root string        // the directory with the go.work of all modules
	temp string        // the step's temporary folder
	cpu  time.Duration // CPU time of the step's commands
	out  bytes.Buffer
	log  io.Writer // receives the output of all steps as it is written; or nil

	nightly bool      // record steps that pass
	until   time.Time // no step starts after it; zero: no limit
}

// runSteps runs every step, then prints the output of the failed ones, and the counts.
func runSteps(list []step, c *check, w io.Writer) bool {
	var failures bytes.Buffer
	failed := 0
	for n, s := range list {
		if !c.until.IsZero() && time.Now().After(c.until) {
			fmt.Fprintf(w, "%d steps remain for the next run; the first is %s\n", len(list)-n,
				s.name)
			list = list[:n]
			break
		}
		fmt.Fprintf(w, "%-9s ", s.name)
		c.out.Reset()
		c.cpu = 0
		start, word := time.Now(), "ok"
		if err := c.do(s); err != nil {
			word = "FAIL"
			failed++
			fmt.Fprintf(&failures, "\n--- %s: %v\n%s", s.name, err, c.out.Bytes())
		}
		took := time.Since(start)
		fmt.Fprintf(w, "%-4s  %6.1fs  %6.1fs of processor time\n", word, took.Seconds(),
			c.cpu.Seconds())
		if word == "ok" && c.nightly {
			if err := c.record(s.name, took); err != nil {
				fmt.Fprintf(w, "check: %v\n", err)
			}
		}
	}
	fmt.Fprintf(w, "%s\n%d passed, %d failed\n", failures.Bytes(), len(list)-failed, failed)
	return failed == 0
}

// do runs all of a step, even after a failure.
func (c *check) do(s step) (err error) {
	if c.temp, err = os.MkdirTemp("", "flatecs-check"); err != nil {
		return err
	}
	defer os.RemoveAll(c.temp)
	return c.lines(s)
}

// lines runs the commands of a step.
func (c *check) lines(s step) (err error) {
	for _, line := range s.lines {
		switch first, rest, _ := strings.Cut(line, " "); first {
		case "$EACHTARGET":
			err = errors.Join(err, c.eachTarget(rest))
		case "$EACHCHANGED":
			err = errors.Join(err, c.eachChanged(rest))
		default:
			err = errors.Join(err, c.command(line))
		}
	}
	return err
}

// command runs a command and stores its output.
func (c *check) command(line string) error { return c.run(line, nil) }

// ask returns the output of a command.
func (c *check) ask(line string) (string, error) {
	var text strings.Builder
	err := c.run(line, &text)
	return text.String(), err
}

// run runs a command. It stores the output, except for stdout if wants is not nil.
func (c *check) run(line string, wants io.Writer) error {
	cmd, shown, err := c.prepare(line)
	if err != nil {
		return err
	}
	out := io.Writer(&c.out)
	if c.log != nil {
		out = io.MultiWriter(out, c.log)
	}
	cmd.Stdout, cmd.Stderr = wants, out
	if wants == nil {
		cmd.Stdout = out
		fmt.Fprintf(out, "$ %s\n", shown)
	}
	err = cmd.Run()
	if cmd.ProcessState != nil {
		c.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", shown, err)
	}
	return nil
}

var variables = regexp.MustCompile(`^([A-Z0-9_]+=\S* +)*`)

// prepare creates the command for a line, "cd DIRECTORY && VARIABLE=VALUE PROGRAM WORD"; all parts
// except the program are optional. It also returns the line with all names replaced.
func (c *check) prepare(line string) (*exec.Cmd, string, error) {
	line = expand(line)
	dir, rest, found := strings.Cut(strings.TrimPrefix(line, "cd "), " && ")
	if !found {
		dir, rest = ".", line
	}
	var failed error
	env := variables.FindString(rest)
	rest = os.Expand(strings.TrimPrefix(rest, env), func(name string) string {
		value, err := c.word(name, env)
		failed = errors.Join(failed, err)
		return strings.TrimSpace(value)
	})
	words := strings.Fields(rest)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = filepath.Join(c.root, dir)
	cmd.Env = append(append(cmd.Environ(), "CGO_ENABLED=0"), strings.Fields(env)...)
	return cmd, "cd " + dir + " && " + env + rest, failed
}

// modules returns the directories of all modules, relative to the root.
func (c *check) modules() (dirs []string, err error) {
	list, err := c.ask("git ls-files go.mod **/go.mod")
	for name := range strings.FieldsSeq(list) {
		dirs = append(dirs, path.Dir(name))
	}
	return dirs, err
}

// findRoot returns the root of the checkout.
func findRoot() (string, error) {
	text, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		err = fmt.Errorf("check: not in a git checkout; run it inside one: %w", err)
	}
	return strings.TrimSpace(string(text)), err
}
