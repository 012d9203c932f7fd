package pack_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
)

// numbered returns a world for objects with global ids.
func numbered(t *testing.T, seed uint64) world.State {
	t.Helper()
	return world.Must(world.CreateState(world.Counts{
		GameObjects: 100, Globals: 50, Recipes: []world.Recipe{bare}, Seed: seed,
	}))
}

var bare = world.NewRecipe("bare")

// TestNewGlobalsAreFresh: also of an index that is used again, after a load, and where the number
// was taken by hand; and they are the same in the same world.
func TestNewGlobalsAreFresh(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(3) {
		s := numbered(t, seed)
		fresh := func(id world.GameObject) uint64 {
			t.Helper()
			next, number, err := pack.NewGlobal(s, id)
			require.NoError(t, err)
			require.False(t, seen[number], "%v of seed %d", id, seed)
			require.True(t, 0 < number && number < 1<<63)
			seen[number] = true
			s = next
			id2, ok := pack.ByGlobal(s, number)
			require.True(t, ok)
			require.Equal(t, id, id2)
			return number
		}
		spawn := func() (id world.GameObject) {
			t.Helper()
			next, id, err := world.Spawn(s, bare)
			require.NoError(t, err)
			s = next
			return id
		}
		for range 20 {
			id := spawn()
			number := fresh(id)
			again := world.Must(pack.GlobalOf(s, id))
			require.Equal(t, number, again)
			next, same, err := pack.NewGlobal(s, id)
			require.NoError(t, err)
			require.Equal(t, number, same, "it has one")
			s = world.Must(world.Dispose(next, id))
			fresh(spawn())
		}
		var file bytes.Buffer
		require.NoError(t, save.Write(&file, s, save.Options{}))
		loaded, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()),
			world.CountsOf(s), save.Options{})
		require.NoError(t, err)
		world.Close(s)
		s = loaded
		for range 5 {
			fresh(spawn())
		}
		twin := world.Must(world.Clone(s))
		id := spawn()
		number := fresh(id)
		twin, same, err := world.Spawn(twin, bare)
		require.NoError(t, err)
		require.Equal(t, id, same)
		twin, also, err := pack.NewGlobal(twin, same)
		require.NoError(t, err)
		require.Equal(t, number, also)
		world.Close(twin)
		id = spawn()
		_, number = world.Must2(pack.NewGlobal(world.Must(world.Clone(s)), id))
		s = world.Must(pack.SetGlobal(s, spawn(), number)) // as it may have come in a pack
		require.NotEqual(t, number, fresh(id))
		require.NoError(t, tool.Verify(s))
		world.Close(s)
	}
}

// TestNewGlobalsAreRefused: where there is no room, no object, or no kind.
func TestNewGlobalsAreRefused(t *testing.T) {
	s := numbered(t, 0)
	defer func() { world.Close(s) }()
	for range 50 {
		next, id, err := world.Spawn(s, bare)
		require.NoError(t, err)
		s, _ = world.Must2(pack.NewGlobal(next, id))
	}
	s, id, err := world.Spawn(s, bare)
	require.NoError(t, err)
	for to, want := range map[world.GameObject]error{
		id: world.ErrFull, id + 1<<32: world.ErrDead, 1<<32 | 1000: world.ErrOutOfRange,
	} {
		_, _, err = pack.NewGlobal(s, to)
		require.ErrorIs(t, err, want)
	}
	for range anyOne.In(s) {
		_, _, err = pack.NewGlobal(s, id)
		require.ErrorIs(t, err, world.ErrWalking)
	}
	other := treeWorld(t)
	defer func() { world.Close(other) }()
	other, id = create(t, other)
	_, _, err = pack.NewGlobal(other, id)
	require.ErrorIs(t, err, world.ErrNoKind)
}
