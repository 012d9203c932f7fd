package order

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer"
)

// TestEqualEntriesStayInOneLeaf: an object that moves to another row may be listed twice for a
// while. Where a full leaf is split between the two, both are found and removed all the same.
func TestEqualEntriesStayInOneLeaf(t *testing.T) {
	for twice := range leafSize - 1 {
		var tree tree
		tree.carve(&buffer.Carver{Bytes: make([]byte, treeSize(leafSize))}, leafSize)
		tree.fill(nil, nil)
		for i := range uint32(leafSize - 1) {
			require.True(t, tree.insert(entry{7, i}))
		}
		e := entry{7, uint32(twice)}
		require.True(t, tree.insert(e))
		require.True(t, tree.insert(entry{8, 0}), "which splits the leaf")
		require.Equal(t, 2, tree.leaves)
		for left := range 2 {
			next, ok := tree.remove(e)
			require.True(t, ok, "%d", twice)
			if left == 0 {
				require.Equal(t, e, next)
			}
		}
		_, ok := tree.remove(e)
		require.False(t, ok)
	}
}
