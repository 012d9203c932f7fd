package loop_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/loop"
)

// A fakeClock is a clock and a wait: each wait takes 125 ms of nobody's time.
type fakeClock struct {
	now    time.Duration
	waits  int
	onWait func(n int) // called with the number of the wait, from 1
}

func (c *fakeClock) read() time.Duration { return c.now }

func (c *fakeClock) wait(context.Context) {
	c.waits++
	c.now += 125 * ms
	if c.onWait != nil {
		c.onWait(c.waits)
	}
}

func (c *fakeClock) loop(j *journal) *loop.Timed {
	return &loop.Timed{
		Step: quarter, Now: c.read, Wait: c.wait,
		Fixed: j.fixed("step"), Update: j.update("update"),
	}
}

func TestRunUntilStop(t *testing.T) {
	var j journal
	c := fakeClock{now: 5 * time.Hour}
	l := c.loop(&j)
	c.onWait = func(n int) {
		if n == 4 {
			l.Stop()
		}
	}
	_, err := l.Run(t.Context(), world.State{})
	require.NoError(t, err)
	assert.Equal(t, "update 0 0, update 0.125 0.5, step 0.25, update 0.125 0", j.read())
	assert.Equal(t, 4, c.waits)

	_, err = l.Run(t.Context(), world.State{})
	require.NoError(t, err)
	assert.Empty(t, j.read(), "a stopped loop runs nothing")
	assert.Equal(t, 4, c.waits, "nor does it wait")
}

func TestRunStopsFromWithin(t *testing.T) {
	var j journal
	c := fakeClock{}
	l := c.loop(&j)
	l.Fixed = func(s world.State, _ float32) world.State {
		j.write("the end")
		l.Stop()
		return s
	}
	s, err := l.Run(t.Context(), breeze(t))
	require.NoError(t, err)
	assert.Equal(t, "update 0 0, update 0.125 0.5, the end", j.read())
	assert.Equal(t, 10, world.Live(s), "the state is good")
	assert.Equal(t, 3, c.waits)
}

func TestRunFails(t *testing.T) {
	var j journal
	c := fakeClock{}
	l := c.loop(&j)
	l.Fixed = func(s world.State, _ float32) world.State {
		l.Fail(errNoDisk)
		return s
	}
	s, err := l.Run(t.Context(), breeze(t))
	require.ErrorIs(t, err, errNoDisk)
	assert.Equal(t, "update 0 0, update 0.125 0.5", j.read())
	assert.Equal(t, 10, world.Live(s), "the state is good")
	s, err = l.Run(t.Context(), s)
	require.ErrorIs(t, err, errNoDisk, "not started again")
	require.ErrorIs(t, l.Err(), errNoDisk)

	l.Start()
	require.NoError(t, l.Err(), "a new life")
	l.Pause()
	l.Fail(errNoDisk)
	l.Frame(s, 0)
	assert.Empty(t, j.read())
	assert.False(t, l.Running() || l.Paused())
}

func TestRunUntilCancelled(t *testing.T) {
	var j journal
	c := fakeClock{}
	l := c.loop(&j)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	l.Update = func(s world.State, _, _ float32) world.State {
		j.write("update")
		if c.waits == 2 {
			cancel(enough)
			j.write("still here")
		}
		return s
	}
	s, err := l.Run(ctx, breeze(t))
	require.ErrorIs(t, err, enough)
	assert.Equal(t, "update, update, still here", j.read(), "the frame under way ends")
	assert.Equal(t, 10, world.Live(s), "the state is good")
	assert.False(t, l.Running() || l.Paused(), "stopped")

	l.Start()
	_, err = l.Run(ctx, s)
	require.ErrorIs(t, err, enough)
	assert.Empty(t, j.read(), "cancelled before")
}

func TestRunPaused(t *testing.T) {
	var j journal
	c := fakeClock{}
	l := c.loop(&j)
	l.Start()
	l.Pause()
	c.onWait = func(n int) {
		switch n {
		case 100:
			j.write(n)
			l.StepOnce()
		case 200:
			j.write(n)
			l.Start()
		case 202:
			l.Stop()
		}
	}
	_, err := l.Run(t.Context(), world.State{})
	require.NoError(t, err)
	assert.Equal(t, "100, step 0.25, update 0.25 0, 200, update 0 0, update 0.125 0.5", j.read())
}

func TestClock(t *testing.T) {
	now := time.Date(2001, 2, 3, 4, 5, 6, 7, time.UTC)
	clock := loop.Clock(func() time.Time { return now })
	assert.Zero(t, clock())
	now = now.Add(3 * time.Second)
	assert.Equal(t, 3*time.Second, clock())
	now = now.Add(-5 * time.Second)
	assert.Equal(t, -2*time.Second, clock(), "as it is told")

	clock = loop.Clock(time.Now)
	first := clock()
	assert.LessOrEqual(t, first, clock())
}

func TestAwait(t *testing.T) {
	ticks := make(chan time.Time, 2)
	ticks <- time.Time{}
	wait := loop.Await(ticks)
	wait(t.Context())
	assert.Empty(t, ticks)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wait(ctx) // returns
}

func TestRunAllocatesNothing(t *testing.T) {
	ticks := make(chan time.Time, 1)
	frames := 0
	var l loop.Timed
	now := time.Duration(0)
	l = loop.Timed{
		Step: 20 * ms,
		Now:  func() time.Duration { now += 33 * ms; return now },
		Wait: loop.Await(ticks),
		Update: func(s world.State, _, _ float32) world.State {
			if frames++; frames%100 == 0 {
				l.Stop()
			}
			ticks <- time.Time{}
			return s
		},
	}
	ticks <- time.Time{}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		l.Start()
		_, _ = l.Run(ctx, world.State{})
	}))
	assert.GreaterOrEqual(t, frames, 1000)
}

// A loop may be told what to do by any goroutine while it runs.
func TestRunIsToldByOthers(t *testing.T) {
	c := fakeClock{}
	var j journal
	l := c.loop(&j)
	wait := l.Wait
	l.Wait = func(ctx context.Context) {
		runtime.Gosched() // where there is one thread, the others come to a turn
		wait(ctx)
	}
	l.Start()
	var others sync.WaitGroup
	for range 4 {
		others.Go(func() {
			for range 500 {
				for _, tell := range []func(){l.Start, l.Pause, l.StepOnce, l.Start} {
					tell()
					_ = l.Running() || l.Paused()
				}
			}
		})
	}
	go func() {
		others.Wait()
		l.Stop()
	}()
	s, err := l.Run(t.Context(), breeze(t))
	require.NoError(t, err)
	assert.Equal(t, 10, world.Live(s))
	assert.Zero(t, l.Dropped()%quarter, "whole steps")
}

// Whatever the clock does and whatever the loop is told, no time is lost or made up: what the
// updates were told of is what was stepped through and what is left.
func TestTimedKeepsTime(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const step, most = 64 * time.Second, 3 // so that seconds are whole, and sums of them exact
	var stepped, told, left time.Duration
	steps := 0
	l := loop.Timed{Step: step, MaxSteps: most}
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
