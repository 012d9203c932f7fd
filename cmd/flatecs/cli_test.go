package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/world"
)

func TestCommandLinesThatMakeNoSense(t *testing.T) {
	oneGoroutine(t)
	refused(t, 2, map[string]string{
		"walk":                                      "unexpected argument walk",
		"run":                                       `expected one of "heroes", "boids", "tanks", "cubes"`,
		"run heroes now":                            "unexpected argument now",
		"run heroes --act 4":                        `--act must be one of "1","2","3","" but got "4"`,
		"run heroes --state first":                  `--state must be one of "last","every","none","" but got "first"`,
		"run flappy --player dog":                   `--player must be one of "auto","keys","pilot","none"`,
		"run cubes --size 0x5 --render png":         "--size: expected a size such as 640x360",
		"run cubes --size 9000x5 --render png":      "--size: expected a size",
		"run cubes --out a.png --render gif":        "--render gif writes no png",
		"run cubes --size 5x5":                      "--size: for pictures only",
		"run cubes --out a.png":                     "--out: only pictures are written to a file",
		"run cubes --render term --digest every":    "--digest every: not possible",
		"run flappy --variant stars":                "there are steps, passed, document",
		"run heroes --act 1 --save a":               "the story, which is text",
		"run cubes --render png --out a --record a": "--record and --out both name",
		"run cubes --small --render png":            "--small: for moving pictures only",
	})
}

func TestCommandsThatMakeNoSense(t *testing.T) {
	oneGoroutine(t)
	refused(t, 2, map[string]string{
		"run heroes --digest last --act 1": "only act 3 has bytes",
		"serve chess":                      "there are heroes, boids, tanks, cubes, flappy",
		"serve cubes --variant sideways":   `cubes has no variant "sideways"`,
		"serve cubes --count=-1":           "give 0 or more",
		"serve cubes --addr nowhere":       "expected PORT, :PORT or HOST:PORT",

		"run cubes --fast": "unknown flag --fast (flatecs run cubes --help)\n", // whose help is of use
		"run --fast":       "(flatecs run --help)\n",
		"verify":           "(flatecs verify --help)\n",
	})
}

func TestWhatWasProbablyMeant(t *testing.T) {
	refused(t, 2, map[string]string{
		"run heros":                    `did you mean "heroes"?`,
		"sreve":                        `did you mean "serve"?`,
		"run cubes --variant rian":     `did you mean "rain"?`,
		"export flapy --out x":         `did you mean "flappy"?`,
		"export heroes --variant rain": `heroes has no variants`,
		"run cubes --conut 3":          `did you mean one of "--count"`,
		"lab scheling":                 `did you mean "schelling"?`,
	})
}

// A folder with other files is refused before the minute that the program takes to build.
func TestExportLooksAtItsFolderFirst(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600))
	r := play(t, "export heroes --out "+dir)
	r.says(t, 1, "mine; give one")
	assert.NotContains(t, r.err, "buil")
}

func TestHelpShowsExamples(t *testing.T) {
	oneGoroutine(t)
	parser := world.Must(newParser(t.Context(), streams{out: io.Discard, err: io.Discard}))
	lines := []string{"--help"}
	for _, leaf := range parser.Model.Leaves(true) {
		lines = append(lines, leaf.FullPath()[len("flatecs "):]+" --help")
	}
	assert.Len(t, lines, 20)
	for _, line := range lines {
		out := played(t, line)
		assert.Contains(t, out, "Examples:")
		assert.Contains(t, out, "\n    flatecs ")
		for _, example := range regexp.MustCompile(`(?m)^ +flatecs (.+?)(  |$| \|)`).FindAllStringSubmatch(out, -1) {
			err := parsed(strings.Fields(example[1]))
			if err != nil {
				assert.ErrorContains(t, err, "no such file", "%s shows %q", line, example[1])
			}
		}
	}
}

// parsed parses a command line without carrying it out.
func parsed(args []string) error {
	parser, err := newParser(context.Background(), streams{out: io.Discard, err: io.Discard},
		kong.Exit(func(int) {}))
	if err != nil {
		return err
	}
	_, err = parser.Parse(args)
	return err
}

func TestWithoutACommandTheScenesAreListed(t *testing.T) {
	out := strings.Join(strings.Fields(played(t, "")), " ")
	for _, c := range choices() {
		assert.Contains(t, out, strings.TrimSpace(c.shown)+" "+c.about)
	}
	for _, s := range gallery.All() {
		assert.Contains(t, out, "flatecs "+s.Name+" "+s.About)
	}
}

func TestCountsNoMachineCanHoldAreRefused(t *testing.T) {
	const many = "--count 4294967295 --supers 4294967295"
	refused(t, 1, map[string]string{
		"run heroes " + many:           "",
		"run heroes --act 1 " + many:   "flatecs: act 1: 8589934590 heroes take ",
		"run heroes --act 2 " + many:   " bytes, more than this machine has for this program, ",
		"run cubes --count 4294967295": "",
	})
}

func TestHelpAndVersionGoToStdout(t *testing.T) {
	want := regexp.QuoteMeta(runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH)
	assert.Regexp(t, `^flatecs \S+ .*`+want+`\n$`, played(t, "--version"))
	for _, line := range []string{"--help", "run --help", "run heroes --help", "help", "help run"} {
		assert.Regexp(t, "^Usage: flatecs", played(t, line))
	}
}

func TestProfilesAreWritten(t *testing.T) {
	for _, flag := range []string{" --cpuprofile ", " --memprofile ", " --trace "} {
		for line, want := range map[string]string{
			"run heroes --act 3": golden("act3.golden"), "run cubes --frames 2": "",
		} {
			path := filepath.Join(t.TempDir(), "out")
			assert.Equal(t, want, played(t, line+flag+path), flag)
			assert.NotEmpty(t, content(path), "%s%s", line, flag)
			refused(t, 1, map[string]string{line + flag + filepath.Join(path, "no", "such"): ""})
		}
	}
}

func TestTheMenuFitsATerminal(t *testing.T) {
	for _, numbered := range []bool{false, true} {
		var out bytes.Buffer
		list(&out, numbered)
		for line := range strings.Lines(out.String()) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), columns, line)
		}
	}
	assert.Equal(t, []string{"a", "bcd", "e f", "g"}, wrapped("a bcd  e f g", 3))
	assert.Equal(t, []string{"longer", "a"}, wrapped("longer a", 3), "a word stays whole")
}

// What the menu offers is a command line, and a scene's name alone runs it, in every form.
func TestASceneIsRunByItsName(t *testing.T) {
	for _, c := range choices() {
		if c.line == "serve" || testing.Short() && strings.Contains(c.line, "--variant") {
			continue
		}
		name, _, _ := strings.Cut(c.line, " ")
		flags := few(world.Must(gallery.ByName(name))) + " --frames 2 --render none"
		want, got := play(t, "run "+c.line+flags), play(t, c.line+flags)
		assert.Equal(t, want, got, c.line)
		got.says(t, 0)
	}
	assert.Equal(t, played(t, "run heroes --help"), played(t, "heroes --help"))
	refused(t, 2, map[string]string{
		"heroes --fast": "unknown flag --fast", "heros": "unexpected argument heros",
	})
}

// The last line needs no end, and lines end as on any system.
func TestChoicesAsTheyAreTyped(t *testing.T) {
	all := choices()
	for typed, want := range map[string]string{
		"2\n": all[1].line, "2\r\n": all[1].line, "\ufeff2\r": all[1].line, "2": all[1].line,
		"\n": all[0].line, "x\n2": all[1].line, "x": "", "": "", "q": "",
	} {
		in := bufio.NewReader(strings.NewReader(typed))
		assert.Equal(t, want, ask(streams{out: io.Discard, err: io.Discard}, in), "%q", typed)
	}
}

// wrongValues returns invalid values for a flag that users commonly type.
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

// writes are commands that write to a given path.
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

// Every command refuses files that it can neither read nor write, without waiting. Streams and
// pictures are written to the target of a link.
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
		require.NoError(t, os.Remove(world.Must(os.Readlink("nowhere"))), "%s writes by the link", line)
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
