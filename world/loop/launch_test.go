package loop_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/loop"
)

func (j *journal) system(name string) func(world.State) world.State {
	return func(s world.State) world.State {
		j.write(name)
		return s
	}
}

// startUp returns a step of start-up that writes its name, and fails as often as failures says.
func (j *journal) startUp(name string, failures int) loop.StartUpStep {
	return loop.StartUpStep{Name: name, Run: func(s world.State) (world.State, error) {
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
	l := loop.Launcher{
		StartUp: []loop.StartUpStep{j.startUp("a", 0), j.startUp("b", 2), j.startUp("c", 0)},
		Stages:  []loop.Stage{{Name: "one", Fixed: j.fixed("one")}},
	}
	s := breeze(t)
	for range 2 {
		var err error
		s, err = l.Launch(s)
		require.ErrorIs(t, err, errNoDisk)
		require.EqualError(t, err, "loop: start-up step 1 (b): no disk")
		assert.False(t, l.Ready())
		assert.Equal(t, 1, l.Launched())
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

func TestLaunchStepByStep(t *testing.T) {
	var j journal
	l := loop.Launcher{StartUp: []loop.StartUpStep{j.startUp("a", 0), j.startUp("b", 0)}}
	for n, name := range []string{"a", "b"} {
		assert.Equal(t, n, l.Launched())
		assert.False(t, l.Ready())
		_, err := l.LaunchNext(world.State{})
		require.NoError(t, err)
		assert.Equal(t, name, j.read())
	}
	assert.True(t, l.Ready())
	assert.Equal(t, 2, l.Launched())
}

func TestLauncherWithoutAnything(t *testing.T) {
	var l loop.Launcher
	assert.True(t, l.Ready())
	s := breeze(t)
	s = l.DrawGizmos(l.Update(l.FixedUpdate(world.Must(l.Launch(s)), 1), 1, 0))
	assert.Equal(t, 10, world.Live(s))
	l.Stages = make([]loop.Stage, 3)
	s = l.DrawGizmos(l.Update(l.FixedUpdate(s, 1), 1, 0))
	assert.Equal(t, 10, world.Live(s))
}

func TestLaunchMisuse(t *testing.T) {
	l := loop.Launcher{StartUp: []loop.StartUpStep{{Name: "utils"}}}
	worldtest.PanicsWith(t, func() { _, _ = l.Launch(world.State{}) }, "step 0 (utils) has no Run; set it")
}

// A stage that changes the list changes the next pass, not the one under way.
func TestStagesChangeWhileTheyRun(t *testing.T) {
	var j journal
	var l loop.Launcher
	l.Stages = []loop.Stage{
		{Name: "first", DrawGizmos: func(s world.State) world.State {
			j.write("first")
			l.Stages = l.Stages[:1]
			return s
		}},
		{Name: "second", DrawGizmos: j.system("second")},
	}
	l.DrawGizmos(world.State{})
	l.DrawGizmos(world.State{})
	assert.Equal(t, "first, second, first", j.read())
}

func TestStagesAllocateNothing(t *testing.T) {
	move := func(s world.State, _ float32) world.State { return world.MoveAll(s) }
	fly := func(s world.State, _, _ float32) world.State { return world.FlyAll(s) }
	l := loop.Launcher{Stages: []loop.Stage{
		{Name: "logic", Fixed: move, DrawGizmos: world.Update},
		{Name: "physics", Fixed: move, DrawGizmos: world.Update},
		{Name: "render", Update: fly, DrawGizmos: world.Update},
	}}
	s := flock(t)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		s = l.DrawGizmos(l.Update(l.FixedUpdate(s, 1), 1, 0))
	}))
}
