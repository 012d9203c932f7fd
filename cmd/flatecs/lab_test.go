package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/scene/prey"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
)

func TestLabIsATable(t *testing.T) {
	line := "lab schelling --param density=0.5..0.7/3 --param wanted=2,3 --seeds 2 --steps 4"
	out := played(t, line)
	rows := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, rows, 1+3*2*2)
	assert.Regexp(t, "^0.7,40,3,1,2,1890700816702069259,4,", rows[12])
	file := filepath.Join(t.TempDir(), "a.csv")
	for _, workers := range []string{"1", "4"} {
		assert.Equal(t, "12 rows in "+file+"\n", played(t, line+" --workers "+workers+" --out "+file))
		assert.Equal(t, out, content(file), "%s workers", workers)
	}
	assert.Empty(t, world.Must(filepath.Glob(file+".*")), "left behind")
	assert.NotEqual(t, out, played(t, line+" --seed 2"), "other seeds make the same table")
}

func TestLabOfEachModel(t *testing.T) {
	for model, want := range map[string]string{
		"wolfsheep --every 5 --param wolfBirths=0.1..0.2/2": "wolfBirths",
		"flocking --param birds=20":                         "order",
		"schelling --large":                                 "share",
		"wolfsheep --fork-at 3 --forks 2":                   "wolvesAlive",
	} {
		head, _, _ := strings.Cut(played(t, "lab "+model+" --seeds 2 --steps 5"), "\n")
		assert.Contains(t, head, want, model)
	}
	a := played(t, "lab schelling --fork-at 3 --forks 5 --steps 2")
	assert.Equal(t, 1+5, strings.Count(a, "\n"), a)
}

func TestLabRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"lab schelling --param dansity=1":                          "no parameter dansity; give one of density, side",
		"lab schelling --param density=NaN":                        `"NaN" in "density=NaN" is no finite number`,
		"lab schelling --param side=2.5":                           "give values of type int32",
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
		assert.NotZero(t, r.code, line)
		assert.Contains(t, r.err, want, line)
		assert.Equal(t, 1, strings.Count(r.err, "\n"), "%q: %q", line, r.err)
	}
}

// cutOff runs a command line whose context is over, for a cause.
func cutOff(t *testing.T, cause error, args ...string) result {
	t.Helper()
	ctx, stop := context.WithCancelCause(t.Context())
	stop(cause)
	return playIn(ctx, args...)
}

// What was finished before an interrupt is not made again.
func TestLabGoesOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.csv")
	line := "lab schelling --seeds 30 --steps 2 --out " + file
	want := played(t, "lab schelling --seeds 30 --steps 2")
	cutOff(t, nil, strings.Fields(line)...).says(t, 1, "go on from its journal")
	assert.FileExists(t, file+".journal")
	assert.NoFileExists(t, file, "a part of a table has the table's name")
	play(t, strings.Replace(line, "30", "31", 1)).says(t, 1, "not the journal of this sweep")
	cutOff(t, interruption{os.Interrupt}, strings.Fields(line)...).says(t, 130,
		"the same command continues from "+file+".journal\n")
	played(t, line)
	assert.Equal(t, want, content(file))
}

// A table may have any name that the file system takes, and no two tables share a journal.
func TestLabKeepsAJournalOfEveryName(t *testing.T) {
	dir, taken := t.TempDir(), map[string]bool{}
	for _, name := range []string{
		"a", strings.Repeat("a", 247), strings.Repeat("a", 248), strings.Repeat("a", 255),
		strings.Repeat("a", 250) + ".csv", strings.Repeat("界", 85), strings.Repeat("界", 84) + "abc",
	} {
		file := filepath.Join(dir, name)
		args := []string{"lab", "schelling", "--steps", "1", "--seeds", "2", "--out", file}
		journal := journalOf(file)
		cutOff(t, nil, args...).says(t, 1)
		assert.FileExists(t, journal)
		assert.False(t, taken[journal], name)
		taken[journal] = true
		playArgs(args...).says(t, 0)
		assert.NoFileExists(t, journal)
	}
}

// A table is written as its name says, in capitals too, and a fork may be of the first world.
func TestLabFormatsAndFirstWorlds(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.ndjson", "A.NDJSON", "b.JSONL"} {
		played(t, "lab schelling --seeds 1 --steps 1 --out "+filepath.Join(dir, name))
		assert.Regexp(t, "^{", content(dir, name), name)
	}
	out := played(t, "lab schelling --steps 1 --fork-at 0 --forks 3")
	assert.Equal(t, 1+3, strings.Count(out, "\n"), out)
}

// Parts make the table of one command, with --out and without; the join makes the runs that no part
// has.
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
	assert.Equal(t, want, content(table))
	assert.Empty(t, world.Must(filepath.Glob(table+".*")))
}

func TestScenesAreHunted(t *testing.T) {
	for _, s := range gallery.All() {
		assert.Regexp(t, `^hunt: \d+ ticks in \d+ runs from \d+ states, .*: nothing found\n$`,
			played(t, "hunt --for 50ms "+s.Name))
	}
	refused(t, 1, map[string]string{
		"hunt chess":              `there is no scene "chess"`,
		"hunt flappy --variant x": `flappy has no variant "x"`,
	})
}

// TestWhatAHuntFindsIsRecorded, so that it can be replayed: here, a key press.
func TestWhatAHuntFindsIsRecorded(t *testing.T) {
	sc := world.Must(gallery.ByName("flappy"))
	play := world.Must(sc.Open(scene.Options{Seed: 1}))
	defer func() { play.Close(play.First) }()
	g := prey.Of(sc, play.Options)
	g.Always = []hunt.Property{hunt.Holds("nobody plays", func(s world.State) bool {
		return scene.Pressed(s) == 0
	})}
	r := world.Must(hunt.Run(g, hunt.Options{Workers: 1, Ticks: 10_000, Whole: true}))
	require.NotNil(t, r.Failure)
	require.Len(t, r.Failure.Inputs, 1)
	path := filepath.Join(t.TempDir(), "found.rec")
	require.NoError(t, recordHunted(path, play, r.Failure.Inputs))
	played(t, "replay "+path)
}

// TestHuntsInParts share a folder, whose ticks are counted, and in which each part is one process.
func TestHuntsInParts(t *testing.T) {
	dir := t.TempDir()
	for _, part := range []string{"--part 0/2", "--part 1/2", ""} {
		assert.Regexp(t, `ms: \d+ ticks in all parts and runs: nothing found\n$`,
			played(t, "hunt --for 300ms flappy --corpus "+dir+" "+part))
	}
	files := world.Must(filepath.Glob(filepath.Join(dir, "*")))
	assert.Equal(t, []string{filepath.Join(dir, "0.finds"), filepath.Join(dir, "1.finds")}, files)
	require.NoError(t, os.WriteFile(files[1], []byte("damaged\n"), 0o600))
	refused(t, 1, map[string]string{"hunt --for 50ms flappy --corpus " + dir: "1.finds: "})
	refused(t, 2, map[string]string{"hunt flappy --part 2/2 --corpus " + dir: "give i/n"})
}
