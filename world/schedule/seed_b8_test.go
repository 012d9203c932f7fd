package schedule_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/stage"
)

// TestSeed_B8_Parallel: a system's update that runs a schedule on several goroutines leaves the
// same bytes as on one.
func TestSeed_B8_Parallel(t *testing.T) {
	n := 290_000
	if !worldtest.AtLength() {
		n = 140_000
	}
	watcher := world.NewWatcher(comparing)
	counts := schedWorld
	counts.Watchers = []world.Watcher{watcher}
	var want []byte
	for _, workers := range []int{0, 1, 2, 8} {
		sched := sched(t, workers)
		entered, left := 0, 0
		root := &stage.Root{}
		require.NoError(t, root.Add(stage.System{
			Name: "parallel", Watcher: watcher,
			Enter: func(s world.State) world.State {
				for range watcher.Entered(s) {
					entered++
				}
				return s
			},
			Leave: func(s world.State) world.State {
				for range watcher.Left(s) {
					left++
				}
				return s
			},
			FirstUpdate: heat,
			Update: func(s world.State, _ float32) world.State {
				return world.Must(sched.Run(s, "step"))
			},
		}))
		s := world.Must(world.CreateState(counts))
		s, err := world.SpawnN(s, jobRecipe, n, nil)
		require.NoError(t, err)
		for range 3 {
			s = root.Update(s, 0.02)
		}
		assert.Greater(t, left, n/100)
		assert.Equal(t, n+left, entered, "one came for each that went")
		if want == nil {
			want = bytes.Clone(world.Bytes(s))
		}
		assert.True(t, bytes.Equal(want, world.Bytes(s)), "%d workers", workers)
		world.Close(s)
	}
}
