package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/bench/suite"
	"github.com/flatecs/flatecs/bench/turns"
)

// The caches of an ordinary processor, so that figures do not depend on the machine.
var cacheSizes = []string{"--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"}

const simulated = "first-level data cache of 32 KB, last level of 8 MB, lines of 64 bytes"

// caches is what a simulation of the caches has counted in a whole program, from its start to its
// end, and in the same program when it does not Run.
type caches struct {
	Program, Idle accesses
	Walked        int // objects, in all runs together
}

// accesses to data.
type accesses struct{ All, MissedFirst, MissedLast int }

// simulateCaches has each contender do its work under cachegrind.
func simulateCaches(
	ctx context.Context, program string, d suite.Definition, n int, who []string,
) (cells []cell, err error) {
	for _, name := range who {
		c := &caches{Walked: n * d.Caches}
		if c.Idle, err = simulate(ctx, program, name, d.Name, n, 0); err != nil {
			return nil, err
		}
		if c.Program, err = simulate(ctx, program, name, d.Name, n, d.Caches); err != nil {
			return nil, err
		}
		cells = append(cells, cell{Definition: d.Name, N: n, Contender: name, Cache: c})
	}
	return cells, nil
}

func simulate(
	ctx context.Context, program, contender, definition string, n, runs int,
) (accesses, error) {
	command := exec.CommandContext(ctx, "valgrind", append(append([]string{
		"--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null",
	}, cacheSizes...), program, "once", contender, definition,
		strconv.Itoa(n), strconv.Itoa(runs))...)
	command.Env = append(os.Environ(), "GOGC=off") // collections come when they like
	var out strings.Builder
	command.Stderr = &out
	if err := command.Run(); err != nil {
		return accesses{}, fmt.Errorf("valgrind, of %s: %w: %s", contender, err, out.String())
	}
	return parseCachegrind(out.String())
}

var cachegrindLine = regexp.MustCompile(`(?m)^==\d+== (D +refs|D1 +misses|LLd misses): +([\d,]+)`)

// parseCachegrind reads the summary that cachegrind ends with.
func parseCachegrind(text string) (accesses, error) {
	var counts [3]int
	found := cachegrindLine.FindAllStringSubmatch(text, -1)
	if len(found) != len(counts) {
		return accesses{}, fmt.Errorf("valgrind printed no counts of data:\n%s", text)
	}
	for i, match := range found {
		count, err := strconv.Atoi(strings.ReplaceAll(match[2], ",", ""))
		if err != nil {
			return accesses{}, err
		}
		counts[i] = count
	}
	return accesses{counts[0], counts[1], counts[2]}, nil
}

// perObject is what one run adds, per object.
func (c *caches) perObject() (all, missedFirst, missedLast float64) {
	of := func(program, idle int) float64 {
		return float64(max(0, program-idle)) / float64(c.Walked) // idle varies a bit
	}
	return of(c.Program.All, c.Idle.All), of(c.Program.MissedFirst, c.Idle.MissedFirst),
		of(c.Program.MissedLast, c.Idle.MissedLast)
}

func (r *report) caches(p play) [][]string {
	rows := [][]string{{
		"", "D1 miss rate, whole program", "LL miss rate, whole program",
		"accesses per object and run", "D1 misses", "LL misses",
	}}
	for _, c := range r.Cells {
		if c.Cache == nil || c.Definition != p.Name {
			continue
		}
		all, first, last := c.Cache.perObject()
		whole := c.Cache.Program
		rows = append(rows, []string{
			c.Contender,
			percent(whole.MissedFirst, whole.All), percent(whole.MissedLast, whole.All),
			turns.Figure(all), turns.Figure(first), turns.Figure(last),
		})
	}
	return rows
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(1, whole)))
}
