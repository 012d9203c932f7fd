package world_test

import (
	"bytes"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Commands that were recorded are in the snapshot, and those recorded later are not.
func TestRestoreBringsCommandsBack(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(10))}))
	s, id := world.Must2(world.Create(s))
	world.Record(s).Add(id, heroes.Position.Kind())
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	world.Record(s).Dispose(id)
	s = world.Must(world.Restore(s, p))
	s = world.Must(world.Apply(s))
	assert.True(t, world.Has(s, id, heroes.Position))
	s = world.Must(world.Restore(s, p))
	assert.False(t, world.Has(s, id, heroes.Position))
	s = world.Must(world.Apply(s))
	assert.True(t, world.Has(s, id, heroes.Position))
}

// An emptier world over a fuller one, and the other way round.
func TestRestoreEmptierAndFuller(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(1000), heroes.MaxVelocity.Count(1000),
	)}))
	empty := world.Must(world.NewSnapshot(s))
	require.NoError(t, empty.Take(s))
	none := bytes.Clone(world.Bytes(s))
	s, ids := worldtest.Create(s, 777)
	for _, id := range ids {
		s = world.Must(world.Add(s, id, heroes.Position))
		s = world.Must(world.Add(s, id, heroes.MaxVelocity))
	}
	full := world.Must(world.NewSnapshot(s))
	require.NoError(t, full.Take(s))
	all := bytes.Clone(world.Bytes(s))
	for range 2 {
		s = world.Must(world.Restore(s, empty))
		assert.True(t, bytes.Equal(none, world.Bytes(s)))
		var again []world.GameObject
		s, again = worldtest.Create(s, 777)
		assert.Equal(t, ids, again, "the same ids")
		s = world.Must(world.Restore(s, full))
		assert.True(t, bytes.Equal(all, world.Bytes(s)))
	}
}

// A recipe keeps whole blocks for its objects, of which the last may be empty.
func TestRebuildWithAnEmptySlab(t *testing.T) {
	r := world.NewRecipe("few in a slab", heroes.Position)
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(5000),
	), Recipes: []world.Recipe{r}}))
	s = world.Must(world.SpawnN(s, r, 21, nil))
	want := world.Digest(s)
	s = world.Must(tool.Rebuild(s))
	require.Equal(t, want, world.Digest(s))
	require.NoError(t, tool.Verify(s))
}
