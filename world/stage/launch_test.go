package stage_test

import (
	"errors"
	"testing"
	"time"

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

// documentB returns the document's launcher: its steps of start-up and its three worlds.
func documentB(j *journal) *stage.Launcher {
	l := &stage.Launcher{}
	worlds := j.startUp("worlds", 0)
	worlds.Run = func(s world.State) (world.State, error) {
		j.write("worlds")
		l.Stages = []stage.Stage{
			{Name: "logic", Fixed: j.fixed("logic"), DrawGizmos: j.system("logic gizmos")},
			{Name: "physics", Fixed: j.fixed("physics"), DrawGizmos: j.system("physics gizmos")},
			{Name: "render", Update: j.update("render"), DrawGizmos: j.system("render gizmos")},
		}
		return s, nil
	}
	l.StartUp = []stage.StartUpStep{
		j.startUp("utils", 0), j.startUp("resources", 0), j.startUp("manager", 0), worlds,
		j.startUp("globals", 0), j.startUp("ready", 0),
	}
	return l
}

// Nothing runs before start-up is done.
func TestSeed_B4_SeveralWorldsOverOneState(t *testing.T) {
	var j journal
	l := documentB(&j)
	timed := stage.Timed{Step: quarter, Fixed: l.FixedUpdate, Update: l.Update}
	timed.Start()
	s := flock(t)
	for n, name := range []string{"utils", "resources", "manager", "worlds", "globals", "ready"} {
		assert.False(t, l.Ready())
		s = l.DrawGizmos(timed.Frame(s, time.Duration(n)*time.Second))
		require.Empty(t, j.read(), "before step %d", n)
		s = world.Must(l.LaunchNext(s))
		require.Equal(t, name, j.read())
	}
	s = timed.Frame(s, 5*time.Second+quarter)
	assert.Equal(t, "logic 0.25, physics 0.25, render 0.25 0", j.read())
	s = l.DrawGizmos(s)
	assert.Equal(t, "logic gizmos, physics gizmos, render gizmos", j.read())
	assert.Equal(t, 10, world.Len(s))
}

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
