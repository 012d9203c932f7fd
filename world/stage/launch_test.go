package stage_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/stage"
)

func (j *journal) system(name string) func(world.State) world.State {
	return func(s world.State) world.State {
		j.write(name)
		return s
	}
}

// startUp returns a step of start-up that writes its name, and fails as often as failures says.
func (j *journal) startUp(name string, failures int) stage.StartUpStep {
	return stage.StartUpStep{Name: name, Run: func(s world.State) (world.State, error) {
		j.write(name)
		if failures > 0 {
			failures--
			return s, errNoDisk
		}
		return s, nil
	}}
}

var errNoDisk = errors.New("no disk")

func TestLaunchAgainAfterAFailure(t *testing.T) {
	var j journal
	l := stage.Launcher{
		StartUp: []stage.StartUpStep{j.startUp("a", 0), j.startUp("b", 2), j.startUp("c", 0)},
		Stages:  []stage.Stage{{Name: "one", Fixed: j.fixed("one")}},
	}
	s := flock(t)
	for range 2 {
		var err error
		s, err = l.Launch(s)
		require.ErrorIs(t, err, errNoDisk)
		require.EqualError(t, err, "stage: start-up step 1 (b): no disk")
		assert.False(t, l.Ready())
		s = l.FixedUpdate(s, 1)
	}
	assert.Equal(t, "a, b, b", j.read(), "a is done once; nothing else runs")
	s = world.Must(l.Launch(s))
	assert.Equal(t, "b, c", j.read())
	assert.True(t, l.Ready())
	s = world.Must(l.LaunchNext(world.Must(l.Launch(s))))
	assert.Empty(t, j.read(), "nothing is left to do")
	l.FixedUpdate(s, 1)
	assert.Equal(t, "one 1", j.read())
}

func TestLaunchMisuse(t *testing.T) {
	l := stage.Launcher{StartUp: []stage.StartUpStep{{Name: "utils"}}}
	worldtest.PanicsWith(t, func() { _, _ = l.Launch(world.State{}) }, "step 0 (utils) has no Run; set it")
}
