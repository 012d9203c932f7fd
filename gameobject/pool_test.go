package gameobject_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
)

// newPooled returns a registry of 256 objects with a pool that has two blocks.
func newPooled() gameobject.Registry {
	r := gameobject.New(gameobject.Views{
		Generations: make([]uint32, 256), Next: make([]uint32, 256), Alive: make([]uint64, 4),
		Owners: make([]uint16, 4), Room: make([]uint64, 1), Pools: make([]gameobject.Pool, 1),
		Groups: make([]gameobject.Group, 1), Count: new(gameobject.Counters),
	})
	r.Reserve(1, 128)
	return r
}

// verify checks the registry as it is, and as a file would have it.
func verify(t *testing.T, r *gameobject.Registry) {
	t.Helper()
	require.NoError(t, r.Verify())
	before := *r.Count
	require.NoError(t, r.Rebuild(false))
	require.Equal(t, before, *r.Count)
}

// disposeWays end objects of block 0.
var disposeWays = map[string]func(r *gameobject.Registry, x uint64){
	"together": func(r *gameobject.Registry, x uint64) { r.DisposeBlock(0, x) },
	"one by one": func(r *gameobject.Registry, x uint64) {
		for i := range uint32(64) {
			if x>>i&1 != 0 {
				r.Dispose(i)
			}
		}
	},
}

func TestDisposedIDsOfAPoolStayDead(t *testing.T) {
	for name, dispose := range disposeWays {
		t.Run(name, func(t *testing.T) {
			r := newPooled()
			_, x := r.TakeBlock(1, 64)
			require.Equal(t, ^uint64(0), x)
			dispose(&r, 0b1010)
			verify(t, &r)
			_, again := r.TakeBlock(1, 2)
			require.Equal(t, uint64(0b1010), again)
			for i := range uint32(64) {
				first, second := gameobject.MakeID(i, 1), gameobject.MakeID(i, 2)
				disposed := x&0b1010>>i&1 != 0
				assert.Equal(t, !disposed, r.Alive(first), "%d", i)
				assert.Equal(t, disposed, r.Alive(second), "%d", i)
			}
			assert.Equal(t, 64, r.Live())
			verify(t, &r)
		})
	}
}

func TestExhaustedGenerationRetiresItsIndexOfAPool(t *testing.T) {
	const last, before = gameobject.LastGeneration, gameobject.LastGeneration - 1
	for name, dispose := range disposeWays {
		t.Run(name, func(t *testing.T) {
			r := newPooled()
			r.TakeBlock(1, 64)
			r.Generations[0], r.Generations[1], r.Generations[2] = last, before, last
			dispose(&r, 0b111)
			assert.Equal(t, uint32(2), r.Count.Retired)
			assert.Equal(t, 256-61-2, r.Left())
			verify(t, &r)
			id, ok := r.Take(1)
			require.True(t, ok)
			assert.Equal(t, gameobject.MakeID(1, last), id, "the only one of them that is left")
			verify(t, &r)
			_, x := r.TakeBlock(1, 64)
			assert.Equal(t, ^uint64(0), x, "of the next block")
			id, ok = r.Take(1)
			assert.False(t, ok, "%v", id)
			dispose(&r, 0b10)
			assert.Equal(t, uint32(3), r.Count.Retired)
			_, ok = r.Take(1)
			assert.False(t, ok, "what is retired is handed out no more")
			verify(t, &r)
		})
	}
}
