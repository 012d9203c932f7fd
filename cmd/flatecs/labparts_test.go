package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
