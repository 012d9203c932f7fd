package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
)

func TestCommandLinesThatMakeNoSense(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"walk", "unexpected argument walk"},
		{"run", `expected one of "heroes", "boids", "tanks", "cubes"`},
		{"run heroes now", "unexpected argument now"},
		{"run heroes --fast", "unknown flag --fast"},
		{"run heroes --act 4", `--act must be one of "1","2","3","" but got "4"`},
		{"run heroes --act x", `--act`},
		{"run heroes --frames -1", "--frames: expected"},
		{"run heroes --frames=-1", "--frames: expected"},
		{"run heroes --frames 1.5", "--frames: expected"},
		{"run heroes --frames 18446744073709551616", "--frames: expected"},
		{"run heroes --count=-2", "--count: expected"},
		{"run heroes --supers 4294967296", "--supers: expected"},
		{"run heroes --positions=-1", "--positions: expected"},
		{"run heroes --positions many", "--positions: expected"},
		{"run heroes --state first", `--state must be one of "last","every","none","" but got "first"`},
		{"run heroes --render loud", `--render must be one of "auto","none","log","term","png","gif" but got "loud"`},
		{"run heroes --pprof nowhere", "--pprof: expected PORT, :PORT or HOST:PORT"},
		{"run heroes --pprof :70000", "--pprof: expected PORT, :PORT or HOST:PORT"},
		{"run heroes --act 1 --positions 4", "--positions: act 1 has no buffers to size"},
		{"run heroes --act 2 --velocities 4 --flies 3", "--velocities, --flies: act 2 has no buffers"},
	} {
		r := play(t, test.line)
		if r.code != 80 || r.out != "" {
			t.Errorf("%q: exit code %d, stdout %q", test.line, r.code, r.out)
		}
		if !strings.HasPrefix(r.err, "flatecs: error: ") || !strings.Contains(r.err, test.want) {
			t.Errorf("%q: got %q, want %q", test.line, r.err, test.want)
		}
		if strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: not one line: %q", test.line, r.err)
		}
	}
}

func TestWhatWasProbablyMeant(t *testing.T) {
	for line, want := range map[string]string{
		"run heros":                          `did you mean "heroes"?`,
		"sreve":                              `did you mean "serve"?`,
		"run cubes --varant rain":            `did you mean "--variant"?`,
		"run --cuont 3 boids":                `unknown flag --cuont, did you mean "flatecs run boids --count"? (flatecs run --help)`,
		"run --count 3 boids":                `did you mean "flatecs run boids --count"?`,
		"run cubes --variant rian":           `did you mean "rain"?`,
		"run flappy --variant pass":          `did you mean "passed"?`,
		"serve cubes --variant rian":         `did you mean "rain"?`,
		"serve heros":                        `did you mean "heroes"?`,
		"export flapy --out x":               `did you mean "flappy"?`,
		"export heroes --variant rain":       `heroes has no variants`,
		"export cubes --out x --variant ran": `did you mean "rain"?`,
	} {
		r := play(t, line)
		if r.code != 80 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, want) {
			t.Errorf("%q: exit code %d, stderr %q; want %q", line, r.code, r.err, want)
		}
	}
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

// The name of the command whose help is of use is named.
func TestAnErrorNamesItsCommand(t *testing.T) {
	for line, want := range map[string]string{
		"run cubes --fast": "(flatecs run cubes --help)\n",
		"run --fast":       "(flatecs run --help)\n",
		"verify":           "(flatecs verify --help)\n",
		"--fast":           "(flatecs --help)\n",
	} {
		if r := play(t, line); !strings.HasSuffix(r.err, want) {
			t.Errorf("%q: %q", line, r.err)
		}
	}
}

func TestHelpShowsExamples(t *testing.T) {
	for _, line := range []string{
		"--help", "run heroes --help", "run boids --help", "run tanks --help", "run cubes --help", "run flappy --help", "serve --help",
		"export --help",
	} {
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
	parser, err := kong.New(newCommands(), kong.Vars{"version": ""}, help, labHelp, kong.Exit(func(int) {}),
		kong.Writers(io.Discard, io.Discard))
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

func TestACountTooSmallNamesTheFlag(t *testing.T) {
	for _, test := range []struct{ flags, want string }{
		{"--positions 2", "flatecs: position: all 2 rows in use; raise --positions\n"},
		{"--positions 0", "flatecs: position: all 0 rows in use; raise --positions\n"},
		{"--positions 3 --count 50", "flatecs: position: all 3 rows in use; raise --positions\n"},
		{"--velocities 3", "flatecs: velocity: all 3 rows in use; raise --velocities\n"},
		{"--flies 1", "flatecs: fly: all 1 rows in use; raise --flies\n"},
		{"--positions 1 --velocities 1 --flies 1", "flatecs: position: all 1 rows in use; raise --positions\n"},
	} {
		r := play(t, "run heroes --summary "+test.flags)
		if r.code != 1 || r.out != "" || r.err != test.want {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", test.flags, r.code, r.out, r.err)
		}
	}
}

func TestCountsNoMachineCanHoldAreRefusedInOneLine(t *testing.T) {
	for _, flags := range []string{
		"--positions 4294967295",
		"--count 4294967295 --supers 4294967295",
		"--positions 2000000000 --velocities 2000000000 --flies 2000000000",
	} {
		r := play(t, "run heroes "+flags)
		if r.code != 1 || r.out != "" || !regexp.MustCompile(`^flatecs: (position|world): .*\n$`).MatchString(r.err) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", flags, r.code, r.out, r.err)
		}
	}
}

func TestHeroesNoMachineCanHoldAreRefusedInOneLine(t *testing.T) {
	want := regexp.MustCompile(
		`^flatecs: act \d: \d+ heroes take \d+ bytes, more than this machine has for this program, \d+; ` +
			`lower --count or --supers\n$`)
	for _, flags := range []string{
		"--act 1 --count 4294967295 --supers 4294967295",
		"--act 2 --count 4294967295 --supers 4294967295",
	} {
		r := play(t, "run heroes "+flags)
		if r.code != 1 || r.out != "" || !want.MatchString(r.err) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", flags, r.code, r.out, r.err)
		}
	}
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
	for _, flag := range []string{"--cpuprofile", "--memprofile", "--trace"} {
		path := filepath.Join(t.TempDir(), "out")
		if out := played(t, "run heroes "+flag+" "+path); out != golden(t, "act3.golden") {
			t.Errorf("%s changed the output to %q", flag, out)
		}
		if file, err := os.Stat(path); err != nil || file.Size() == 0 {
			t.Errorf("%s wrote nothing: %v", flag, err)
		}
		r := play(t, "run heroes "+flag+" "+filepath.Join(path, "no", "such"))
		if r.code != 1 || r.out != "" || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", flag, r.code, r.out, r.err)
		}
	}
}
