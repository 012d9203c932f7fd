package stage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

func TestSeed_E6_StartPauseStop(t *testing.T) {
	var j journal
	l := &stage.Timed{Update: func(s world.State, dt, _ float32) world.State {
		for _, name := range []string{"event", "velocity", "render"} { // the document's systems
			j.write(name, dt)
		}
		return s
	}}
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
