package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
	r := play(t, "run cubes --frames 200 --workers 2 --summary --count "+sized(300_000))
	if !strings.Contains(r.err, "\n0 allocations per frame") {
		t.Error(r.err)
	}
}

// TestEverySeedIsItsOwn: by every command with a seed, also 0. A recording keeps it.
func TestEverySeedIsItsOwn(t *testing.T) {
	for _, line := range []string{
		"run cubes --count 50 --frames 3 --digest last --seed ",
		"run tanks --count 8 --frames 3 --digest last --seed ",
		"lab schelling --seeds 1 --steps 2 --seed ",
	} {
		seen := map[string]string{}
		for _, seed := range []string{"0", "1", "2", "18446744073709551615"} {
			out := played(t, line+seed)
			require.Empty(t, seen[out], line+seed)
			seen[out] = line + seed
		}
	}
	file := filepath.Join(t.TempDir(), "cubes.rec")
	played(t, "run cubes --count 50 --frames 3 --seed 0 --record "+file)
	require.Contains(t, played(t, "replay --show "+file), `"Seed":0,`)
	played(t, "replay "+file)
	sent, err := json.Marshal((&pageFlags{Scene: "cubes"}).start())
	require.NoError(t, err)
	require.Contains(t, string(sent), `"seed":"0"`)
}
