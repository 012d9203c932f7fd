package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// checkCoverage runs the library's short tests and notes which share of each package's statements
// some test runs, in whatever package the test is. There is no share that is too small: a mutant
// that survives tells more than a statement that was run.
func checkCoverage(c *check) error {
	profile := c.profile
	if profile == "" {
		dir, err := os.MkdirTemp("", "flatecs-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		profile = filepath.Join(dir, "cover.out")
	}
	profile, err := filepath.Abs(profile)
	if err != nil {
		return err
	}
	if err := c.command(".", nil, "go", "test", "-short", "-coverpkg=./...",
		"-coverprofile="+profile, "./..."); err != nil {
		return err
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	shares, err := coverage(text)
	c.notes = shares
	return err
}

// coverage returns a line for each package of a profile, and one for all of them. A profile names a
// block of statements once per test program: "a/b.go:1.2,3.4 statements times".
func coverage(profile []byte) (lines []string, err error) {
	type counts struct{ run, all int }
	blocks := map[string]counts{}
	_, rest, _ := bytes.Cut(profile, []byte("\n")) // mode: set
	for line := range strings.Lines(string(rest)) {
		words := strings.Fields(line)
		if len(words) != 3 {
			return nil, fmt.Errorf("%q is no line of a profile", line)
		}
		statements, err := strconv.Atoi(words[1])
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		b := counts{blocks[words[0]].run, statements}
		if words[2] != "0" {
			b.run = statements
		}
		blocks[words[0]] = b
	}
	const total = "all"
	packages := map[string]counts{}
	for block, b := range blocks {
		file, _, _ := strings.Cut(block, ":")
		for _, name := range []string{path.Dir(file), total} {
			sum := packages[name]
			packages[name] = counts{sum.run + b.run, sum.all + b.all}
		}
	}
	names := slices.Sorted(maps.Keys(packages))
	names = append(slices.DeleteFunc(names, func(n string) bool { return n == total }), total)
	for _, name := range names {
		if sum := packages[name]; sum.all > 0 {
			lines = append(lines,
				fmt.Sprintf("%5.1f%% %s", 100*float64(sum.run)/float64(sum.all), name))
		}
	}
	return lines, nil
}
