package stage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

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
	steps := []string{"utils", "resources", "manager", "worlds", "globals", "ready"}
	for n, name := range steps {
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
