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
