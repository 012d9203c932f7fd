package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// A worker steps a world of its own and leaves each result in a snapshot; the main side goes on
// with the world that it shows, and takes the result over at a sync point.
func TestSeed_D21_AWorkerWritesAResultBuffer(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(100), heroes.Velocity.Count(100),
	)}))
	s, ids := worldtest.Create(s, 100)
	for _, id := range ids {
		s = world.Must(world.Add(s, id, heroes.Position))
		s = world.Must(world.Add(s, id, heroes.Velocity))
	}
	results := [2]*world.Snapshot{world.Must(world.NewSnapshot(s)), world.Must(world.NewSnapshot(s))}
	free, done := make(chan *world.Snapshot, 2), make(chan *world.Snapshot, 2)
	free <- results[0]
	free <- results[1]
	const steps = 50
	go func(own world.State) {
		defer close(done)
		for range steps {
			own = heroes.MoveAll(own)
			result := <-free
			if result.Take(own) != nil {
				return
			}
			done <- result
		}
	}(world.Must(world.Clone(s)))

	synced := 0
	for result := range done {
		before := world.Digest(s)
		assert.Equal(t, before, world.Digest(s), "the main side is in nobody's way")
		s = world.Must(world.Restore(s, result))
		assert.NotEqual(t, before, world.Digest(s))
		synced++
		free <- result
	}
	require.Equal(t, steps, synced)
	position, err := world.Get(s, ids[7], heroes.Position)
	require.NoError(t, err)
	assert.InDelta(t, steps, position[0], 0, "moved %d times by 1", steps)
}
