package share_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/share"
)

type ware struct{ What, Count uint32 }

var (
	wares  = layout.NewList[ware]("wares")
	sign   = layout.NewText("sign")
	stall  = world.NewRecipe("stall", wares, sign)
	selled = world.NewQuery(world.Write(wares))
)

// stalls returns a world with lists, in free room.
func stalls(t *testing.T, n int) world.State {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 500, Kinds: layout.Kinds(wares, sign), Recipes: []world.Recipe{stall},
	}))
	return world.Must(world.SpawnN(s, stall, n, nil))
}

// sell makes the lists longer and shorter, so that they move.
func sell(t *testing.T, s world.State) world.State {
	t.Helper()
	s = world.Advance(s)
	tick := uint32(world.Tick(s))
	for b := range selled.In(s) {
		lists := list.Column(b, wares)
		for i := range lists.Len() {
			id := b.ID(i).Index()
			if (id+tick)%11 == 0 {
				lists.Cut(i, len(lists.At(i))/2)
			}
			_, err := lists.Append(i, ware{id, tick})
			require.NoError(t, err)
		}
	}
	for id := range world.GameObjects(s) {
		if id.Index()%7 == tick%7 {
			s = world.Must(list.SetText(s, id, sign, fmt.Sprintf("%*s", tick%80, "ö")))
		}
	}
	return s
}

// TestReadersSeeLists: by their kinds, and by the head alone; what they fork is theirs.
func TestReadersSeeLists(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	s := stalls(t, 100)
	defer func() { world.Close(s) }()
	p := world.Must(share.Publish(path, s, share.Options{}))
	r := world.Must(share.Open(path, world.CountsOf(s)))
	foreign := world.Must(share.OpenFile(world.Must(os.Open(path))))
	for range 25 {
		s = sell(t, s)
		require.NoError(t, p.Offer(s))
		f, other := world.Must(r.Pin()), world.Must(foreign.Pin())
		require.Equal(t, world.Digest(s), world.Digest(f.State()))
		require.Equal(t, world.Digest(s), world.Digest(other.State()))
		for id := range world.GameObjects(f.State()) {
			want := world.Must(list.Of(s, id, wares))
			require.Equal(t, want, world.Must(list.Of(f.State(), id, wares)))
			require.Equal(t, world.Must(list.Text(s, id, sign)),
				world.Must(list.Text(f.State(), id, sign)))
			text := world.Must(tool.Get(other.State(), id, "wares"))
			require.Equal(t, tool.Text(wares.Spec(), wares.Bytes(want)), text)
		}
		require.NoError(t, tool.Verify(f.State()))
		require.NoError(t, tool.Verify(other.State()))
	}
	f := world.Must(r.Pin())
	first := slices.Collect(world.GameObjects(s))[0]
	before := world.Digest(s)
	fork := world.Must(world.Clone(f.State()))
	defer func() { world.Close(fork) }()
	fork = world.Must(list.SetAt(fork, first, wares, 3, ware{What: 77}))
	d, differ, err := tool.FirstDifference(s, fork)
	require.NoError(t, err)
	require.True(t, differ)
	assert.Contains(t, fmt.Sprint(d), fmt.Sprintf("wares[3].What of object %d", first.Index()))
	for range 30 {
		fork = sell(t, fork)
	}
	require.NoError(t, tool.Verify(fork))
	assert.Equal(t, before, world.Digest(f.State()), "a fork is apart")
	if worldtest.StatesChecked {
		assert.PanicsWithError(t, memory.ErrReadOnly.Error(), func() {
			_, _ = list.Append(f.State(), first, wares, ware{1, 2})
		})
	}
	require.NoError(t, foreign.Close())
	require.NoError(t, r.Close())
	require.NoError(t, p.Close())
}
