package stage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/stage"
)

// documentE returns the document's loop: a list of systems, once a frame, in order.
func documentE(j *journal, names ...string) *stage.Timed {
	return &stage.Timed{Update: func(s world.State, dt, _ float32) world.State {
		for _, name := range names {
			j.write(name, dt)
		}
		return s
	}}
}

func TestSeed_E6_StartPauseStop(t *testing.T) {
	var j journal
	l := documentE(&j, "event", "velocity", "render")
	frame := func(now time.Duration) string {
		l.Frame(world.State{}, now)
		return j.read()
	}
	assert.Empty(t, frame(0), "before it starts")
	l.Start()
	assert.Equal(t, "event 0, velocity 0, render 0", frame(2*time.Second), "not from construction")
	assert.Equal(t, "event 0.5, velocity 0.5, render 0.5", frame(2500*ms))
	l.Pause()
	assert.Empty(t, frame(3*time.Second))
	l.Start()
	assert.Equal(t, "event 0, velocity 0, render 0", frame(9*time.Second), "without the pause")
	assert.Equal(t, "event 1, velocity 1, render 1", frame(10*time.Second))
	l.Stop()
	assert.Empty(t, frame(11*time.Second), "a stopped loop runs nothing")
	l.Pause()
	assert.Empty(t, frame(12*time.Second))
}

func TestSeed_E6_FrameTime(t *testing.T) {
	var j journal
	l := documentE(&j, "dt")
	l.Start()
	l.Frame(world.State{}, 100*time.Second)
	j.read()
	for _, c := range []struct {
		now  time.Duration
		want string
	}{
		{101 * time.Second, "dt 1"},
		{101 * time.Second, "dt 0"},
		{50 * time.Second, "dt 0"}, // max(now − last, 0)
		{50*time.Second + 250*ms, "dt 0.25"},
		{3650 * time.Second, "dt 3599.75"},
	} {
		l.Frame(world.State{}, c.now)
		assert.Equal(t, c.want, j.read(), "at %v", c.now)
	}
}

// The document's bird moved once a frame, whatever the frame's time.
func TestSeed_E6_MovementKeepsToTheFrameTime(t *testing.T) {
	moved := func(frames int) [3]float32 {
		s := breeze(t)
		l := stage.Timed{Update: func(s world.State, dt, _ float32) world.State {
			return drift(s, dt)
		}}
		l.Start()
		for n := range frames + 1 {
			s = l.Frame(s, time.Duration(n)*8*time.Second/time.Duration(frames))
		}
		return world.GetRow(s, heroes.Position, 0)
	}
	assert.Equal(t, [3]float32{8}, moved(8))
	assert.Equal(t, [3]float32{8}, moved(64), "a faster screen does not move it further")
}
