package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// shadowed is the mistake that docs/GUIDE.md warns of.
//
//flatecs:allow usedup this is the mistake that the GUIDE shows
func shadowed(state world.State, bullet world.GameObject) (_ world.State, err error) {
	if state, err := world.Dispose(state, bullet); err != nil { // wrong: a second state
		return state, err
	}
	state, err = world.Apply(state) // panics: this State is stale: an earlier call invalidated it
	return state, err
}

func TestAShadowedStateIsUsedUp(t *testing.T) {
	if !worldtest.StatesChecked {
		return // -tags ecsrelease
	}
	state, bullet, err := world.Create(
		world.Must(world.CreateState(world.Counts{GameObjects: 1})))
	require.NoError(t, err)
	require.PanicsWithValue(t, usedUpState, func() { _, _ = shadowed(state, bullet) })
}
