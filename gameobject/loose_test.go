package gameobject_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
)

// TestLooseBlocksAreOneByOne creates and disposes loose objects by blocks in one registry and one
// by one in another, and finds the same.
func TestLooseBlocksAreOneByOne(t *testing.T) {
	for _, inOrder := range []uint32{0, 1} {
		at, by := newRegistry(150), newRegistry(150)
		at.Count.InOrder, by.Count.InOrder = inOrder, inOrder
		var told [3]uint64
		at.Touched = func(block uint32, x uint64) { told[block] ^= x }
		by.Touched = at.Touched // of both together each is told twice
		r := rand.New(rand.NewPCG(3, uint64(inOrder)))
		for range 3000 {
			n, made := 1+r.IntN(40), 0
			for made < n && r.IntN(3) > 0 && at.Left() > 0 {
				block, x, down := at.CreateBlock(0, n-made)
				require.NotZero(t, x)
				for made += bits.OnesCount64(x); x != 0; {
					i := bits.TrailingZeros64(x)
					if down {
						i = bits.Len64(x) - 1
					}
					require.Equal(t, block<<6+uint32(i), create(t, &by, 1)[0].Index())
					x &^= 1 << i
				}
			}
			block := uint32(r.IntN(3))
			x := at.Words()[block] & (math.MaxUint64 >> r.IntN(64) << r.IntN(64))
			at.DisposeBlock(block, x)
			for ; x != 0; x &= x - 1 {
				by.Dispose(block<<6 + uint32(bits.TrailingZeros64(x)))
			}
			require.Equal(t, by.Views, at.Views)
			require.Zero(t, told)
		}
		require.NoError(t, at.Verify())
	}
}

// TestInOrder: every index once before any is used again, and then the first disposed first.
func TestInOrder(t *testing.T) {
	r := newRegistry(70)
	r.Count.InOrder = 1
	ids := create(t, &r, 3)
	for _, i := range []int{1, 0} {
		r.Dispose(ids[i].Index())
		require.NoError(t, r.Verify())
		require.NoError(t, r.Rebuild(true))
	}
	for want := range uint32(67) {
		assert.Equal(t, 3+want, create(t, &r, 1)[0].Index())
	}
	r.Dispose(2)
	require.NoError(t, r.Rebuild(true))
	assert.Equal(t, []uint32{1, 0, 2}, indexes(create(t, &r, 3)))
	require.NoError(t, r.Rebuild(true))
	_, err := r.Create(0)
	require.ErrorIs(t, err, gameobject.ErrTooMany)
	r.Dispose(1)
	require.NoError(t, r.Verify(), "it leads nowhere any more")
	assert.Equal(t, []uint32{1}, indexes(create(t, &r, 1)))
}

// TestGenerationsThatCannotBeAreRefused: by both who count, in full blocks and in others.
func TestGenerationsThatCannotBeAreRefused(t *testing.T) {
	for _, n := range []int{64, 100} {
		for _, index := range []uint32{0, 63} {
			for _, g := range []uint32{0, gameobject.LastGeneration + 1, 1<<32 - 1} {
				r := newRegistry(128)
				create(t, &r, n)
				r.Generations[index] = g
				require.Error(t, r.Verify(), "%d alive, %d in %d", n, index, g)
				require.Error(t, r.Rebuild(false), "%d alive, %d in %d", n, index, g)
			}
		}
	}
	r := newRegistry(64)
	create(t, &r, 3)
	r.Dispose(1)
	r.Generations[1] = gameobject.LastGeneration + 2
	require.ErrorContains(t, r.Verify(), "index 1 is in generation 2147483649")
	assert.ErrorContains(t, r.Rebuild(false), "index 1 is in generation 2147483649")
}
