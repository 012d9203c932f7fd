package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A statement counts once, and as run if any program of tests runs it.
func TestCoverage(t *testing.T) {
	lines, err := coverage([]byte("mode: set\n" +
		"eco/a/x.go:1.1,2.2 3 0\n" +
		"eco/a/x.go:3.1,4.2 1 1\n" +
		"eco/b/y.go:1.1,2.2 4 0\n" +
		"eco/a/x.go:1.1,2.2 3 0\n" +
		"eco/b/y.go:1.1,2.2 4 7\n" +
		"eco/a/x.go:3.1,4.2 1 0\n"))
	want := []string{" 25.0% eco/a", "100.0% eco/b", " 62.5% all"}
	if err != nil || !slices.Equal(lines, want) {
		t.Errorf("%q, %v; want %q", lines, err, want)
	}
	for _, bad := range []string{"mode: set\na.go:1.1,2.2 1\n", "mode: set\na.go:1.1,2.2 x 1\n"} {
		if _, err := coverage([]byte(bad)); err == nil {
			t.Errorf("%q is taken for a profile", bad)
		}
	}
}

func TestCoverageOfATree(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles")
	}
	tree := plant(t, files{
		"go.work": "go 1.26\n\nuse .\n",
		"gameobject/a.go": "// Package gameobject is small.\npackage gameobject\n\n" +
			"// Two returns 2.\nfunc Two(odd bool) int {\n\tif odd {\n\t\treturn 1\n\t}\n\treturn 2\n}\n",
		"gameobject/a_test.go": "package gameobject\n\nimport \"testing\"\n\n" +
			"func TestTwo(t *testing.T) {\n\tif Two(false) != 2 {\n\t\tt.Error()\n\t}\n}\n",
	})
	c := &check{tree: tree}
	c.profile = filepath.Join(t.TempDir(), "cover.out")
	if err := checkCoverage(c); err != nil {
		t.Fatalf("%v\n%s", err, &c.out)
	}
	if !slices.ContainsFunc(c.notes, func(line string) bool {
		return strings.HasSuffix(line, "/gameobject") && strings.HasPrefix(line, " 66.7%")
	}) {
		t.Errorf("noted: %q", c.notes)
	}
}
