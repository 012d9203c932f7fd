package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

func TestSaveFlagsThatMakeNoSense(t *testing.T) {
	for line, want := range map[string]string{
		"run cubes --save-every 3":           "--save-every: name the file by --save",
		"run cubes --load a.flat --record b": "--load, --record: a recording begins at the start of a scene",
		"inspect a.flat --addr x":            "--addr: expected PORT",
		"inspect a.flat --addr 0.0.0.0:1":    "or add --addr-anyone",
		"diff a.flat":                        `expected "<b>"`,
	} {
		r := play(t, line)
		assert.Equal(t, 2, r.code, line)
		assert.Contains(t, r.err, want, line)
	}
}

// TestInspectOpensAFile serves the world of a file, whatever the program, until it is interrupted.
func TestInspectOpensAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	played(t, "run cubes --count 20 --frames 3 --save "+path)
	url, end := inspectedRun(t, "inspect", path, "--addr", "0")
	defer end()
	for ask, want := range map[string]string{
		"":                         "a.flat",
		"/api/kinds":               `"Cube"`,
		"/api/rows?kind=Transform": `"position"`,
	} {
		answer := world.Must(http.Get(url + ask))
		body := world.Must(io.ReadAll(answer.Body))
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, http.StatusOK, answer.StatusCode, "%s: %s", ask, body)
		assert.Contains(t, string(body), want, ask)
	}
}

func TestDiffTellsWhereFilesDiffer(t *testing.T) {
	dir := t.TempDir()
	a, b, c := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
	played(t, "run cubes --count 20 --frames 3 --save "+a)
	played(t, "run cubes --count 20 --frames 4 --save "+b)
	played(t, "run cubes --count 30 --frames 3 --save "+c)
	assert.Empty(t, played(t, "diff "+a+" "+a))
	r := play(t, "diff "+a+" "+b)
	assert.Equal(t, 1, r.code)
	assert.Regexp(t, `^first difference: ticks \d+ and \d+: Transform.position of object \d+ in row \d+: \[.*\] ≠ \[.*\]\n`, r.out)
	assert.Contains(t, r.out, "\nTransform.position: 20 objects differ\n")
	r = play(t, "diff "+a+" "+c)
	assert.Equal(t, 1, r.code)
	assert.Contains(t, r.out, "\nalive: 10 objects differ\n")
	assert.Equal(t, "flatecs: the worlds differ\n", r.err)
}

func TestADamagedFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	played(t, "run cubes --count 20 --frames 3 --save "+path)
	file := world.Must(os.ReadFile(path))
	file[len(file)/2] ^= 1
	require.NoError(t, os.WriteFile(path, file, 0o600))
	for _, line := range []string{"verify " + path, "run cubes --count 20 --load " + path, "diff " + path + " " + path} {
		r := play(t, line)
		assert.Equal(t, 1, r.code, line)
		assert.Contains(t, r.err, "this save file is damaged", line)
		assert.Equal(t, 1, strings.Count(r.err, "\n"), line)
	}
	r := play(t, "run cubes --count 10 --load "+path)
	assert.Equal(t, 1, r.code)
}

// A step of the swarm has several jobs, and fewer ticks.
func TestFramesGoOnWhereTheyWereSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	for _, scene := range []string{"heroes --count 50 --supers 5", "cubes --count 50 --seed 7"} {
		want := played(t, "run "+scene+" --render none --frames 60 --digest last")
		assert.Contains(t, want, "frame=60 ")
		for _, every := range []string{"", " --save-every 7", " --save-every 1"} {
			r := play(t, "run "+scene+" --render none --frames 30 --save "+path+every)
			require.Zero(t, r.code, r.err)
			assert.Equal(t, want, played(t,
				"run "+scene+" --render none --frames 30 --digest last --load "+path))
			assert.Regexp(t, `: ok, tick \d+, frame 30, 5\d game objects, \d+ bytes\n$`,
				played(t, "verify "+path))
		}
	}
}
