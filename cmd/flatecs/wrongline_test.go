package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// wrongValues returns values that a flag refuses, of those that everybody types once.
func wrongValues(f *kong.Flag) []string {
	switch kind := f.Target.Type(); {
	case f.Enum != "":
		return []string{"none-of-the-list"}
	case kind == reflect.TypeFor[newFile]():
		return []string{"", "folder"}
	case kind == reflect.TypeFor[address]():
		return []string{"", "x", "-1", "70000"}
	case f.IsBool():
		return []string{"perhaps"}
	default:
		for kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		if kind.Kind() == reflect.String || kind.Kind() == reflect.Slice {
			return nil
		}
		return []string{"", "x", "-1", "1e99"}
	}
}

// writes are commands that write what somebody names.
const writes = `run cubes --count 9 --frames 1 --save %
run cubes --count 9 --frames 1 --record %
run cubes --count 9 --frames 1 --publish %
run cubes --count 9 --frames 1 --cpuprofile %
run cubes --count 9 --frames 1 --memprofile %
run cubes --count 9 --frames 1 --render png --out %
run cubes --count 9 --frames 1 --render gif --out %
fork flappy --at 1 --steps 1 --out %
lab schelling --steps 1 --out %
lab schelling --steps 1 --part 0/2 --journal %
replay a.rec --trace %
replay a.rec --trace-jobs %
replay a.rec --pack %`

// places goes to a folder with one of each that a path can lead to, and sees that nothing is added.
func places(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("folder", 0o700))
	require.NoError(t, os.WriteFile("file", nil, 0o600))
	require.NoError(t, os.Symlink("linked", "nowhere"))
	require.NoError(t, exec.CommandContext(t.Context(), "mkfifo", "pipe").Run())
	t.Cleanup(func() {
		there := world.Must(os.ReadDir("."))
		var left []string
		for _, e := range there {
			left = append(left, e.Name())
		}
		assert.Equal(t, []string{"file", "folder", "nowhere", "pipe"}, left, "nothing is written")
	})
}

// Every command refuses each of its flags without a value and with a wrong one: the message, one
// line, names the flag, and nothing is written.
func TestEveryFlagOfEveryCommandRefusesWrongValues(t *testing.T) {
	oneGoroutine(t)
	places(t)
	over, end := context.WithCancel(t.Context())
	end() // what is not refused ends at once
	parser := world.Must(newParser(over, streams{}))
	tried := 0
	refused := func(text string, args []string, more ...string) {
		tried++
		var out, problem strings.Builder
		args = append(slices.Clip(args), more...)
		code := run(over, args, streams{strings.NewReader(""), &out, &problem})
		said := problem.String()
		assert.Equal(t, 2, code, "%q", args)
		assert.Contains(t, said, text, "%q", args)
		assert.Empty(t, out.String(), "%q", args)
		assert.Equal(t, 1, strings.Count(said, "\n"), "%q: %q", args, said)
	}
	for _, leaf := range parser.Model.Leaves(true) {
		line := strings.Fields(strings.TrimPrefix(leaf.Path(), "flatecs "))
		refused("unknown flag --fotl", line, "--fotl")
		for _, p := range leaf.Positional {
			if p.Target.Type() == reflect.TypeFor[newFile]() {
				refused("<"+p.Name+">: expected the name of a file", line, "folder")
			}
			if p.Enum != "" {
				line = append(line, p.EnumSlice()[0])
			} else if p.Required {
				line = append(line, "missing")
			}
		}
		for _, f := range leaf.Flags {
			if f.Name == "help" {
				continue
			}
			if !f.IsBool() {
				refused("--"+f.Name, line, "--"+f.Name)
			}
			if f.Target.Type() == reflect.TypeFor[newFile]() {
				assert.Contains(t, " --load %"+writes, " --"+f.Name+" %")
			}
			for _, value := range wrongValues(f) {
				refused("--"+f.Name, line, "--"+f.Name+"="+value)
			}
		}
	}
	assert.Greater(t, tried, 300)
}

// Every command refuses what it can neither read nor write, and waits for nobody. Streams and
// pictures are written to where a link leads.
func TestEveryPathOfEveryCommand(t *testing.T) {
	oneGoroutine(t)
	places(t)
	played(t, "run cubes --count 9 --frames 9 --save a.flat --record a.rec")
	for _, ext := range []string{".flat", ".rec"} {
		whole := world.Must(os.ReadFile("a" + ext))
		require.NoError(t, os.WriteFile("half"+ext, whole[:len(whole)/2], 0o600))
		require.NoError(t, os.Symlink("a"+ext, "link"+ext))
	}
	for _, line := range []string{
		"verify link.flat", "diff link.flat a.flat", "replay link.rec",
		"run cubes --count 9 --frames 1 --load link.flat",
	} {
		played(t, line)
	}
	refuse := func(line string, paths ...string) {
		for _, said := range paths {
			path, _, _ := strings.Cut(said, ":")
			refused(t, 1, map[string]string{strings.Replace(line, "%", path, 1): said})
		}
	}
	const absent = ": no such file or directory"
	long := strings.Repeat("n", 256) + ": file name too long"
	for line := range strings.SplitSeq(writes, "\n") {
		refuse(line, "missing/a"+absent, "nowhere/a"+absent, "file/a: not a directory", long, "pipe: ")
		if strings.Contains(line, "--save") || strings.Contains(line, "--publish") {
			refuse(line, "nowhere: this is not a regular file: it is a symbolic link")
			continue
		}
		played(t, strings.Replace(line, "%", "nowhere", 1))
		to, err := os.Readlink("nowhere")
		require.NoError(t, err, line)
		require.NoError(t, os.Remove(to), "%s writes by the link", line)
	}
	for line, other := range map[string]string{
		"verify %": ".rec", "diff % a.flat": ".rec", "diff a.flat %": ".rec",
		"replay %": ".flat", "why % --field position": ".flat",
		"watch %": ".rec", "run cubes --load %": ".rec",
	} {
		half := map[string]string{".rec": "half.flat", ".flat": "half.rec"}[other]
		refuse(line, "missing"+absent, "nowhere"+absent, "file/a: not a directory", long, "pipe: ",
			"file", "a"+other, half, os.DevNull)
		if line != "watch %" && line != "run cubes --load %" { // whose flags refuse it
			refuse(line, "folder")
		}
	}
	refuse("inspect %", "missing"+absent, "pipe: ", "file", "half.flat", "half.rec", os.DevNull, "folder")
	for _, file := range []string{"a", "half", "link"} {
		require.NoError(t, errors.Join(os.Remove(file+".flat"), os.Remove(file+".rec")))
	}
}
