package systems

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A ring of recorded creations is refused where it closes.
func TestRingsOfCreations(t *testing.T) {
	s := sure(CreateState(Counts{
		GameObjects: 9, Recipes: []Recipe{node}, Kinds: layout.Kinds(childOf, local, global, burden),
	}))
	first := Record(s).Spawn(node)
	for n := GameObject(1); n < 4; n++ {
		Record(s).Spawn(node, childOf.Value(first+n%3+1)) // 1 → 2 → 3 → 1
	}
	Record(s).Spawn(node)
	s, err := Apply(s)
	refused := new(CommandError)
	require.ErrorAs(t, err, &refused)
	require.ErrorIs(t, refused, ErrRing)
	require.Equal(t, 3, refused.Number)
	require.Equal(t, 5, Live(s))
	Close(s)
}

func TestRingsOfKeptCreations(t *testing.T) {
	counts := Counts{
		GameObjects: 1, Recipes: []Recipe{node},
		Kinds: layout.Kinds(childOf, local, global, burden),
	}
	s := sure(CreateState(counts))
	s, child := made(Spawn(s, node))
	parent := Record(s).Spawn(node)
	Put(Record(s), child, childOf, parent)
	s, err := ApplyKeeping(s)
	require.ErrorIs(t, err, ErrTooMany)
	require.True(t, sure(Get(s, child, childOf)).Recorded())
	require.NoError(t, ArenaOf(s).Verify(), "it may still be created")
	counts.GameObjects = 10
	larger := sure(Resized(s, counts))
	Close(s)
	s = larger
	require.NoError(t, ArenaOf(s).Verify())
	Put(Record(s), parent, childOf, child)
	s, err = Apply(s)
	require.ErrorIs(t, err, ErrRing)
	made := sure(Applied(s, parent))
	require.Equal(t, made, sure(Get(s, child, childOf)))
	require.Equal(t, []GameObject{child}, slices.Collect(Children(s, childOf, made)))
	require.Zero(t, sure(Get(s, made, childOf)))
	Close(s)
}
