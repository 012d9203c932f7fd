package pack_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
)

// TestGlobalsStayBehind: copies have none, and a world that is brought back has those of then.
func TestGlobalsStayBehind(t *testing.T) {
	s, id := world.Must2(world.Create(world.Must(world.CreateState(world.Counts{Globals: 9}))))
	s = world.Must(pack.SetGlobal(s, id, 5))
	past := world.Must(world.NewSnapshot(s))
	defer past.Close()
	require.NoError(t, past.Take(s))
	s, twin := world.Must2(world.Copy(s, id))
	assert.False(t, world.Has(s, twin, pack.Global))
	s = world.Must(pack.SetGlobal(world.Must(pack.SetGlobal(s, id, 6)), twin, 5))
	s = world.Must(world.Restore(s, past))
	found, _ := pack.ByGlobal(s, 5)
	assert.Equal(t, id, found)
	_, ok := pack.ByGlobal(s, 6)
	assert.False(t, ok)
	require.NoError(t, tool.Verify(s))
	world.Close(s)
}

// TestBirthsDoNotDependOnTheWorld: numbers made from a parent's are the same in whichever world the
// parent is when they are made.
func TestBirthsDoNotDependOnTheWorld(t *testing.T) {
	counts := world.Counts{GameObjects: 10, Globals: 10}
	a, id := world.Must2(world.Create(world.Must(world.CreateState(counts))))
	a = world.Must(pack.SetGlobal(a, id, 42))
	alone, home := world.Must(world.Clone(a)), id
	b, other := world.Must2(world.Create(world.Must(world.CreateState(counts))))
	b = world.Must(pack.SetGlobal(b, other, 43))
	var got, want []uint64
	for n := range 6 {
		var number uint64
		alone, number = world.Must2(pack.NextGlobal(alone, home))
		want = append(want, number)
		a, number = world.Must2(pack.NextGlobal(a, id))
		got = append(got, number)
		if n%2 == 1 {
			packed := world.Must(pack.Pack(nil, a, id))
			a = world.Must(world.Dispose(a, id))
			next, moved := world.Must2(pack.Unpack(b, packed))
			a, b, id = next, a, moved[0]
		}
	}
	assert.Equal(t, want, got)
	slices.Sort(got)
	assert.Len(t, slices.Compact(got), 6)
	assert.Equal(t, uint64(0x7c991bca1a1aa1ae), want[0], "the formula is part of the format")
}

func TestGlobalsRefuse(t *testing.T) {
	s, id, err := world.Create(world.Must(world.CreateState(world.Counts{Globals: 1})))
	require.NoError(t, err)
	for number, want := range map[uint64]error{0: pack.ErrGlobal, 1 << 63: pack.ErrGlobal} {
		_, err = pack.SetGlobal(s, id, number)
		require.ErrorIs(t, err, want)
	}
	_, _, err = pack.NextGlobal(s, id)
	require.ErrorIs(t, err, world.ErrAbsent)
	s = world.Must(world.Add(s, id, pack.Global))
	_, _, err = pack.NextGlobal(s, id)
	require.ErrorIs(t, err, pack.ErrGlobal)
	bare := world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	bare, id = world.Must2(world.Create(bare))
	_, err = pack.SetGlobal(bare, id, 1)
	require.ErrorIs(t, err, world.ErrNoKind)
	require.ErrorContains(t, err, "Counts.Globals")
	assert.PanicsWithValue(t, err.Error(), func() { pack.ByGlobal(bare, 1) })
	_, err = world.CreateState(world.Counts{Globals: 1, Kinds: layout.Kinds(pack.Global)})
	require.ErrorIs(t, err, systems.ErrKindTwice)
	world.Close(s)
	world.Close(bare)
}

// TestGlobalsInFiles: a file holds no index, so that a world with other counts can read it.
func TestGlobalsInFiles(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Globals: 9}))
	for n := range 9 {
		next, id, err := world.Create(s)
		require.NoError(t, err)
		s = world.Must(pack.SetGlobal(next, id, uint64(100+n)))
	}
	var file bytes.Buffer
	require.NoError(t, save.Write(&file, s, save.Options{}))
	back, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()),
		world.Counts{Globals: 1000}, save.Options{})
	require.NoError(t, err)
	require.NoError(t, tool.Verify(back))
	for n := range 9 {
		id, ok := pack.ByGlobal(back, uint64(100+n))
		assert.True(t, ok)
		assert.Equal(t, fmt.Sprint(n), id.String())
	}
	world.Close(s)
	world.Close(back)
}
