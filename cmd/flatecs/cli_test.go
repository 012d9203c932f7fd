package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
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
	if r.code != 1 || strings.Contains(r.err, "buil") || !strings.Contains(r.err, "mine; give one") {
		t.Errorf("exit code %d, stderr %q", r.code, r.err)
	}
}

func TestHelpShowsExamples(t *testing.T) {
	oneGoroutine(t)
	parser, err := newParser(t.Context(), streams{out: io.Discard, err: io.Discard})
	require.NoError(t, err)
	lines := []string{"--help"}
	for _, leaf := range parser.Model.Leaves(true) {
		lines = append(lines, leaf.FullPath()[len("flatecs "):]+" --help")
	}
	assert.Len(t, lines, 20)
	for _, line := range lines {
		out := played(t, line)
		if !strings.Contains(out, "Examples:") || !strings.Contains(out, "\n    flatecs ") {
			t.Errorf("%s printed %q", line, out)
		}
		for _, example := range regexp.MustCompile(`(?m)^ +flatecs (.+?)(  |$| \|)`).FindAllStringSubmatch(out, -1) {
			err := parsed(strings.Fields(example[1]))
			if err != nil && !strings.Contains(err.Error(), "no such file") {
				t.Errorf("%s shows %q: %v", line, example[1], err)
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
		if !strings.Contains(out, strings.TrimSpace(c.shown)+" "+c.about) {
			t.Errorf("no %q in %s", c.line, out)
		}
	}
	for _, s := range gallery.All() {
		if !strings.Contains(out, "flatecs "+s.Name+" "+s.About) {
			t.Errorf("no %q in %s", s.About, out)
		}
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
	if out := played(t, "--version"); !regexp.MustCompile(`^flatecs \S+ .*` + want + `\n$`).MatchString(out) {
		t.Errorf("--version printed %q", out)
	}
	for _, line := range []string{"--help", "run --help", "run heroes --help"} {
		if out := played(t, line); !strings.HasPrefix(out, "Usage: flatecs") {
			t.Errorf("%s printed %q", line, out)
		}
	}
}

func TestProfilesAreWritten(t *testing.T) {
	for _, flag := range []string{" --cpuprofile ", " --memprofile ", " --trace "} {
		for line, want := range map[string]string{
			"run heroes --act 3": golden(t, "act3.golden"), "run cubes --frames 2": "",
		} {
			path := filepath.Join(t.TempDir(), "out")
			assert.Equal(t, want, played(t, line+flag+path), flag)
			file, err := os.Stat(path)
			require.NoError(t, err)
			assert.NotZero(t, file.Size(), "%s%s", line, flag)
			refused(t, 1, map[string]string{line + flag + filepath.Join(path, "no", "such"): ""})
		}
	}
}
