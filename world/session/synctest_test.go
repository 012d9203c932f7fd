package session_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/session"
)

func TestSyncTestOfAGoodStep(t *testing.T) {
	state, alone := arena(t, 8), arena(t, 8)
	again := 0
	test, err := session.NewSyncTest(state, 6, 2, func(s world.State, inputs []byte) world.State {
		if history.Resimulating(s) {
			again++
		}
		return push(s, inputs)
	})
	require.NoError(t, err)
	for frame := range 50 {
		inputs := []byte{byte(frame * 7), byte(frame * 31)}
		state = world.Must(test.Advance(state, inputs))
		alone = push(alone, inputs)
		require.Equal(t, world.Digest(alone), world.Digest(state))
		require.False(t, history.Resimulating(state))
	}
	assert.Equal(t, 1+2+3+4+5+45*6, again)
}

func TestSyncTestFindsWhatAStepHides(t *testing.T) {
	state := arena(t, 8)
	calls := 0 // what a step must not depend on
	test, err := session.NewSyncTest(state, 4, 1, func(s world.State, inputs []byte) world.State {
		if calls++; world.Tick(s) == 10 {
			s = world.SetRow(s, speed, 3, [2]float32{float32(calls), 0})
		}
		return push(s, inputs)
	})
	require.NoError(t, err)
	for frame := 0; err == nil; frame++ {
		require.Less(t, frame, 20)
		state, err = test.Advance(state, []byte{3})
	}
	var desync *session.DesyncError
	require.ErrorAs(t, err, &desync)
	assert.Equal(t, 10, desync.Frame)
	assert.Equal(t, -1, desync.Player)
	assert.Equal(t, uint32(3), desync.Difference.Object.Index())
	assert.Equal(t, "push speed", desync.Difference.Field)
	require.ErrorContains(t, err, "see that it depends on the world's bytes and the input alone")
	before := world.Digest(state)
	state, err = test.Advance(state, []byte{3})
	require.ErrorIs(t, err, desync)
	assert.Equal(t, before, world.Digest(state))
}
