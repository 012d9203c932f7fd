package manager

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// TestSlabsOfOtherRecipesAreEquipped: in bytes of a program whose recipe had fewer kinds, a bit per
// kind spawns no object before its slab has the rows.
func TestSlabsOfOtherRecipesAreEquipped(t *testing.T) {
	sizes := Sizes{Objects: 128, Pools: 1}
	for i := range 2 {
		k := layout.NewComponent[uint32](fmt.Sprint("equipped", i))
		sizes.Kinds = append(sizes.Kinds, layout.Count{Kind: k.Kind(), Rows: 128, ByBlock: true})
	}
	before, after := sure(NewArena(sizes)), sure(NewArena(sizes))
	require.True(t, before.Describe(1, []*Manager{&before.Managers[0]}))
	require.True(t, after.Describe(1, []*Manager{&after.Managers[0], &after.Managers[1]}))
	before.Ready(before.Objects.Reserve(1, 64), 64)
	_, ok := SpawnReady(before, 1)
	require.True(t, ok)
	larger := sizes
	larger.Objects = 192
	a := sure(NewArena(larger))
	a.Describe(1, []*Manager{&a.Managers[1]})
	require.NoError(t, a.Adopt(before, []uint16{1}, func(*layout.KindSpec) bool { return false }))
	_, ok = SpawnReady(a, 1)
	require.True(t, ok)

	copy(after.Bytes, before.Bytes)
	require.NoError(t, after.Rebuild())
	for _, a := range []*Arena{after, sure(after.Clone((*Arena).Alike))} {
		_, ok = SpawnReady(a, 1)
		require.False(t, ok)
	}
	after.Equip()
	id, ok := SpawnReady(after, 1)
	require.True(t, ok)
	require.True(t, after.Managers[1].Has(id.Index()))
	require.NoError(t, after.Verify())

	*after.Tick = 9
	_, ok = SpawnReady(after, 1)
	require.True(t, ok)
	copy(before.Bytes, after.Bytes)
	require.NoError(t, before.Rebuild())
	for _, a := range []*Arena{before, sure(before.Clone((*Arena).Alike))} {
		require.EqualValues(t, 7, a.Managers[1].Changed(0, 7, 8), "though no recipe has it now")
	}
}
