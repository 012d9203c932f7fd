package systems

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	aimsAt   = layout.NewRelation("aimsAt", layout.Relation{Disposed: layout.Clear})
	hangsOn  = layout.NewRelation("hangsOn", layout.Relation{Disposed: layout.Cascade})
	standsOn = layout.NewRelation("standsOn", layout.Relation{Disposed: layout.Refuse})
)

// TestMessagesOfRelations: fields named like their kind are named once, and who refuses is counted.
func TestMessagesOfRelations(t *testing.T) {
	require.Equal(t, "childOf", childOf.Spec().String())
	s := sure(CreateState(Counts{
		GameObjects: 10, Recipes: []Recipe{related},
		Kinds: layout.Kinds(childOf, looksAt, carried, kindA),
	}))
	ids := make([]GameObject, 5)
	for i := range ids {
		s, ids[i], _ = Spawn(s, related)
		if i > 1 {
			s = sure(Set(s, ids[i], carried, ids[1]))
		}
	}
	s = sure(Set(s, ids[1], childOf, ids[0]))
	s, err := Dispose(s, ids[1], ids[3])
	require.ErrorContains(t, err, "object 1 is not disposed: 2 refer to 1 by carried, the first is 2: ")
	s, err = Dispose(s, ids[0])
	require.ErrorContains(t, err, "1 goes with it, and 3 refer to 1 by carried, the first is 2: ")
	for b := range NewQuery(With(childOf)).ChildrenOf(s, childOf, ids[0]) {
		mustPanic(t, "fieldA of parents is asked for in a walk that knows no parents; "+
			"walk by Down, Up or AtDepth", func() { Parents(b, fieldA) })
	}
	Close(s)
}

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
	require.Equal(t, 5, Len(s))
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
	require.NoError(t, ToolsOf(s).Verify(), "it may still be created")
	counts.GameObjects = 10
	larger := sure(Resized(s, counts))
	Close(s)
	s = larger
	require.NoError(t, ToolsOf(s).Verify())
	Put(Record(s), parent, childOf, child)
	s, err = Apply(s)
	require.ErrorIs(t, err, ErrRing)
	made := sure(Applied(s, parent))
	require.Equal(t, made, sure(Get(s, child, childOf)))
	require.Equal(t, []GameObject{child}, slices.Collect(Children(s, childOf, made)))
	require.Zero(t, sure(Get(s, made, childOf)))
	Close(s)
}
