package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

func TestSaveFlagsThatMakeNoSense(t *testing.T) {
	for line, want := range map[string]string{
		"run cubes --save-every 3":           "--save-every: name the file by --save",
		"run cubes --load a.flat --record b": "--load, --record: a recording begins at the start of a scene",
		"inspect a.flat --addr x":            "--addr: expected PORT",
		"inspect a.flat --addr 0.0.0.0:1":    "or add --addr-anyone",
		"diff a.flat":                        `expected "<b>"`,
	} {
		play(t, line).says(t, 2, want)
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
	assert.Contains(t, r.out, "\nalive: 10 objects differ\n")
	assert.Equal(t, result{1, r.out, "flatecs: the worlds differ\n"}, r)
}

func TestADamagedFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	played(t, "run cubes --count 20 --frames 3 --save "+path)
	file := world.Must(os.ReadFile(path))
	file[len(file)/2] ^= 1
	require.NoError(t, os.WriteFile(path, file, 0o600))
	const damaged = "this save file is damaged"
	refused(t, 1, map[string]string{
		"verify " + path: damaged, "diff " + path + " " + path: damaged,
		"run cubes --count 20 --load " + path: damaged, "run cubes --count 10 --load " + path: "",
	})
}

// A step of the swarm has several jobs, and fewer ticks.
func TestFramesGoOnWhereTheyWereSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	for _, scene := range []string{"heroes --count 50 --supers 5", "cubes --count 50 --seed 7"} {
		want := played(t, "run "+scene+" --render none --frames 60 --digest last")
		assert.Contains(t, want, "frame=60 ")
		for _, every := range []string{"", " --save-every 7", " --save-every 1"} {
			play(t, "run "+scene+" --render none --frames 30 --save "+path+every).says(t, 0)
			assert.Equal(t, want, played(t,
				"run "+scene+" --render none --frames 30 --digest last --load "+path))
			assert.Regexp(t, `: ok, tick \d+, frame 30, 5\d game objects, \d+ bytes\n$`,
				played(t, "verify "+path))
		}
	}
}

type drone struct {
	Target world.GameObject
	Pos    struct{ X, Y float32 }
	Armed  bool
	Tint   [3]uint8
	Fuel   int32
}

var drones = layout.NewComponent("drone", drone{Fuel: 9})

// flown saves a world of three drones.
func flown(t *testing.T, change func(*drone)) string {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 64, Kinds: layout.Kinds(drones.Count(64)),
	}))
	defer func() { world.Close(s) }()
	var id world.GameObject
	for range 3 {
		last := id
		s, id = world.Must2(world.CreateWith(s, drones.Kind()))
		v := drone{Target: last, Fuel: 7}
		change(&v)
		s = world.Must(world.Set(s, id, drones, v))
	}
	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	return path
}

// TestDiffTellsOfOtherParts: a field that only one file has is no equality.
func TestDiffTellsOfOtherParts(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 64, Kinds: layout.Kinds(layout.NewComponent[struct {
			Fuel  int32
			Armed bool
			Tint  [3]uint8
		}]("drone").Count(64)),
	}))
	path := filepath.Join(t.TempDir(), "b.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	world.Close(s)
	for _, files := range []string{flown(t, func(*drone) {}) + " " + path, path + " " + flown(t, func(*drone) {})} {
		r := play(t, "diff "+files)
		assert.Equal(t, 1, r.code)
		assert.Contains(t, r.out, "kind drone, field drone: ")
		assert.Contains(t, r.out, "Fuel int32 × 1, Armed bool × 1, Tint uint8 × 3")
		assert.Contains(t, r.out, "alive: 3 objects differ")
	}
}

const hostile = "\x1b[2J\u009b1m\u202e\x7f\xff\r\nforged: ok, tick 1"

var (
	hostileField  = layout.NewField[uint8]("field" + hostile)
	hostileKind   = layout.NewKind("kind"+hostile, hostileField)
	hostileMark   = layout.NewMark("mark" + hostile)
	hostileRecipe = world.NewRecipe("recipe"+hostile, hostileKind)
	hostileRules  = world.NewWatcher(world.NewQuery(world.With(hostileMark)))
)

// hostileFile saves a world whose every name is hostile.
func hostileFile(t *testing.T, value uint8, more ...layout.Count) string {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 64, Kinds: append([]layout.Count{
			hostileKind.Count(64), hostileMark.Count(0),
		}, more...),
		Recipes: []world.Recipe{hostileRecipe}, Watchers: []world.Watcher{hostileRules},
	}))
	defer func() { world.Close(s) }()
	s, id := world.Must2(world.Spawn(s, hostileRecipe))
	s = world.Must(world.Set(s, id, hostileField, value))
	path := filepath.Join(t.TempDir(), "a.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	return path
}

func TestNamesOutOfAFileAreQuotedInEveryCommand(t *testing.T) {
	a, b := hostileFile(t, 1), hostileFile(t, 2)
	c := hostileFile(t, 1, layout.NewMark("other"+hostile).Count(0))
	damaged := hostileFile(t, 3)
	bytes := world.Must(os.ReadFile(damaged))
	require.Contains(t, string(bytes), "kind"+hostile)
	bytes[len(bytes)-4096] ^= 1 // in the last part
	require.NoError(t, os.WriteFile(damaged, bytes, 0o600))
	for _, args := range [][]string{
		{"verify", a},
		{"diff", a, b},
		{"diff", a, c},
		{"run", "cubes", "--count", "100", "--frames", "1", "--load", a},
		{"verify", damaged},
		{"verify", a + "\x1b[2J"},
	} {
		r := playArgs(args...)
		all := r.out + r.err
		assert.True(t, utf8.ValidString(all), "%q: %q", args, all)
		assert.NotContains(t, all, "\nforged", "%q", args)
		for _, char := range all {
			assert.True(t, char == '\n' || unicode.IsPrint(char), "%q: %q in %q", args, char, all)
		}
		assert.NotEmpty(t, all, "%q", args)
	}
}

// One file has many kinds, and the other many objects.
func TestDiffRefusesWhatWouldBeFarLargerThanTheFiles(t *testing.T) {
	counts := []world.Counts{{GameObjects: 1}, {GameObjects: 1 << 20}}
	for i := range 300 {
		counts[0].Kinds = append(counts[0].Kinds, layout.NewMark(fmt.Sprint("mark ", i)).Count(0))
	}
	var paths []string
	for _, c := range counts {
		s := world.Must(world.CreateState(c))
		for range c.GameObjects {
			s, _ = world.Must2(world.Create(s))
		}
		path := filepath.Join(t.TempDir(), "a.flat")
		require.NoError(t, save.Save(path, s, save.Options{Compress: true}))
		world.Close(s)
		paths = append(paths, path)
	}
	playArgs("diff", paths[0], paths[1]).says(t, 1, "too large to compare")
}

func TestOneFileForTwoIsRefused(t *testing.T) {
	dir := t.TempDir()
	old, link, fresh := filepath.Join(dir, "old"), filepath.Join(dir, "link"), filepath.Join(dir, "new")
	require.NoError(t, os.WriteFile(old, []byte("kept"), 0o600))
	require.NoError(t, os.Symlink(old, link))
	there, dangling := filepath.Join(dir, "there"), filepath.Join(dir, "dangling")
	require.NoError(t, os.Symlink(dir, there))
	require.NoError(t, os.Symlink("new", dangling))
	elsewhere := filepath.Join(there, "new")
	for _, c := range []struct{ name, line, flags, path string }{
		{"new", "run heroes --cpuprofile NEW --trace NEW", "--cpuprofile and --trace", fresh},
		{"old", "run heroes --act 1 --cpuprofile OLD --memprofile OLD", "--cpuprofile and --memprofile", old},
		{"link", "run heroes --memprofile OLD --trace LINK", "--memprofile and --trace", link},
		{"scene", "run cubes --memprofile NEW --trace NEW", "--memprofile and --trace", fresh},
		{"record", "run cubes --trace NEW --record NEW", "--record and --trace", fresh},
		{"folder", "run heroes --cpuprofile NEW --trace THERE", "--cpuprofile and --trace", elsewhere},
		{"dangling", "run heroes --cpuprofile NEW --trace DANGLING", "--cpuprofile and --trace", dangling},
		{"save", "run cubes --cpuprofile NEW --save NEW", "--save and --cpuprofile", fresh},
		{"save and record", "run cubes --record NEW --save THERE", "--save and --record", fresh},
		{"load", "run cubes --load OLD --trace LINK", "--load and --trace", link},
		{"picture", "run cubes --render png --out NEW --memprofile NEW", "--out and --memprofile", fresh},
		{"replay", "replay OLD --trace LINK", "FILE and --trace", link},
	} {
		t.Run(c.name, func(t *testing.T) {
			line := strings.NewReplacer("NEW", fresh, "OLD", old, "LINK", link, "THERE", elsewhere, "DANGLING", dangling).Replace(c.line)
			refused(t, 2, map[string]string{
				line: c.flags + " both name " + c.path + "; give each a file of its own\n",
			})
			assert.NoFileExists(t, fresh)
			assert.Equal(t, "kept", content(old))
		})
	}
}

func TestOneDeviceForTwo(t *testing.T) {
	played(t, "run heroes --state none --cpuprofile "+os.DevNull+" --trace "+os.DevNull)
}

// Folders of processes that have ended are removed, and no others.
func TestLeftoversAreRemoved(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("no signal tells here whether a process runs")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	ended := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^$")
	require.NoError(t, ended.Run())
	names := []string{
		fmt.Sprintf("%s%d-1", devFolder, ended.Process.Pid),
		fmt.Sprintf("%s%d-2", devFolder, os.Getpid()),
		devFolder + "mine-3", devFolder + "0-4", "flatecs-1-5",
	}
	for _, name := range names {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name, "deep"), 0o755))
	}
	removeLeftovers()
	assert.NoDirExists(t, filepath.Join(dir, names[0]))
	for _, name := range names[1:] {
		assert.DirExists(t, filepath.Join(dir, name))
	}
}
