package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheSearchBeatsTheScript(t *testing.T) {
	for player := range 2 {
		ticks, score, err := Duel(player, 200, 300)
		require.NoError(t, err)
		assert.Positive(t, score, "as tank %d", player)
		assert.Less(t, ticks, 300, "as tank %d a tank is broken", player)
		again, _, err := Duel(player, 200, 300)
		require.NoError(t, err)
		assert.Equal(t, ticks, again, "the same again")
	}
}
