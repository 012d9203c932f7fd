package world_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// named returns the objects of a name.
func named(s world.State, name string) []world.GameObject {
	return slices.Collect(world.Named(s, name))
}

func TestSeed_E1_EntitiesMayHaveAName(t *testing.T) {
	s := must(world.CreateState(world.Counts{GameObjects: 10, Names: 5}))
	s, bird := made(world.CreateNamed(s, "bird"))
	s, nobody := made(world.CreateGameObject(s))
	s, empty := made(world.CreateNamed(s, ""))

	assert.Equal(t, "bird", must(world.NameOf(s, bird)))
	_, err := world.NameOf(s, nobody)
	require.ErrorIs(t, err, world.ErrAbsent)
	assert.Empty(t, must(world.NameOf(s, empty)))
	assert.Equal(t, []world.GameObject{empty}, named(s, ""), "no name is not the empty name")
	assert.Equal(t, []world.GameObject{bird, empty},
		slices.Collect(world.NewQuery(world.With(world.NameKind)).Objects(s)), "who has a name")
	require.NoError(t, world.Verify(s))
}

func TestSeed_E1_NamesNeedNotBeUnique(t *testing.T) {
	s := must(world.CreateState(world.Counts{GameObjects: 10, Names: 10}))
	s, ids := create(s, 10)
	s = must(world.DisposeN(s, ids...))
	var pipes []world.GameObject
	for i := range uint32(5) { // indexes are used again, the last disposed first
		var id world.GameObject
		s, id = made(world.CreateNamed(s, "pipe"))
		pipes = append(pipes, id)
		require.Equal(t, 9-2*i, id.Index())
		s, _ = made(world.CreateNamed(s, "not a pipe"))
	}
	assert.Equal(t, pipes, named(s, "pipe"), "in creation order")
	assert.Len(t, named(s, "not a pipe"), 5)
	assert.Empty(t, named(s, "pip"))

	s = must(world.SetName(s, pipes[1], "tube"))
	s = must(world.DisposeGameObject(s, pipes[2]))
	assert.Equal(t, []world.GameObject{pipes[0], pipes[3], pipes[4]}, named(s, "pipe"))
	s = must(world.SetName(s, pipes[1], "pipe"))
	s, last := made(world.CreateNamed(s, "pipe"))
	order := []world.GameObject{pipes[0], pipes[1], pipes[3], pipes[4], last}
	assert.Equal(t, order, named(s, "pipe"), "renamed, and of a used index")
	s = must(world.Unname(s, pipes[0]))
	assert.Equal(t, order[1:], named(s, "pipe"))

	copied := must(world.Clone(s))
	assert.Equal(t, world.Bytes(s), world.Bytes(copied))
	assert.Equal(t, order[1:], named(copied, "pipe"))
	require.NoError(t, world.Verify(s))
}

func TestSeed_E1_FaultsOfNames(t *testing.T) {
	s := must(world.CreateState(world.Counts{GameObjects: 3, Names: 1}))
	s, bird := made(world.CreateNamed(s, "bird"))
	s, other := made(world.CreateGameObject(s))
	s, dead := made(world.CreateGameObject(s))
	s = must(world.DisposeGameObject(s, dead))
	before := slices.Clone(world.Bytes(s))
	for _, c := range []struct {
		name string
		id   world.GameObject
		err  error
		text string
	}{
		{strings.Repeat("a", 64), bird, world.ErrName, "at most 63 bytes"},
		{"a\xffb", bird, world.ErrName, "UTF-8"},
		{"b", other, world.ErrFull, "raise Counts.Names"},
		{"b", dead, world.ErrDead, "game object 2"},
	} {
		refused, err := world.SetName(s, c.id, c.name)
		require.ErrorIs(t, err, c.err)
		require.ErrorContains(t, err, c.text)
		assert.Equal(t, before, world.Bytes(refused))
		s = refused
	}
	assert.Equal(t, []world.GameObject{bird}, named(s, "bird"))
}
