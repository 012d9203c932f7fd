//go:build !race && !ecsdebug && !386

package world_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/unsafeutil"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/index"
)

// reserved returns the number of bytes on touched pages of memory outside Go's heap: the bytes of
// worlds, and of data derived from them.
func reserved(t *testing.T) (n int) {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	heap := unsafeutil.Address(maps) - 64<<30 // it begins anywhere
	for line := range strings.SplitSeq(string(maps), "\n") {
		var from, to uintptr
		if len(strings.Fields(line)) != 5 || !strings.Contains(line, " rw-p ") {
			continue // of a file, or with a name
		}
		_, err := fmt.Sscanf(line, "%x-%x", &from, &to)
		require.NoError(t, err)
		if from-heap < 128<<30 { // of Go's heap
			continue
		}
		n += mappedOf(t, unsafeutil.Foreign(from, int(to-from)))
	}
	return n
}

// TestWhatIsDerivedTakesMemoryAsItIsUsed: relations and indexes of a few objects, in a world with
// room for many, take what these few need.
func TestWhatIsDerivedTakesMemoryAsItIsUsed(t *testing.T) {
	seesReads(t)
	kin := layout.NewRelation("besides", layout.Relation{Tree: true, Disposed: layout.Cascade})
	rank := layout.NewComponent[uint32]("besides rank")
	title := layout.NewText("besides title")
	all := world.NewQuery(world.With(kin), world.Read(rank))
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 8 << 20, Queries: []world.Query{all},
		Kinds: layout.Kinds(kin, rank, title),
	}))
	defer func() { world.Close(s) }()
	before, ranks, titles := reserved(t), index.New(rank), index.OfText(title)
	snapshot := world.Must(world.NewSnapshot(s))
	defer snapshot.Close()
	for range 3 {
		var ids []world.GameObject
		for i := range 300 {
			next, id := world.Must2(world.CreateWith(s, kin, rank, title))
			s, ids = world.Must(world.Set(next, id, rank, uint32(i%7))), append(ids, id)
			if i > 0 {
				s = world.Must(world.Set(s, id, kin, ids[i/3]))
			}
		}
		for range family.Children(s, kin, ids[5]) {
		}
		require.Greater(t, family.Depth(s, kin), 3)
		for range all.Down(s, kin) {
		}
		for range ranks.Between(s, 2, 5) {
		}
		for range ranks.Sorted(s, all) {
		}
		for range titles.Find(s, "") {
		}
		s, _ = world.Must2(family.Copy(s, kin, ids[9]))
		require.NoError(t, snapshot.Take(s))
		s = world.Must(world.Dispose(s, ids[1]))
		s = world.Must(world.Restore(s, snapshot))
		s = world.Must(family.Dispose(s, kin, ids[2]))
		require.NoError(t, tool.Verify(s))
		clone := world.Must(world.Clone(s))
		require.Positive(t, family.Depth(clone, kin))
		clone = world.Must(world.Dispose(clone, ids[0]))
		world.Close(clone)
		s = world.Must(tool.Rebuild(s))
	}
	grown := reserved(t) - before
	t.Logf("%d bytes beside a world of %d", grown-mapped(t, s), len(world.Bytes(s)))
	require.Less(t, grown, 6<<20)
}
