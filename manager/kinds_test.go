package manager

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// newOfMany returns a world of many kinds with objects alive, and one like it.
func newOfMany(t *testing.T, objects int) (a, b *Arena) {
	t.Helper()
	a = sure(NewArena(Sizes{Objects: objects, Kinds: severalKinds(66)}))
	a.Fill()
	a.begin()
	for range objects {
		_ = sure(a.Objects.Create(0))
	}
	b = sure(a.Alike())
	return a, b
}

// changeAny does a random change of the kinds of one object or of a block.
func changeAny(r *rand.Rand, a *Arena, objects int) {
	m := &a.Managers[r.IntN(len(a.Managers))]
	object := r.Uint32N(uint32(objects))
	b, x := &m.blocks[object>>6], r.Uint64()&r.Uint64()
	switch r.IntN(8) {
	case 0, 1, 2:
		_, _ = m.Add(object)
	case 3:
		m.Drop(object)
	case 4:
		if m.Has(object) && !m.packed {
			_ = m.Suspend(object)
		}
	case 5:
		a.DropAll(object)
	case 6:
		x &^= b.Present | b.Kept
		if m.Kind.Mark || m.Live()+bits.OnesCount64(x) <= m.Cap() {
			m.AddBlock(object>>6, x&a.Objects.Words()[object>>6])
		}
	case 7:
		m.DisposeBlock(object>>6, x)
	}
}

// requireNear checks what is said of the kinds of each 8 objects.
func requireNear(t *testing.T, a *Arena, objects int) {
	t.Helper()
	for object := range uint32(objects) {
		want := make([]uint64, a.Words)
		for i := range a.Managers {
			b := &a.Managers[i].blocks[object>>6]
			if (b.Present|b.Kept)>>(object&63&^7)&0xff != 0 {
				want[i>>6] |= 1 << (i & 63)
			}
		}
		require.Equal(t, want, a.KindsNear(object), "object %d", object)
	}
}

// TestKindsNear: the kinds of each 8 objects are those that they have or keep, after random changes
// of one object and of many, in copies, and after a rebuild.
func TestKindsNear(t *testing.T) {
	const objects = 200
	a, b := newOfMany(t, objects)
	b.CopyFrom(a, 0)
	r, taken := rand.New(rand.NewPCG(8, 64)), uint64(0)
	for step := range 6000 {
		if step%100 == 0 {
			requireNear(t, a, objects)
			b.CopyFrom(a, taken)
			requireNear(t, b, objects)
			require.NoError(t, b.Verify())
			*a.Tick++
			taken = *a.Tick
		}
		if step%1000 == 0 {
			near := slices.Clone(a.eights)
			require.NoError(t, a.Rebuild())
			require.Equal(t, near, a.eights)
		}
		if step%300 < 200 { // and some ticks without a change
			changeAny(r, a, objects)
		}
	}
	for object := range uint32(objects) {
		a.DropAll(object)
	}
	require.Equal(t, make([]uint64, len(a.eights)), a.eights)
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
	a, _ := newOfMany(t, 100)
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
			b, size := m.blocks[0], uint32(ofPlaces)
			if odd := bits.OnesCount64(b.Odd); n < 5 && odd > 0 {
				size = ofFour
			} else if n < 17 && odd > 0 {
				size = of16
			}
			require.Equal(t, size, b.Page&sizeMask, "%d objects", n+1)
			require.NoError(t, m.Verify())
		}
		require.Equal(t, []pageCounters{{1, 0}, {1, 1}, {1, 1}}, m.spare)
		for _, i := range r.Perm(64) {
			row, ok := m.RowOf(uint32(i))
			require.True(t, ok)
			require.Equal(t, rowOf(uint32(i)), row)
			m.Drop(uint32(i))
			require.NoError(t, m.Verify())
		}
		require.Equal(t, []pageCounters{{1, 1}, {1, 1}, {1, 1}}, m.spare)
		for m.Live() < 200 {
			_ = sure(m.Create())
		}
	}
}
