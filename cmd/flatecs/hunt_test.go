package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/scene/prey"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
)

func TestScenesAreHunted(t *testing.T) {
	for _, s := range gallery.All() {
		assert.Regexp(t, `^hunt: \d+ ticks in \d+ runs from \d+ states, .*: nothing found\n$`,
			played(t, "hunt --for 50ms "+s.Name))
	}
	refused(t, 1, map[string]string{
		"hunt chess":              `there is no scene "chess"`,
		"hunt flappy --variant x": `flappy has no variant "x"`,
	})
}

// TestWhatAHuntFindsIsRecorded, so that it can be replayed: here, that somebody presses something.
func TestWhatAHuntFindsIsRecorded(t *testing.T) {
	sc := world.Must(gallery.ByName("flappy"))
	play := world.Must(sc.Open(scene.Options{Seed: 1}))
	defer func() { play.Close(play.First) }()
	g := prey.Of(sc, play.Options)
	g.Always = []hunt.Property{hunt.Holds("nobody plays", func(s world.State) bool {
		return scene.Pressed(s) == 0
	})}
	r := world.Must(hunt.Run(g, hunt.Options{Workers: 1, Ticks: 10_000, Whole: true}))
	require.NotNil(t, r.Failure)
	require.Len(t, r.Failure.Inputs, 1)
	path := filepath.Join(t.TempDir(), "found.rec")
	require.NoError(t, recordHunted(path, play, r.Failure.Inputs))
	played(t, "replay "+path)
}

// TestHuntsInParts share a folder, whose ticks are counted, and in which each part is one process.
func TestHuntsInParts(t *testing.T) {
	dir := t.TempDir()
	for _, part := range []string{"--part 0/2", "--part 1/2", ""} {
		assert.Regexp(t, `ms: \d+ ticks in all parts and runs: nothing found\n$`,
			played(t, "hunt --for 300ms flappy --corpus "+dir+" "+part))
	}
	files := world.Must(filepath.Glob(filepath.Join(dir, "*")))
	assert.Equal(t, []string{filepath.Join(dir, "0.finds"), filepath.Join(dir, "1.finds")}, files)
	require.NoError(t, os.WriteFile(files[1], []byte("damaged\n"), 0o600))
	refused(t, 1, map[string]string{"hunt --for 50ms flappy --corpus " + dir: "1.finds: "})
	refused(t, 2, map[string]string{"hunt flappy --part 2/2 --corpus " + dir: "give i/n"})
}
