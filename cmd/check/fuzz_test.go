package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestExecutionsAreTheLastThatWerePrinted(t *testing.T) {
	const out = `fuzz: elapsed: 0s, gathering baseline coverage: 0/5 completed
fuzz: elapsed: 3s, execs: 1200 (400/sec), new interesting: 2 (total: 7)
fuzz: elapsed: 5s, execs: 2345 (500/sec), new interesting: 3 (total: 8)
PASS
`
	if n := executions([]byte(out)); n != 2345 {
		t.Errorf("%d executions", n)
	}
	if n := executions([]byte("PASS\n")); n != 0 {
		t.Errorf("%d executions where none were printed", n)
	}
}

func TestTheShortestNewInputsAreKept(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"a": 30, "b": 20, "c": 10, "d": 10, "e": mostBytes + 1} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := filepath.Join(dir, "f")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(old, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int][]string{-1: {}, 0: {}, 2: {"d", "b"}, 9: {"d", "b", "a"}} {
		if got := shortest(dir, all[2:3], time.Unix(2, 0), n); !slices.Equal(got, want) {
			t.Errorf("%d inputs: %v, want %v", n, got, want)
		}
	}
	if got := shortest(filepath.Join(dir, "none"), nil, time.Time{}, 9); len(got) > 0 {
		t.Errorf("%v of no folder", got)
	}
}

func TestNotesAreShownWhereAStepPasses(t *testing.T) {
	noting := step{"noting", "", func(c *check) error {
		if c.fuzz.all != time.Hour {
			t.Errorf("%v", c.fuzz)
		}
		c.notes = append(c.notes, "a note")
		return nil
	}}
	var out bytes.Buffer
	if !runSteps([]step{noting}, plant(t, nil), settings{fuzz: fuzzing{all: time.Hour}}, &out) ||
		!strings.Contains(out.String(), "a note\n") {
		t.Errorf("%s", &out)
	}
}

func TestFuzzingThatIsCutShortFoundNothing(t *testing.T) {
	const end = "--- FAIL: FuzzZstd (5.14s)\n    context deadline exceeded\nFAIL\n"
	if !cutShort([]byte(end)) {
		t.Error("the end of the time is taken for a finding")
	}
	for _, out := range []string{
		"--- FAIL: FuzzZstd (5.14s)\n    --- FAIL: FuzzZstd (0.00s)\n        it is wrong\nFAIL\n",
		end + "    Failing input written to testdata/fuzz/FuzzZstd/1\n",
	} {
		if cutShort([]byte(out)) {
			t.Errorf("a finding is taken for the end of the time: %s", out)
		}
	}
}
