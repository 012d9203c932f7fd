package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/bench/turns"
)

// An update is the command line.
type update struct {
	Only []string `help:"Headings of the parts to measure." placeholder:"HEADING"`
	Page string   `help:"The page, from the root of the tree." default:"docs/PERFORMANCE.md"`
	List bool     `help:"List the parts and their commands, and end."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var u update
	kong.Parse(&u, kong.Name("performance"),
		kong.Description("Measures anew what docs/PERFORMANCE.md says, and writes the page."))
	err := u.run(ctx, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "performance:", err)
		os.Exit(1)
	}
}

// run measures part by part, and writes the page after each.
func (u *update) run(ctx context.Context, out, errs io.Writer) error {
	root, err := findRoot()
	if err != nil {
		return err
	}
	page := filepath.Join(root, u.Page)
	all, err := readParts(page)
	if err != nil {
		return err
	}
	chosen, err := u.choose(all)
	if err != nil {
		return err
	}
	if u.List {
		for _, i := range chosen {
			_, err = fmt.Fprintf(out, "%s\n\t%s\n", all[i].heading,
				strings.Join(all[i].commands, "\n\t"))
		}
		return err
	}
	progress := turns.NewProgress(errs, len(chosen))
	defer progress.End()
	for _, i := range chosen {
		progress.Begin(all[i].heading)
		figures, err := measure(ctx, root, all[i].commands, errs)
		if err != nil {
			return fmt.Errorf("%s: %w", all[i].heading, err)
		}
		if err := write(page, i, figures); err != nil {
			return err
		}
		progress.Add(1)
		progress.Tell(all[i].heading)
	}
	return nil
}

// choose returns the numbers of the parts that are asked for.
func (u *update) choose(all []part) (chosen []int, err error) {
	for i, p := range all {
		if len(u.Only) == 0 {
			chosen = append(chosen, i)
		}
		for _, heading := range u.Only {
			if p.heading == heading {
				chosen = append(chosen, i)
			}
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("--only: nothing is measured under %q; --list names the parts",
			u.Only)
	}
	return chosen, nil
}

func readParts(page string) ([]part, error) {
	lines, err := readLines(page)
	if err != nil {
		return nil, err
	}
	found, err := parts(lines)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", page, err)
	}
	return found, nil
}

func readLines(page string) ([]string, error) {
	text, err := os.ReadFile(page)
	return strings.Split(string(text), "\n"), err
}

// write puts figures into the i-th part of a page as it is now.
func write(page string, i int, figures string) error {
	lines, err := readLines(page)
	if err != nil {
		return err
	}
	found, err := parts(lines)
	if err != nil || i >= len(found) {
		return fmt.Errorf("%s: its parts have changed meanwhile: %w", page, err)
	}
	lines = replaced(lines, found[i], figures)
	return os.WriteFile(page, []byte(strings.Join(lines, "\n")), 0o644)
}

// measure runs commands in a folder, and returns their figures below each other, each below the
// comment of its command.
func measure(ctx context.Context, dir string, commands []string, errs io.Writer) (string, error) {
	var all []string
	for _, line := range commands {
		var out bytes.Buffer
		command := exec.CommandContext(ctx, "sh", "-c", line)
		command.Dir, command.Stdout, command.Stderr = dir, &out, errs
		command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
		command.WaitDelay = 10 * time.Second // in which to keep what was measured
		if err := command.Run(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", line, err, out.String())
		}
		if _, comment, ok := strings.Cut(line, " # "); ok {
			comment = strings.TrimSpace(comment)
			all = append(all, strings.ToUpper(comment[:1])+comment[1:]+":")
		}
		all = append(all, strings.Trim(figures(out.String()), "\n"))
	}
	return strings.Join(all, "\n\n"), nil
}

// findRoot climbs to the folder that holds go.work.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.work here or above; run it inside the tree")
		}
		dir = parent
	}
}
