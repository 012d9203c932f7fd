package stage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
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

func TestSeed_B4_SeveralWorldsOverOneState(t *testing.T) {
	var j journal
	l := documentB(&j)
	s := world.Must(l.Launch(breeze(t)))
	assert.Equal(t, "utils, resources, manager, worlds, globals, ready", j.read(), "steps 0…5")

	s = l.FixedUpdate(s, 0.02)
	assert.Equal(t, "logic 0.02, physics 0.02", j.read())
	s = l.Update(s, 0.016, 0.5)
	assert.Equal(t, "render 0.016 0.5", j.read())
	s = l.DrawGizmos(s)
	assert.Equal(t, "logic gizmos, physics gizmos, render gizmos", j.read())
	assert.Equal(t, 10, world.Len(s))
}

func TestSeed_B4_NothingRunsBeforeStartUpIsDone(t *testing.T) {
	var j journal
	l := documentB(&j)
	timed := stage.Timed{Step: quarter, Fixed: l.FixedUpdate, Update: l.Update}
	timed.Start()
	s := breeze(t)
	steps := []string{"utils", "resources", "manager", "worlds", "globals", "ready"}
	for n, name := range steps {
		assert.False(t, l.Ready())
		s = l.DrawGizmos(timed.Frame(s, time.Duration(n)*time.Second))
		require.Empty(t, j.read(), "before step %d", n)
		s = world.Must(l.LaunchNext(s))
		require.Equal(t, name, j.read())
	}
	timed.Frame(s, 5*time.Second+quarter)
	assert.Equal(t, "logic 0.25, physics 0.25, render 0.25 0", j.read())
}

func TestSeed_B4_AStepThatFails(t *testing.T) {
	names := []string{"utils", "resources", "manager", "worlds", "globals", "ready"}
	for n, name := range names {
		var j journal
		l := documentB(&j)
		l.StartUp[n] = j.startUp(name, 1)
		s, err := l.Launch(breeze(t))
		require.ErrorIs(t, err, errNoDisk)
		require.ErrorContains(t, err, name)
		assert.Len(t, j, n+1, "later steps do not run")
		j.read()
		l.DrawGizmos(l.Update(l.FixedUpdate(s, 1), 1, 0))
		assert.Empty(t, j.read(), "and no world does")
	}
}

// A start-up step may make the state, and what a world does is done to all of them.
func TestSeed_B4_OneState(t *testing.T) {
	var hero layout.Row
	l := stage.Launcher{
		StartUp: []stage.StartUpStep{{Name: "manager", Run: func(world.State) (world.State, error) {
			s, err := world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(1))})
			if err != nil {
				return s, err
			}
			s, hero, err = world.CreateComponent(s, heroes.Position)
			return s, err
		}}},
		Stages: []stage.Stage{
			{Name: "logic", Fixed: func(s world.State, dt float32) world.State {
				at := world.GetRow(s, heroes.Position, hero)
				return world.SetRow(s, heroes.Position, hero, [3]float32{at[0] + dt})
			}},
			{Name: "render", Update: func(s world.State, _, alpha float32) world.State {
				at := world.GetRow(s, heroes.Position, hero)
				return world.SetRow(s, heroes.Position, hero, [3]float32{at[0], alpha})
			}},
		},
	}
	s := world.Must(l.Launch(world.State{}))
	defer func() { world.Close(s) }()
	s = l.Update(l.FixedUpdate(l.FixedUpdate(s, 0.25), 0.25), 1, 0.75)
	assert.Equal(t, [3]float32{0.5, 0.75, 0}, world.GetRow(s, heroes.Position, hero))
}
