package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLabIsATable(t *testing.T) {
	line := "lab schelling --param density=0.5..0.7/3 --param wanted=2,3 --seeds 2 --steps 4"
	out := played(t, line)
	rows := strings.Split(strings.TrimSpace(out), "\n")
	if len(rows) != 1+3*2*2 || !strings.HasPrefix(rows[12], "0.7,40,3,1,2,1890700816702069259,4,") {
		t.Errorf("%d rows, last %q", len(rows), rows[len(rows)-1])
	}
	file := filepath.Join(t.TempDir(), "a.csv")
	for _, workers := range []string{"1", "4"} {
		if said := played(t, line+" --workers "+workers+" --out "+file); said != "12 rows in "+file+"\n" {
			t.Errorf("it says %q", said)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != out {
			t.Errorf("%s workers: another table, %v", workers, err)
		}
	}
	if left, _ := filepath.Glob(file + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if other := played(t, line+" --seed 2"); other == out {
		t.Error("other seeds make the same table")
	}
}

func TestLabOfEachModel(t *testing.T) {
	for model, want := range map[string]string{
		"wolfsheep --every 5 --param wolfBirths=0.1..0.2/2": "wolfBirths",
		"flocking --param birds=20":                         "order",
		"schelling --large":                                 "share",
		"wolfsheep --fork-at 3 --forks 2":                   "wolvesAlive",
	} {
		out := played(t, "lab "+model+" --seeds 2 --steps 5")
		if head, _, _ := strings.Cut(out, "\n"); !strings.Contains(head, want) {
			t.Errorf("%s: %q", model, head)
		}
	}
	a := played(t, "lab schelling --fork-at 3 --forks 5 --steps 2")
	if rows := strings.Count(a, "\n"); rows != 6 {
		t.Errorf("%d rows of 5 forks", rows)
	}
}

func TestLabRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"lab schelling --param dansity=1":                          "no parameter dansity; give one of density, side",
		"lab schelling --param density=NaN":                        `"NaN" in "density=NaN" is no finite number`,
		"lab schelling --param side=2.5":                           "a value of it is a int32",
		"lab schelling --seeds 0":                                  "--seeds 0; give --seeds 1 or more",
		"lab schelling --forks 3":                                  "give both",
		"lab schelling --fork-at 3 --forks 3 --param radius=1,2":   "--inspect and --forks need one",
		"lab schelling --steps=-1":                                 "--steps -1; give --steps 1 or more",
		"lab schelling --steps 0":                                  "--steps 0; give --steps 1 or more",
		"lab schelling --every 0":                                  "--every 0; give --every 1 or more",
		"lab schelling --workers=-1":                               "--workers -1; give --workers 1 or more",
		"lab schelling --fork-at=-1 --forks 2":                     "--fork-at -1; give --fork-at 0 or more",
		"lab schelling --fork-at 1 --forks 0":                      "--forks 0; give --forks 1 or more",
		"lab schelling --fork-at 0":                                "give both",
		"lab schelling --param density":                            "is no parameter with values",
		"lab schelling --param density=-0.5 --seeds 2":             "2 of 2 runs failed",
		"lab schelling --param density=-0.5 --fork-at 0 --forks 1": "abm: -0.5 agents per place; give 0 to 1",
		"lab wolfsheep --param sheep=-5 --fork-at 0 --forks 1":     "abm: -5 sheep and 40 wolves; give 0 or more each",
		"lab flocking --param birds=-5 --fork-at 0 --forks 1":      "abm: -5 birds; give 0 or more",
		"lab forestfire --param density=2 --fork-at 0 --forks 1":   "give 0 to 1",
		"lab flocking --param sight=60 --seeds 3":                  "3 of 3 runs failed",
		"lab flocking --param sight=60 --fork-at 1 --forks 1":      "at most a third",
		"lab schelling --steps 1 --out /nowhere/at/all/a.csv":      "give --out a file",
		"lab wolfsheep --param regrowth=0,5 --seeds 2 --steps 1":   "2 of 4 runs failed",
		"lab schelling --inspect 0 --out a.csv":                    "writes no table",
		"lab schelling --inspect 0 --fork-at 3 --forks 2":          "writes no table",
		"lab schelling --inspect 0 --rate 0":                       "1 to 1000 steps",
		"lab schelling --inspect 0 --param radius=1,2":             "--inspect and --forks need one",
		"lab schelling --inspect 0.0.0.0:0":                        "add --inspect-anyone",
		"lab wolfsheep --inspect 0 --param wolfGain=0":             "give 1 or more",
		"lab wolfsheep --param wolfGain=0 --fork-at 1 --forks 300": "give 1 or more",
	} {
		r := play(t, line)
		if r.code == 0 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, want) {
			t.Errorf("%q: exit code %d, stderr %q; want %q", line, r.code, r.err, want)
		}
	}
}

// What was finished before an interrupt is not made again.
func TestLabGoesOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.csv")
	line := "lab schelling --seeds 30 --steps 2 --out " + file
	want := played(t, "lab schelling --seeds 30 --steps 2")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out, err bytes.Buffer
	code := run(ctx, strings.Fields(line), streams{strings.NewReader(""), &out, &err})
	if code == 0 || !strings.Contains(err.String(), "go on from its journal") {
		t.Errorf("exit code %d, %q", code, err.String())
	}
	if _, err := os.Stat(file + ".journal"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a part of a table has the table's name")
	}
	r := play(t, "lab schelling --seeds 31 --steps 2 --out "+file)
	if r.code == 0 || !strings.Contains(r.err, "not the journal of this sweep") {
		t.Errorf("another sweep: exit code %d, %q", r.code, r.err)
	}
	asked, ask := context.WithCancelCause(context.Background())
	ask(interruption{os.Interrupt})
	err.Reset()
	code = run(asked, strings.Fields(line), streams{strings.NewReader(""), &out, &err})
	if code != 130 || !strings.Contains(err.String(), "the same command continues from "+file+".journal\n") {
		t.Errorf("exit code %d, %q", code, err.String())
	}
	played(t, line)
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("another table, %v", err)
	}
}

// A table may have any name that the file system takes, and no two tables share a journal.
func TestLabKeepsAJournalOfEveryName(t *testing.T) {
	dir, taken := t.TempDir(), map[string]bool{}
	for _, name := range []string{
		"a", strings.Repeat("a", 247), strings.Repeat("a", 248), strings.Repeat("a", 255),
		strings.Repeat("a", 250) + ".csv", strings.Repeat("界", 85), strings.Repeat("界", 84) + "abc",
	} {
		file := filepath.Join(dir, name)
		ctx, stop := context.WithCancel(context.Background())
		stop()
		var out, err bytes.Buffer
		args := []string{"lab", "schelling", "--steps", "1", "--seeds", "2", "--out", file}
		code := run(ctx, args, streams{strings.NewReader(""), &out, &err})
		journal := journalOf(file)
		if _, noFile := os.Stat(journal); code == 0 || noFile != nil || taken[journal] {
			t.Errorf("%s: exit code %d, %q, %v", name, code, err.String(), noFile)
		}
		taken[journal] = true
		if r := playArgs(args...); r.code != 0 {
			t.Errorf("%s: %q", name, r.err)
		}
		if _, err := os.Stat(journal); err == nil {
			t.Errorf("%s: its journal is left", name)
		}
	}
}

// A table is written as its name says, in capitals too, and a fork may be of the first world.
func TestLabFormatsAndFirstWorlds(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.ndjson", "A.NDJSON", "b.JSONL"} {
		played(t, "lab schelling --seeds 1 --steps 1 --out "+filepath.Join(dir, name))
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.HasPrefix(string(text), "{") {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if out := played(t, "lab schelling --steps 1 --fork-at 0 --forks 3"); strings.Count(out, "\n") != 4 {
		t.Error(out)
	}
}

// Parts make the table of one command, with --out and without; what no part has is made by the join.
func TestLabInParts(t *testing.T) {
	const line = "lab schelling --param density=0.5..0.7/3 --seeds 3 --steps 2 "
	want, dir := played(t, line), t.TempDir()
	for i := range 4 {
		out := played(t, line+fmt.Sprintf("--part %d/4 --journal %s/%[1]d", i, dir))
		assert.Empty(t, out, "a part writes no table")
	}
	refused(t, 1, map[string]string{
		line + "--part 1/5 --journal " + dir + "/1":           "it is of part 1 of 4, not 1 of 5",
		line + "--seed 2 --part 1/4 --journal " + dir + "/1":  "other parameters, seeds",
		line + "--seed 2 --join " + dir:                       "give --join the flags of its parts",
		line + "--join " + t.TempDir():                        "no journals are there",
		line + "--part 0/2 --journal /nowhere/at/all/journal": "give a journal that can be written",
	})
	refused(t, 2, map[string]string{
		line + "--part 4/4 --journal a":                    `part "4/4"; give i/n`,
		line + "--part 1/4":                                "give --part and --journal together",
		line + "--journal a":                               "give --part and --journal together",
		line + "--part 1/4 --journal a --out b":            "without --out and --join",
		line + "--part 1/4 --journal a --join b":           "without --out and --join",
		"lab schelling --inspect 0 --join a":               "omit --out",
		"lab schelling --inspect 0 --part 0/2 --journal a": "omit --out",
	})
	assert.Equal(t, want, played(t, line+"--join "+dir))
	require.NoError(t, os.Remove(filepath.Join(dir, "2")))
	table := filepath.Join(t.TempDir(), "a.csv")
	r := play(t, line+"--join "+dir+" --out "+table)
	assert.Equal(t, result{out: "9 rows in " + table + "\n", err: "flatecs: lab: 2 runs are in no journal of " + dir +
		", and are made here\n"}, r)
	text, err := os.ReadFile(table)
	require.NoError(t, err)
	assert.Equal(t, want, string(text))
	left, err := filepath.Glob(table + ".*")
	require.NoError(t, err)
	assert.Empty(t, left)
}
