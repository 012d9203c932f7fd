package stage_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

func TestClock(t *testing.T) {
	now := time.Date(2001, 2, 3, 4, 5, 6, 7, time.UTC)
	clock := stage.Clock(func() time.Time { return now })
	assert.Zero(t, clock())
	now = now.Add(3 * time.Second)
	assert.Equal(t, 3*time.Second, clock())
	now = now.Add(-5 * time.Second)
	assert.Equal(t, -2*time.Second, clock(), "as it is told")

	clock = stage.Clock(time.Now)
	first := clock()
	assert.LessOrEqual(t, first, clock())
}

// Whatever the clock does and whatever the loop is told, no time is lost or made up: what the
// updates were told of is what was stepped through and what is left.
func TestTimedKeepsTime(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const step, most = 64 * time.Second, 3 // so that seconds are whole, and sums of them exact
	var stepped, told, left time.Duration
	steps := 0
	l := stage.Timed{Step: step, MaxSteps: most}
	l.Fixed = func(s world.State, dt float32) world.State {
		require.Equal(t, 64, int(dt))
		steps++
		stepped += step
		return s
	}
	l.Update = func(s world.State, dt, alpha float32) world.State {
		require.GreaterOrEqual(t, dt, float32(0))
		require.True(t, 0 <= alpha && alpha < 1, "alpha %v", alpha)
		told += time.Duration(dt) * time.Second
		left = time.Duration(alpha*64) * time.Second
		return s
	}
	l.Start()
	now := time.Duration(0)
	for n := range 20_000 {
		switch r.IntN(12) {
		case 0:
			now -= time.Duration(r.IntN(1000)) * time.Second
		case 1:
			now += time.Duration(r.IntN(1000)) * time.Second
		case 2:
			tell(&l, []string{startNow, pauseNow, onceNow, startNow}[r.IntN(4)])
		default:
			now += time.Duration(r.IntN(100)) * time.Second
		}
		steps = 0
		l.Frame(world.State{}, now)
		require.LessOrEqual(t, steps, most)
		require.Equal(t, told, stepped+left, "frame %d", n)
	}
	assert.NotZero(t, l.Dropped())
	assert.Zero(t, l.Dropped()%step, "whole steps")
}
