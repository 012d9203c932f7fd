package systems

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// TestSpawnWhereRowsMoved spawns in a block whose rows are elsewhere than at the spawn before:
// tidied, set back to bytes from before there was a slab, and taken by somebody else.
func TestSpawnWhereRowsMoved(t *testing.T) {
	r := NewRecipe("mover", Position, Velocity)
	s := sure(CreateState(Counts{Kinds: layout.Kinds(
		Position.Count(192), Velocity.Count(192),
	), Recipes: []Recipe{r}}))
	empty := slices.Clone(Bytes(s))
	spawn := func(n int) (ids []GameObject) {
		for range n {
			var id GameObject
			s, id = made(Spawn(s, r))
			ids = append(ids, id)
		}
		require.NoError(t, ArenaOf(s).Verify())
		return ids
	}
	ids := spawn(40)
	for _, id := range ids[3:30] {
		s = sure(Remove(s, id, Velocity.Kind()))
	}
	s = sure(Tidy(s))
	spawn(20)

	copy(Bytes(s), empty)
	spawn(3)
	for range 150 { // more rows than no slab keeps
		s = changed(Create(s, Velocity.Kind()))
	}
	spawn(39)
	_, _, err := Spawn(s, r)
	require.ErrorIs(t, err, ErrFull)
	require.NoError(t, ArenaOf(s).Verify())
}
