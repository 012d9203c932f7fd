package world_test

import (
	"bytes"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// namesOf returns the values of a busy world, which are not in its bytes.
func namesOf(s world.State, ids []world.GameObject) (names []string) {
	for _, id := range ids {
		if name, err := world.ValueOf(s, id, busyNames); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// The same bytes and arguments give the same bytes: f(Clone(s)) equals f(s), and a clone is a copy.
func TestSystemsAreFunctions(t *testing.T) {
	s, ids := busyWorld()
	for _, o := range operations(ids) {
		t.Run(o.name, func(t *testing.T) {
			bytesBefore, namesBefore := bytes.Clone(world.Bytes(s)), namesOf(s, ids)
			copied := world.Must(world.Clone(s))
			require.NotEqual(t, address(world.Bytes(s)), address(world.Bytes(copied)))
			require.True(t, bytes.Equal(bytesBefore, world.Bytes(copied)), "a copy")
			require.Equal(t, namesBefore, namesOf(copied, ids), "a copy")

			copied = o.run(copied)
			assert.True(t, bytes.Equal(bytesBefore, world.Bytes(s)), "the original stays byte for byte")
			assert.Equal(t, namesBefore, namesOf(s, ids), "the original stays")
			s = o.run(s)
			assert.True(t, bytes.Equal(world.Bytes(copied), world.Bytes(s)), "f(Clone(s)) is f(s)")
			assert.Equal(t, namesOf(copied, ids), namesOf(s, ids))
			world.Close(copied)
		})
	}
}

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
