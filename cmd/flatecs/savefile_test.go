package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASceneThatWasSavedGoesOnAlike(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	want := played(t, "run cubes --count 500 --frames 60 --seed 7 --digest last")
	for _, flags := range []string{"", " --save-every 7", " --save-every 1"} {
		r := play(t, "run cubes --count 500 --frames 30 --seed 7 --save "+path+flags)
		require.Zero(t, r.code, r.err)
		assert.Equal(t, want, played(t, "run cubes --count 500 --frames 30 --digest last --load "+path))
		assert.Regexp(t, `: ok, tick \d+, 501 game objects, \d+ bytes\n$`, played(t, "verify "+path))
	}
}

func TestSaveFlagsThatMakeNoSense(t *testing.T) {
	for line, want := range map[string]string{
		"run cubes --save-every 3":               "--save-every: say where to by --save",
		"run cubes --load a.flat --record b":     "--load, --record: a recording begins where the scene does",
		"run cubes --save=":                      "--save: expected the name of a file",
		"inspect":                                `expected "<file>"`,
		"inspect a.flat --rows 1:2":              "--rows: say of which kind by --kind",
		"inspect a.flat --kind k --rows 2:1":     "--rows: expected A:B",
		"inspect a.flat --kind k --rows 1":       "--rows: expected A:B",
		"diff a.flat":                            `expected "<b>"`,
		"run cubes --save a.flat --save-every x": "--save-every: expected",
	} {
		r := play(t, line)
		assert.Equal(t, 80, r.code, line)
		assert.Contains(t, r.err, want, line)
	}
}

func TestInspectTellsWhatIsInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	played(t, "run cubes --count 20 --frames 3 --save "+path)
	out := played(t, "inspect "+path)
	assert.Contains(t, out, "game objects  21 alive, ")
	assert.Contains(t, out, "Transform     fields: on 21 objects, ")
	assert.Contains(t, out, "    position     float32 × 3, default [0 0 0], ")
	assert.Contains(t, out, "Cube          mark: on 20 objects\n")

	var report fileReport
	require.NoError(t, json.Unmarshal([]byte(played(t, "inspect --json --kind Transform --rows 1:3 "+path)), &report))
	assert.Equal(t, 21, report.Live)
	require.Len(t, report.Rows, 2)
	assert.Equal(t, 1, report.Rows[0].Row)
	assert.Regexp(t, `^\[\S+ \S+ \S+\]$`, report.Rows[0].Values["scale"])
	assert.Regexp(t, `^row 2 of game object .*  position \[.*\]  rotation \[.*\]  scale \[.*\]\n$`,
		played(t, "inspect --kind Transform --rows 2:3 "+path))
	r := play(t, "inspect --kind Nobody "+path)
	assert.Equal(t, 1, r.code)
	assert.Equal(t, "flatecs: no kind \"Nobody\" in the file\n", r.err)
}

func TestInspectPrintsTheBytesOfAWorld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	played(t, "run cubes --count 20 --frames 3 --save "+path)
	all := played(t, "inspect --layout "+path)
	assert.Contains(t, all, "world.tick: 8 bytes; truth\n")
	assert.Contains(t, all, "Transform.position: 12 bytes per row, 21 of 21 used; truth\n"+
		"  float32 × 3\n")
	assert.Contains(t, all, "\n         0        8  tick              7\n")
	assert.Regexp(t, `\n +\d+ +60  \[16-20\] +5 left out\n`, all)
	column := played(t, "inspect --layout --part Transform.position --most 0 "+path)
	assert.Equal(t, 2+21+1, strings.Count(column, "\n"), column)
	assert.NotContains(t, column, "left out")
	for line, want := range map[string]string{
		"inspect --layout --part Nobody " + path:    "no such part as Nobody; there are world, ",
		"inspect --layout --json " + path:           "--layout: it shows all kinds",
		"inspect --layout --kind Transform " + path: "say which by --part",
		"inspect --part Transform " + path:          "they are for --layout",
		"inspect --most 3 " + path:                  "they are for --layout",
		"inspect --layout --most=-1 " + path:        "or 0 for all",
		"inspect --layout " + path + ".gone":        "no such file",
	} {
		r := play(t, line)
		assert.NotZero(t, r.code, line)
		assert.Contains(t, r.err, want, line)
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
	file, err := os.ReadFile(path)
	require.NoError(t, err)
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
	for _, scene := range []string{"heroes --swarm --count 50 --supers 5", "cubes --count 50"} {
		want := played(t, "run "+scene+" --render none --frames 60 --digest last")
		assert.Contains(t, want, "frame=60 ")
		for _, every := range []string{"", " --save-every 7"} {
			r := play(t, "run "+scene+" --render none --frames 30 --save "+path+every)
			require.Zero(t, r.code, r.err)
			assert.Equal(t, want, played(t,
				"run "+scene+" --render none --frames 30 --digest last --load "+path))
			assert.Regexp(t, `\nframe +30\n`, played(t, "inspect "+path))
		}
	}
}
