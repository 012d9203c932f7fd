package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSceneFlagsThatMakeNoSense(t *testing.T) {
	for line, want := range map[string]string{
		"run cubes now":                "unexpected argument now",
		"run cubes --fast":             "unknown flag --fast",
		"run cubes --frames -1":        "--frames: expected",
		"run cubes --count=-1":         "--count: expected",
		"run cubes --count 4294967296": "--count: expected",
		"run cubes --seed x":           "--seed: expected",
		"run cubes --workers 256":      "--workers: expected",
		"run cubes --workers=-1":       "--workers: expected",
		"run cubes --variant rise":     `--variant: cubes has no variant "rise"`,
		"run cubes --pprof nowhere":    "--pprof: expected PORT, :PORT or HOST:PORT",
	} {
		r := play(t, line)
		if r.code != 80 || r.out != "" || !strings.Contains(r.err, want) {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", line, r.code, r.out, r.err)
		}
	}
}

func TestSummaryOfAScene(t *testing.T) {
	r := play(t, "run cubes --count 700 --frames 30 --variant rain --workers 2 --summary")
	want := regexp.MustCompile(strings.ReplaceAll(`^scene +cubes
frames +30
game objects +701
world +[1-9]\d* bytes
CreateState +F \(701 objects\)
Physics +F \(701 objects\)
Rain +F \(701 objects\)
Time +F \(701 objects\)
\d+ allocations per frame(?: \(\d+ in 30 frames\))?
$`, "F", figure))
	if r.code != 0 || r.out != "" || !want.MatchString(r.err) {
		t.Errorf("exit code %d, stdout %q, stderr\n%s", r.code, r.out, r.err)
	}
	r = play(t, "run cubes --count 0 --frames 0 --summary")
	if r.code != 0 || strings.Count(r.err, "nothing to do\n") != 2 {
		t.Errorf("exit code %d, stderr %q", r.code, r.err)
	}
}

func TestNoStepOfASceneAllocates(t *testing.T) {
	r := play(t, "run cubes --count 300000 --frames 200 --workers 2 --summary")
	if !strings.Contains(r.err, "\n0 allocations per frame") {
		t.Error(r.err)
	}
}

func TestCubesNoMachineCanHoldAreRefusedInOneLine(t *testing.T) {
	r := play(t, "run cubes --count 4294967295")
	if r.code != 1 || r.out != "" || !regexp.MustCompile(`^flatecs: .*\n$`).MatchString(r.err) {
		t.Errorf("exit code %d, stdout %q, stderr %q", r.code, r.out, r.err)
	}
}

func TestProfilesOfAScene(t *testing.T) {
	for _, flag := range []string{"--cpuprofile", "--memprofile", "--trace"} {
		path := filepath.Join(t.TempDir(), "out")
		if out := played(t, "run cubes --frames 2 "+flag+" "+path); out != "" {
			t.Errorf("%s printed %q", flag, out)
		}
		if file, err := os.Stat(path); err != nil || file.Size() == 0 {
			t.Errorf("%s wrote nothing: %v", flag, err)
		}
		r := play(t, "run cubes "+flag+" "+filepath.Join(path, "no", "such"))
		if r.code != 1 || r.out != "" || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", flag, r.code, r.out, r.err)
		}
	}
}

func TestAnInterruptedSceneTellsWhatItHasCost(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "cpu")
	cmd := program(t, "run", "cubes", "--frames", "1000000000000", "--summary", "--cpuprofile", profile)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	for begun := false; !begun; time.Sleep(time.Millisecond) {
		_, err := os.Stat(profile)
		begun = err == nil
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	if code := codeOf(t, cmd.Wait()); code != 130 || !strings.Contains(stderr.String(), "Physics") {
		t.Errorf("exit code %d, stderr %q", code, &stderr)
	}
}
