package usedup

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

func TestRequired(t *testing.T) {
	state, err := world.CreateState(world.Counts{})
	require.NoError(t, err)
	next, err := world.SetName(state, 0, "Bob")
	require.NoError(t, err)
	_ = next
	rise(state) // want `state was invalidated by world.SetName on line 14`
}

func TestRefused(t *testing.T) {
	state, err := world.CreateState(world.Counts{})
	require.NoError(t, err)
	_, err = world.SetName(state, 0, "Bob")
	require.Error(t, err)
	state, _ = world.SetName(state, 0, "Bob")
	_, _ = world.SetName(state, 0, "Bob")
	rise(state)
}
