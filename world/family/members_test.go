package family_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

// TestSpawnedTreesAllocateNothing: where dst has room, or Spawn, which has room for 64 members.
func TestSpawnedTreesAllocateNothing(t *testing.T) {
	room := counts(5000)
	room.Kinds = layout.Kinds(family.ChildOf, local, global, aim)
	s := world.Must(world.CreateState(room))
	defer func() { world.Close(s) }()
	c := world.Record(s)
	for range 100 {
		c.SpawnTree(family.ChildOf, tank)
	}
	s, err := world.Apply(s) // there is room for commands now
	require.NoError(t, err)
	ids := make([]world.GameObject, 0, 100)
	assert.Zero(t, testing.AllocsPerRun(9, func() {
		s, ids, _ = family.SpawnTree(ids[:0], s, family.ChildOf, tank, local.Value(vec2{X: 7}))
		s, _, _ = family.Spawn(s, tank, local.Value(vec2{X: 7}))
		world.Record(s).SpawnTree(family.ChildOf, tank, local.Value(vec2{X: 7}))
		s, err = world.Apply(s)
	}))
	require.NoError(t, err)
	assert.Len(t, ids, 4)
}
