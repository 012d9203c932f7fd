package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The go command runs vet for each package apart, and hands on what is known of those that it
// imports.
func TestGoVetRunsEveryCheck(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "vet.exe")
	out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command("go", "vet", "-vettool="+tool, "./testdata/every").CombinedOutput()
	require.Error(t, err)
	var found []string
	for line := range strings.Lines(string(out)) {
		if _, what, ok := strings.Cut(line, "every.go:"); ok {
			found = append(found, strings.TrimSpace(what))
		}
	}
	require.Len(t, found, 7, "%s", out)
	for _, want := range []string{
		`20:3: lifts is outside the world`,
		`20:11: this column is kept in lifts of the package`,
		`21:3: the query lifting only reads Lift`,
		`23:2: the State that world.Advance returns is dropped`,
		`24:13: s was invalidated by world.Advance on line 23; write s = world.Advance(s, …) there`,
		`25:2: there is no check ""; write //flatecs:allow check reason`,
		`26:2: time.Now reads the clock`,
	} {
		assert.Contains(t, strings.Join(found, "\n"), want)
	}
	out, err = exec.Command("go", "vet", "-vettool="+tool, "./testdata/rowwise").CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(tool, "-rowwise", "./testdata/rowwise").CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, 2, strings.Count(string(out), "treats each row on its own"), "%s", out)
}
