package systems

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A copied tree goes with its first object, though only depths were asked for since.
func TestCopiedTreesGoTogether(t *testing.T) {
	s := closedLater(t, sure(CreateState(Counts{GameObjects: 9, Kinds: layout.Kinds(childOf)})))
	s, parent := made(CreateWith(s))
	s, child := made(CreateWith(s, childOf))
	s = sure(Set(s, child, childOf, parent))
	require.Equal(t, 1, ChildCount(s, childOf, parent))
	s, twin := made(CopyTree(s, childOf, parent))
	require.Equal(t, 2, Depth(s, childOf))
	s = sure(Dispose(s, twin))
	require.Equal(t, []GameObject{parent, child}, slices.Collect(GameObjects(s)))
}

// Whoever refers to a creation that was kept does so before it is disposed.
func TestKeptCreationsAreDisposed(t *testing.T) {
	for relation, stay := range map[layout.Field[GameObject]]int{aimsAt: 1, hangsOn: 0, standsOn: 2} {
		counts := Counts{GameObjects: 1, Kinds: layout.Kinds(relation)}
		small := sure(CreateState(counts))
		small, id := made(CreateWith(small, relation))
		target := Record(small).Create()
		Put(Record(small), id, relation, target)
		small, err := ApplyKeeping(small)
		require.ErrorIs(t, err, ErrTooMany)
		counts.GameObjects = 2
		s := closedLater(t, sure(Resized(small, counts)))
		Close(small)
		Record(s).Dispose(target)
		s, err = Apply(s)
		require.Equal(t, relation == standsOn, err != nil)
		require.Equal(t, stay, Len(s), relation)
		require.Zero(t, Dangling(s))
	}
}
