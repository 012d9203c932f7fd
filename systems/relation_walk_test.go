package systems

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// Objects that came after a restored state refer to nobody, whoever had their indexes before.
func TestDownAfterRestore(t *testing.T) {
	s := sure(CreateState(Counts{
		GameObjects: 1024, Recipes: []Recipe{node, rootless},
		Kinds: layout.Kinds(childOf, local, global, burden),
	}))
	defer func() { Close(s) }()
	empty := sure(NewSnapshot(s))
	defer empty.Close()
	require.NoError(t, empty.Take(s))
	var ids []GameObject
	visit := func() (n int) {
		for b := range posing.Down(s, childOf) {
			n += b.Len()
		}
		return n
	}
	for range 200 {
		var id GameObject
		s, id, _ = Spawn(s, node)
		if ids = append(ids, id); len(ids) > 1 {
			s = sure(Set(s, id, childOf, ids[0]))
		}
	}
	require.Equal(t, 200, visit())
	s = sure(Restore(s, empty))
	require.Zero(t, visit())
	for range 200 {
		s, _, _ = Spawn(s, rootless)
	}
	require.Equal(t, 200, visit())
}

// TestParentsAreUpdatedInWalksByDepth: downwards and of one depth as upwards, and in no other walk.
func TestParentsAreUpdatedInWalksByDepth(t *testing.T) {
	s, ids := forest(t, 9, 2000)
	count := func(b Batch) { UpdateParents(b, burden, func(_ int, parent *uint32) { *parent++ }) }
	for b := range summed.Down(s, childOf) {
		count(b)
	}
	for depth := range Depth(s, childOf) {
		for b := range summed.AtDepth(s, childOf, depth) {
			count(b)
		}
	}
	for _, id := range ids {
		require.Equal(t, 2*ChildCount(s, childOf, id), int(sure(Get(s, id, burden))))
	}
	for b := range summed.In(s) {
		mustPanic(t, "walk by Down or Up", func() { count(b) })
	}
	for b := range summed.ChildrenOf(s, childOf, parentOf(s, ids[500])) {
		mustPanic(t, "walk by Down or Up", func() { count(b) })
	}
	Close(s)
}
