package main

import (
	"regexp"
	"strings"
	"testing"
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
	r := play(t, "run cubes --frames 200 --workers 2 --summary --count "+sized(300_000))
	if !strings.Contains(r.err, "\n0 allocations per frame") {
		t.Error(r.err)
	}
}
