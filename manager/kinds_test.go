package manager

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// severalKinds are kinds by block and others, packed, in free room and with too few rows, marks,
// and some more.
func severalKinds(more int) (counts []layout.Count) {
	value := func(name string, rows int) layout.Count {
		return layout.NewKind(name, layout.NewField[[2]float32](name)).Count(rows)
	}
	packed := value("packed", 300)
	packed.Packed = true
	free := layout.NewKind("free", layout.NewField("free", uint16(3))).Counted()
	free.Rows = 320
	wide := value("wide", 500)
	wide.ByBlock, free.ByBlock = true, true
	counts = append(counts, wide, value("narrow", 60), packed, free,
		layout.NewMark("mark").Count(0))
	for i := range more {
		counts = append(counts, value("kind "+string(rune('A'+i)), 100))
	}
	return append(counts, layout.NewMark("last").Count(0))
}

// TestKindsNearOfFewKinds: up to 64 kinds, those of the block do.
func TestKindsNearOfFewKinds(t *testing.T) {
	counts := severalKinds(66)[:64]
	a := sure(NewArena(Sizes{Objects: 100, Kinds: counts}))
	_ = sure(a.Managers[3].Add(70))
	require.Empty(t, a.eights)
	require.Equal(t, []uint64{8}, a.KindsNear(99))
	require.Equal(t, []uint64{0}, a.KindsNear(9))
	for _, p := range a.Parts() {
		require.NotEqual(t, "kinds per 8 objects", p.Name)
	}
}

// TestVerifyFindsWrongKindsNear: a bit too many and one too few.
func TestVerifyFindsWrongKindsNear(t *testing.T) {
	a := sure(NewArena(Sizes{Objects: 100, Kinds: severalKinds(66)}))
	for range 100 {
		_ = sure(a.Objects.Create(0))
	}
	_ = sure(a.Managers[1].Add(70))
	require.NoError(t, a.Verify())
	for _, at := range []int{70 >> 3, 0} {
		a.eights[at*a.Words] ^= 2
		require.ErrorContains(t, a.Verify(), "kinds per 8 objects")
		a.eights[at*a.Words] ^= 2
	}
}

// TestPagesOfAllSizes: a block goes on to the next size of page when its page is full, keeps it
// until no object is odd, and leaves it to others then.
func TestPagesOfAllSizes(t *testing.T) {
	m := sure(New(modelKind, 200, 256))
	for range 200 {
		_ = sure(m.Create())
	}
	rowOf := func(object uint32) layout.Row { return layout.Row(199 - object) }
	r := rand.New(rand.NewPCG(4, 16))
	for range 3 {
		for n, i := range r.Perm(64) {
			require.NoError(t, m.Mount(uint32(i), rowOf(uint32(i))))
			b, size := m.Blocks.list[0], uint32(ofPlaces)
			if odd := bits.OnesCount64(b.Odd); n < 5 && odd > 0 {
				size = ofFour
			} else if n < 17 && odd > 0 {
				size = of16
			}
			require.Equal(t, size, b.Page&sizeMask, "%d objects", n+1)
			require.NoError(t, m.Verify())
		}
		require.Equal(t, []pageCounters{{1, 0}, {1, 1}, {1, 1}}, m.Blocks.pages.spare)
		for _, i := range r.Perm(64) {
			row, ok := m.RowOf(uint32(i))
			require.True(t, ok)
			require.Equal(t, rowOf(uint32(i)), row)
			m.Drop(uint32(i))
			require.NoError(t, m.Verify())
		}
		require.Equal(t, []pageCounters{{1, 1}, {1, 1}, {1, 1}}, m.Blocks.pages.spare)
		for m.Live() < 200 {
			_ = sure(m.Create())
		}
	}
}

// TestCheckRoomCountsEveryRowInUse: loose, mounted and suspended ones. Marks always have room.
func TestCheckRoomCountsEveryRowInUse(t *testing.T) {
	a := sure(NewArena(Sizes{Objects: 320, Kinds: severalKinds(66)}))
	a.Fill()
	wide, narrow, mark := &a.Managers[0], &a.Managers[1], &a.Managers[4]
	full := func(m *Manager) error { return &Error{Err: ErrFull, Kind: m.Kind.Name, Count: m.Rows.Cap()} }
	require.NoError(t, CheckRoom(60, mark, wide, narrow))
	require.Equal(t, full(narrow), CheckRoom(61, mark, wide, narrow))
	require.NoError(t, CheckRoom(501, mark, wide), "there is a row for each object")
	_ = sure(narrow.Create())
	for object := range uint32(2) {
		_ = sure(narrow.Add(object))
	}
	require.NoError(t, narrow.Suspend(1))
	require.NoError(t, CheckRoom(57, wide, narrow))
	require.ErrorIs(t, CheckRoom(58, wide, narrow), ErrFull)
	require.NoError(t, CheckRoom(1000, mark))
}
