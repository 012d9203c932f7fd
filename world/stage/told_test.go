package stage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/stage"
)

// What a loop is told from within a step or an update.
func TestTimedIsToldFromWithin(t *testing.T) {
	const all = "step 0.25, step 0.25, step 0.25, update 0.75 0.5"
	const one = "step 0.25, update 0.25 0.5"
	for _, c := range []struct{ in, tell, want, next string }{
		{"step", startNow, all, "step 0.25, update 0.125 0"},
		{"step", pauseNow, one, ""},
		{"step", stopNow, "step 0.25", ""},
		{"step", onceNow, one, one},
		{"step", pauseNow + startNow, one, "update 0 0.5"},
		{"step", stopNow + startNow, "step 0.25", "update 0 0"},
		{"update", pauseNow, all, ""},
		{"update", stopNow, all, ""},
		{"update", onceNow, all, one},
	} {
		t.Run(c.tell+" in "+c.in, func(t *testing.T) {
			var j journal
			var l *stage.Timed
			told := c.tell
			say := func(in string) {
				if in == c.in {
					tell(l, told)
					told = "" // once
				}
			}
			l = &stage.Timed{Step: quarter, Fixed: func(s world.State, dt float32) world.State {
				j.write("step", dt)
				say("step")
				return s
			}}
			l.Start()
			l.Frame(world.State{}, 0)
			l.Frame(world.State{}, 125*ms)
			l.Update = func(s world.State, dt, alpha float32) world.State {
				j.write("update", dt, alpha)
				say("update")
				return s
			}
			l.Frame(world.State{}, 875*ms)
			assert.Equal(t, c.want, j.read())
			l.Frame(world.State{}, 1000*ms)
			assert.Equal(t, c.next, j.read())
		})
	}
}

func TestTimedMisuse(t *testing.T) {
	fixed := func(s world.State, _ float32) world.State { return s }
	for _, c := range []struct {
		name string
		loop *stage.Timed
		want string
	}{
		{"negative step", &stage.Timed{Step: -1}, "Step or MaxSteps is negative"},
		{"negative cap", &stage.Timed{Step: 1, MaxSteps: -1}, "Step or MaxSteps is negative"},
		{"no step", &stage.Timed{Fixed: fixed}, "Fixed without a Step; set Step"},
	} {
		t.Run(c.name, func(t *testing.T) {
			worldtest.PanicsWith(t, func() { c.loop.Frame(world.State{}, 0) }, c.want)
		})
	}
}

// flock returns a world of ten objects that fly.
func flock(t *testing.T) world.State {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(10), heroes.Velocity.Count(10), heroes.MaxVelocity.Count(10),
	)}))
	t.Cleanup(func() { systems.Discard(s) })
	for range 10 {
		s, _ = world.Must2(world.CreateWith(s, heroes.Position, heroes.Velocity, heroes.MaxVelocity))
	}
	return s
}

// TestTimedAllocatesNothing: nor do the stages that it runs.
func TestTimedAllocatesNothing(t *testing.T) {
	s := flock(t)
	move := func(s world.State, _ float32) world.State { return heroes.MoveAll(s) }
	stages := stage.Launcher{Stages: []stage.Stage{
		{Fixed: move, DrawGizmos: heroes.Update},
		{Fixed: move, DrawGizmos: heroes.Update},
		{Update: func(s world.State, _, _ float32) world.State { return heroes.FlyAll(s) }},
	}}
	l := stage.Timed{Step: quarter, Fixed: stages.FixedUpdate, Update: stages.Update}
	l.Start()
	now := time.Duration(0)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		now += 600 * ms
		s = l.Frame(s, now)
		l.Pause()
		l.StepOnce()
		s = stages.DrawGizmos(l.Frame(s, now))
		l.Start()
	}))
}
