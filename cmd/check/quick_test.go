package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// repository plants a tree and commits it.
func repository(t *testing.T, given files) *check {
	t.Helper()
	c := &check{tree: plant(t, given)}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "All"},
	} {
		if _, err := c.git(args...); err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
	}
	return c
}

func TestOnlyWhatWasChangedIsLookedAt(t *testing.T) {
	c := repository(t, files{
		"root.go": "package root\n", "a/a.go": "package a\n", "a/b/b.go": "package b\n",
		"cmd/x/x.go": "package x\n", "cmd/y/y.go": "package y\n",
		"gone/gone.go": "package gone\n",
	})
	if dirs, err := c.changed(); err != nil || len(dirs) != 0 {
		t.Fatalf("nothing was changed, and %v is to be looked at: %v", dirs, err)
	}
	for name, text := range (files{
		"root.go": "package root // new\n", "a/b/b.go": "package b // new\n",
		"cmd/x/x.go": "package x // new\n", "cmd/x/y.go": "package x\n", "cmd/z/z.go": "package z\n",
		"bench/b.go":   "package bench\n",
		"docs/read.md": "nothing to compile\n",
	}) {
		write(t, filepath.Join(c.root, name), text)
	}
	if err := os.Remove(filepath.Join(c.root, "gone", "gone.go")); err != nil {
		t.Fatal(err)
	}
	var err error
	if c.tree, err = loadTree(c.root); err != nil {
		t.Fatal(err)
	}
	dirs, err := c.changed()
	want := map[string][]string{".": {"./.", "./a/b"}, "cmd": {"./x", "./z"}, "bench": {"./."}}
	for _, list := range dirs {
		slices.Sort(list)
	}
	if err != nil || !maps.EqualFunc(dirs, want, slices.Equal) {
		t.Errorf("%v is to be looked at, not %v: %v", dirs, want, err)
	}
}

func TestQuickIsOfTheWhole(t *testing.T) {
	for _, s := range quick {
		if !slices.ContainsFunc(steps, func(of step) bool { return of.name == s.name }) {
			t.Errorf("the quick check has a step %q that the whole one has not", s.name)
		}
	}
}
