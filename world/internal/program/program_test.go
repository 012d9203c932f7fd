//go:build !ecsrelease

package program_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/program"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/schedule"
)

// forgetful takes a step and returns the State that it was given.
//
//flatecs:allow dropped this is the mistake that is looked for
//flatecs:allow usedup this is the mistake that is looked for
func forgetful(s world.State) world.State {
	world.Advance(s)
	return s
}

func TestKept(t *testing.T) {
	made := func() world.State {
		return world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	}
	s := made()
	next := world.Advance(s)
	assert.Equal(t, next, program.Kept(s, next, "job ", "fall"))
	other := made() // as Resized returns
	assert.Equal(t, other, program.Kept(next, other, "job ", "fall"))
	assert.PanicsWithValue(t,
		"job fall returned the zero State; return the one that its last call returned",
		func() { program.Kept(next, world.State{}, "job ", "fall") })
	assert.PanicsWithValue(t, "job fall returned another State than its last call: "+
		"this State is stale: an earlier call invalidated it; write state = world.F(state, …)",
		func() { program.Kept(s, s, "job ", "fall") })
	world.Close(next)
	worldtest.PanicsWith(t, func() { program.Kept(other, next, "job ", "fall") }, "closed")
}

func TestFunctionsThatLoseAStateAreNamed(t *testing.T) {
	made := func() world.State {
		return world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	}
	worldtest.PanicsWith(t, func() { heroes.Loop(made(), 2, forgetful) }, "Loop", "stale")
	plan := schedule.New(1)
	defer plan.Close()
	require.NoError(t, plan.Register(schedule.Pipeline{
		Name: "frame", Groups: []schedule.Group{{Name: "all", Elements: []string{"forget"}}},
		Jobs: []schedule.Job{{
			Name: "forget",
			Do:   func(s world.State) (world.State, error) { return forgetful(s), nil },
		}},
	}))
	worldtest.PanicsWith(t, func() { _, _ = plan.Run(made(), "frame") }, "job forget", "stale")
}
