package systems

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
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
	s, err := DisposeGameObject(s, ids[1], ids[3])
	require.ErrorContains(t, err, "object 1 is not disposed: 2 refer to 1 by carried, the first is 2: ")
	s, err = DisposeGameObject(s, ids[0])
	require.ErrorContains(t, err, "1 goes with it, and 3 refer to 1 by carried, the first is 2: ")
	for b := range NewQuery(With(childOf)).ChildrenOf(s, childOf, ids[0]) {
		mustPanic(t, "fieldA of parents is asked for in a walk that knows no parents; "+
			"walk by Down, Up or AtDepth", func() { Parents(b, fieldA) })
	}
	Close(s)
}
