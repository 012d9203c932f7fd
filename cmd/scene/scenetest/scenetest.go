// Package scenetest is what the tests of scenes have in common: a scene is opened by [Open]; a bug
// is put into it by [Planted], and has to be found by [Finds]; without one [Sound] finds none.
package scenetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/schedule"
)

// Open opens a scene, and closes its schedule when the test is over.
func Open(tb testing.TB, sc *scene.Scene, o scene.Options) (*scene.Play, world.State) {
	tb.Helper()
	p, err := sc.Open(o)
	require.NoError(tb, err)
	tb.Cleanup(p.Schedule.Close)
	return p, p.First
}

// A Pipeline is the jobs of a step.
type Pipeline []schedule.Job

// Job returns that of a name.
func (p Pipeline) Job(name string) *schedule.Job {
	return &p[slices.IndexFunc(p, func(j schedule.Job) bool { return j.Name == name })]
}

// Planted returns a scene with a bug.
func Planted(sc *scene.Scene, plant func(Pipeline)) *scene.Scene {
	with := *sc
	with.Make = func(o scene.Options) (world.State, []schedule.Job, error) {
		s, jobs, err := sc.Make(o)
		plant(jobs)
		return s, jobs, err
	}
	return &with
}

// Finds fails unless a property of a game, which begins so, is found not to hold within so many
// ticks, and by few inputs. The first byte of an input is 0 where nothing is pressed.
func Finds(t *testing.T, g hunt.Game, property string, ticks int64) {
	t.Helper()
	r, err := hunt.Run(g, hunt.Options{
		Workers: 1, Ticks: ticks, Whole: true, Shrink: time.Minute,
	})
	require.NoError(t, err)
	require.NotNil(t, r.Failure, "%v", r)
	f, pressed := r.Failure, 0
	assert.True(t, strings.HasPrefix(f.Property, property), f.Property)
	for tick := range slices.Chunk(f.Inputs, g.Inputs) {
		if tick[0] != 0 {
			pressed++
		}
	}
	t.Logf("%d ticks; %s, after %d: %d inputs in %d", r.Ticks, f.Property, f.Played, pressed,
		f.Ticks())
	assert.LessOrEqual(t, pressed, 20, "%v", f)
}

// Sound plays so many matches, from the first tick on; a false alarm ends it.
func Sound(tb testing.TB, game func() hunt.Game, matches int) {
	tb.Helper()
	const length = 100 // ticks
	for seed := uint64(0); matches > 0; seed++ {
		r, err := hunt.Run(game(), hunt.Options{
			Ticks: int64(matches) * length, Length: length, Memory: 1, Deep: 200, Seed: seed,
		})
		require.NoError(tb, err)
		require.Nil(tb, r.Failure, "%v", r)
		matches -= int(r.Runs)
	}
}
