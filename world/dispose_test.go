package world_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// Disposing an object disposes all that it has, whatever kinds those are, and nothing of others.
func TestDisposeTakesAllKindsOfOneObject(t *testing.T) {
	const many = 130 // three words of kinds per block
	kinds := make([]layout.Kind, many)
	counts := world.Counts{GameObjects: 3, Kinds: layout.Kinds(
		heroes.Position.Count(3), heroes.Velocity.Count(3), heroes.MaxVelocity.Count(3), heroes.Instance.Count(3),
	)}
	for i := range kinds {
		if kinds[i] = layout.NewKind(fmt.Sprint("kind ", i)); i%5 == 0 {
			kinds[i] = layout.NewMark(fmt.Sprint("mark ", i))
		}
		counts.Kinds = append(counts.Kinds, kinds[i].Count(3*min(i%5, 1)))
	}
	kinds = append(kinds, heroes.Position.Kind(), heroes.Velocity.Kind(), heroes.MaxVelocity.Kind(), heroes.Instance)
	s := world.Must(world.CreateState(counts))
	s, ids := worldtest.Create(s, 3)
	for _, k := range kinds {
		for _, id := range ids {
			s = world.Must(world.Add(s, id, k))
		}
	}
	assert.Len(t, world.Must(tool.KindsOf(s, ids[1])), len(kinds))

	s = world.Must(world.DisposeGameObject(s, ids[1]))
	for _, k := range kinds {
		require.Equal(t, 2, tool.Mounted(s, k), "%s is gone with the object", k)
		require.False(t, world.Has(s, ids[1], k), k)
		require.True(t, world.Has(s, ids[0], k), "others keep %s", k)
		require.True(t, world.Has(s, ids[2], k), "others keep %s", k)
	}
	s, next := worldtest.Create(s, 1)
	assert.Equal(t, ids[1].Index(), next[0].Index())
	assert.Empty(t, world.Must(tool.KindsOf(s, next[0])), "the next owner of the index has nothing")
	assert.Equal(t, ids[1].Generation()+1, next[0].Generation())
	world.Close(s)
}
