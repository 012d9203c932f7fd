package arena

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// The second tank of a duel finds one that drives ahead, and breaks it: to the bit on every machine,
// and in several goroutines.
func TestDigestsOfADuel(t *testing.T) {
	duel, first := NewDuel(), world.Must(world.CreateState(Counts(2, 7)))
	worlds := []world.State{first, world.Must(world.Clone(first))}
	var group sync.WaitGroup
	for i := range worlds {
		group.Go(func() {
			s := duel.Begin(worlds[i])
			for range 1_200 {
				s = duel.Step(s, Forward)
			}
			worlds[i] = s
		})
	}
	group.Wait()
	require.True(t, world.Equal(worlds[0], worlds[1]))
	require.Equal(t, uint64(0xc1dca94c52ca8ef7), world.Digest(worlds[0]))
	ahead, scripted := duel.Look(worlds[0])
	require.Positive(t, scripted.Score[scripted.Side])
	require.Zero(t, scripted.Score[ahead.Side])
}
