package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
)

var digestLine = regexp.MustCompile(`^digest frame=(\d+) xxh3=([0-9a-f]{16})$`)

// digestsOf runs a command line that prints digests, and returns them by frame.
func digestsOf(t *testing.T, line string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for text := range strings.Lines(played(t, line)) {
		m := digestLine.FindStringSubmatch(strings.TrimSuffix(text, "\n"))
		if m == nil {
			t.Fatalf("%s printed %q", line, text)
		}
		found[m[1]] = m[2]
	}
	return found
}

func TestDigestsAreOfTheLastStepOrOfEvery(t *testing.T) {
	for _, line := range []string{
		"run cubes --count 500 --frames 20",
		"run heroes --render none --state none --frames 20",
	} {
		last := digestsOf(t, line+" --digest last")
		every := digestsOf(t, line+" --digest every")
		if len(last) != 1 || len(every) != 20 || last["20"] == "" || last["20"] != every["20"] {
			t.Errorf("%s: last %v, every %v", line, last, every)
		}
		if every["19"] == every["20"] {
			t.Errorf("%s: two steps have one digest", line)
		}
		before := digestsOf(t, strings.Replace(line, "20", "19", 1)+" --digest last")
		if before["19"] != every["19"] {
			t.Errorf("%s: the digest of a step depends on how many follow", line)
		}
	}
	start := digestsOf(t, "run cubes --count 500 --frames 0 --digest last")
	if start["0"] == "" {
		t.Errorf("before the first step: %v", start)
	}
}

func TestDigestsDependOnSeedAndCountButNotOnWorkers(t *testing.T) {
	of := func(flags string) string {
		return digestsOf(t, "run cubes --frames 50 --digest last "+flags)["50"]
	}
	many := sized(300_000)
	want := of("--seed 7 --count " + many)
	for _, workers := range []string{"0", "2", "8"} {
		if got := of("--seed 7 --workers " + workers + " --count " + many); got != want {
			t.Errorf("%s workers: %s, want %s", workers, got, want)
		}
	}
	for _, flags := range []string{"--seed 8 --count " + many, "--seed 7 --count 29999"} {
		if of(flags) == want {
			t.Errorf("%s: the same digest", flags)
		}
	}
}

// recorded records a run, and returns the path and the text of the recording.
func recorded(t *testing.T, line string) (path, text string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "recording")
	played(t, line+" --record "+path)
	bytes, err := os.ReadFile(path)
	require.NoError(t, err)
	return path, string(bytes)
}

// changed writes a text with one thing replaced to a file.
func changed(t *testing.T, text, from, to string) string {
	t.Helper()
	other := regexp.MustCompile(from).ReplaceAllString(text, to)
	if other == text {
		t.Fatalf("no %q in\n%s", from, text)
	}
	path := filepath.Join(t.TempDir(), "changed")
	require.NoError(t, os.WriteFile(path, []byte(other), 0o600))
	return path
}

func TestARecordingIsPlayedAgain(t *testing.T) {
	for _, line := range []string{
		"run cubes --count 300 --frames 40",
		"run cubes --count 300 --frames 40 --variant camera --seed 99",
		"run cubes --count 300 --frames 0 --variant rain",
	} {
		path, text := recorded(t, line)
		steps := strings.Count(text, "\n") - 9
		want := fmt.Sprintf("%d steps, and all digests are equal\n", steps)
		for _, flags := range []string{"", " --workers 2", " --to 1000"} {
			if got := played(t, "replay "+path+flags); got != want {
				t.Errorf("%s: replay%s printed %q, want %q", line, flags, got, want)
			}
		}
	}
}

func TestTheFirstStepThatDiffersIsNamed(t *testing.T) {
	_, text := recorded(t, "run cubes --count 300 --frames 40")
	path := changed(t, text, `\n(17|30) 00 ....`, "\n$1 00 0bad")
	r := play(t, "replay "+path)
	want := `^flatecs: .*: the world differs after step 17: digest [0-9a-f]{16}, ` +
		`recorded as 0bad[0-9a-f]{12} by flatecs .*\n$`
	if r.code != 1 || r.out != "" || !regexp.MustCompile(want).MatchString(r.err) {
		t.Errorf("exit code %d, stdout %q, stderr %q", r.code, r.out, r.err)
	}
	if got := played(t, "replay "+path+" --to 16"); !strings.HasPrefix(got, "16 steps") {
		t.Errorf("up to the step before: %q", got)
	}
	for _, c := range [][2]string{{"count 300", "count 301"}, {"seed 1\n", "seed 2\n"}} {
		r := play(t, "replay "+changed(t, text, c[0], c[1]))
		if r.code != 1 || !strings.Contains(r.err, "after step 1:") {
			t.Errorf("%q: exit code %d, stderr %q", c[1], r.code, r.err)
		}
	}
}

func TestRecordingsThatCannotBePlayed(t *testing.T) {
	_, text := recorded(t, "run cubes --count 300 --frames 40")
	for _, c := range []struct{ from, to, want string }{
		{"recording 1", "recording 9", "not a recording"},
		{"scene cubes", "scene chess", `there is no scene "chess"; there are`},
		{"behaviour [0-9]+", "behaviour 999", "the scene behaves differently now: version 3, not 999; replay with"},
		{"variant fall", "variant rise", `variant "rise"`},
		{"(?s)\n20 .*", "\n", "the recording was cut off, after step 19"},
		{"\n20 ", "\n21 ", "line 28"},
	} {
		refused(t, 1, map[string]string{"replay " + changed(t, text, c.from, c.to): c.want})
	}
}

func TestRecordingsThatCannotBeWritten(t *testing.T) {
	refused(t, 1, map[string]string{
		"run cubes --frames 1000 --count 10 --record /dev/full": "flatecs: /dev/full: no space left on device\n",
	})
}

func TestARecordingAsksForNoMoreThanItMay(t *testing.T) {
	dir := t.TempDir()
	ask := func(scene string, count, supers int) string {
		path := filepath.Join(dir, fmt.Sprint(scene, "-", count, "-", supers))
		played, err := gallery.ByName(scene)
		require.NoError(t, err)
		text := fmt.Sprintf("flatecs recording 1\nscene %s\nbehaviour %d\ncount %d\nsupers %d\nseed 1\n"+
			"variant \nbuild x\n1 00 0123456789abcdef\nend 1\n", scene, played.Behaviour, count, supers)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	refused(t, 1, map[string]string{
		"replay " + ask("cubes", 1<<24, 0):           "16777216, of 1048576 at most; raise --most",
		"replay --most 100 " + ask("heroes", 60, 60): "120, of 100 at most; raise --most",
		"replay --most 100 " + ask("heroes", 60, 40): "the world differs after step 1",
	})
}
