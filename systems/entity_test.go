package systems

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
)

// entityWorld has room for fewer components than objects, in a packed kind and in others.
func entityWorld(t *testing.T) State {
	t.Helper()
	s := sure(CreateState(Counts{GameObjects: 100, Kinds: []layout.Count{
		kindA.Count(60),
		{Kind: kindB, Rows: 50, Packed: true},
		kindC.Count(100),
		markX.Count(0), markY.Count(0),
	}}))
	return s
}

func TestAllocEntity(t *testing.T) {
	s := entityWorld(t)
	s, id, _ := CreateWith(s, kindC)
	mask := mask.New(8)
	if n := testing.AllocsPerRun(50, func() {
		s, _ = addSome(s, id, kindA, kindB, markX)
		s, _, _ = Ensure(s, id, kindA)
		s, _, _ = Reset(s, id, kindB)
		_ = ArenaOf(s).Mask(&mask, id)
		s, _ = Remove(s, id, kindA, kindB, markX)
		s, id, _ = CreateWith(s, kindA, markY)
		s, _ = Dispose(s, id)
		s, id, _ = CreateWith(s, kindC)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

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
		s = changed(CreateComponent(s, Velocity.Kind()))
	}
	spawn(39)
	_, _, err := Spawn(s, r)
	require.ErrorIs(t, err, ErrFull)
	require.NoError(t, ArenaOf(s).Verify())
}
