package stage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

func TestSeed_B5_TwoFixedStepsAndOneUpdate(t *testing.T) {
	var j journal
	l := documentB(&j)
	s := world.Must(l.Launch(world.State{}))
	j.read()
	l.Update(l.FixedUpdate(l.FixedUpdate(s, 0.02), 0.02), 0.04, 0)
	assert.Equal(t, journal{
		"logic 0.02", "physics 0.02", "logic 0.02", "physics 0.02", "render 0.04 0",
	}, j)
}

// The same order comes of a clock that lets two steps pass between two frames.
func TestSeed_B5_TwoStepsOfTheClock(t *testing.T) {
	var j journal
	l := documentB(&j)
	s := world.Must(l.Launch(world.State{}))
	j.read()
	timed := stage.Timed{Step: 20 * ms, Fixed: l.FixedUpdate, Update: l.Update}
	timed.Start()
	s = timed.Frame(s, time.Hour)
	assert.Equal(t, journal{"render 0 0"}, j, "the first time does not run from construction")
	j.read()
	timed.Frame(s, time.Hour+45*ms)
	assert.Equal(t, journal{
		"logic 0.02", "physics 0.02", "logic 0.02", "physics 0.02", "render 0.045 0.25",
	}, j)
}
