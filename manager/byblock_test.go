package manager

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// readyKinds have one column of each size that is reset without a call.
var readyKinds = []layout.Kind{
	layout.NewComponent("ready4", uint32(4)).Kind(), layout.NewComponent("ready8", uint64(8)).Kind(),
	layout.NewComponent("ready12", [3]uint32{1, 2}).Kind(), layout.NewComponent("ready16", [2]uint64{1, 6}).Kind(),
}

// TestObjectsThatAreReady: objects of a recipe come and go in place, in a world of which another is
// a copy at times. Their ids are new ones, and their values the defaults.
func TestObjectsThatAreReady(t *testing.T) {
	const objects = 4000 // more bytes than are copied as a whole
	sizes := Sizes{Objects: objects, Pools: 1}
	for _, k := range readyKinds {
		sizes.Kinds = append(sizes.Kinds, layout.Count{Kind: k, Rows: objects, ByBlock: true})
	}
	a := sure(NewArena(sizes))
	var managers []*Manager
	for i := range a.Managers {
		managers = append(managers, &a.Managers[i])
	}
	require.True(t, a.Describe(1, managers))
	twin, since := sure(a.Clone((*Arena).Alike)), uint64(0)
	a.Ready(a.Objects.Reserve(1, 128), 128)
	r, live, were := rand.New(rand.NewPCG(3, 4)), []gameobject.ID{}, map[gameobject.ID]bool{}
	var bare []uint32
	for step := range 8000 {
		n := len(live)
		switch full := step/500%2 == 0; {
		case r.IntN(3) == 0 && n > 0: // a value
			m := managers[r.IntN(4)]
			row, _ := m.RowOf(live[r.IntN(n)].Index())
			m.Columns[0].Bytes[int(row)*m.Columns[0].Stride]++
			m.TouchRow(uint32(row))
		case r.IntN(20) == 0: // one that has no kind, as a copy of one has at first
			if id, ok := a.Objects.Take(1); ok {
				bare = append(bare, id.Index())
			}
		case r.IntN(20) == 0 && len(bare) > 0:
			a.Dispose(bare[0])
			bare = bare[1:]
		case full == (r.IntN(8) != 0):
			id, ok := SpawnReady(a, 1)
			if require.Equal(t, n+len(bare) < 128, ok); !ok {
				continue
			}
			require.False(t, were[id], "%v is given twice", id)
			live, were[id] = append(live, id), true
			for _, m := range managers {
				row, has := m.RowOf(id.Index())
				require.True(t, has && m.isDefault(uint32(row)), "row %d of %s", row, m.Kind.Name)
				require.Equal(t, *a.Tick, m.StampOf(uint32(row)>>6))
			}
		case n > 0:
			i := r.IntN(n)
			a.Dispose(live[i].Index())
			require.False(t, a.Objects.Alive(live[i]))
			live[i], live = live[n-1], live[:n-1]
		}
		if r.IntN(4) == 0 {
			require.NoError(t, a.Verify())
			require.Equal(t, len(live), a.Managers[0].Mounted())
			twin.CopyFrom(a, since)
			require.True(t, twin.Equal(a))
			require.NoError(t, twin.Verify())
			*a.Tick++
			since = *a.Tick
		}
	}
}

// TestSlabsOfOtherRecipesAreEquipped: in bytes of a program whose recipe had fewer kinds, no object
// comes by a bit per kind before its slab has the rows.
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
