package structure

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
)

// TestDisposalsInAnyOrder: objects of slabs and loose ones, with the kinds of their recipe, more or
// fewer, named in any order and some twice, leave the bytes of disposals one by one.
func TestDisposalsInAnyOrder(t *testing.T) {
	const objects = 1500
	blocks := 0 // whose objects left nothing in an order
	for seed := range uint64(8) {
		several, alone := newTurnover(objects, seed%2 == 1), newTurnover(objects, seed%2 == 1)
		r, streak := rand.New(rand.NewPCG(seed, 7)), Streak{}
		for round := range 12 {
			n, recipe, odd := 1+r.IntN(300), r.IntN(len(turnoverRecipes)), r.Uint32N(objects)
			for _, w := range []*turnover{several, alone} {
				if p := w.pools[recipe]; p.RoomFor(w.Arena) >= n {
					p.SpawnN(w.Arena, n, true, func(uint32, uint64, bool) {})
				}
				_, _ = Create(w.Arena)
				if w.Objects.Words()[odd>>6]>>(odd&63)&1 == 0 {
					continue
				}
				if seed >= 4 {
					w.Objects.Generations[odd] = gameobject.LastGeneration
				}
				if m := &w.Managers[2]; !m.Has(odd) && m.Left() > 0 { // scarce, row by row
					_, err := m.Add(odd)
					require.NoError(t, err)
				}
			}
			ids := slices.Collect(alone.Objects.Each)
			r.Shuffle(len(ids), func(i, k int) { ids[i], ids[k] = ids[k], ids[i] })
			ids = ids[:r.IntN(len(ids)+1)]
			for _, id := range append(ids, ids[:len(ids)/8]...) {
				if several.Objects.Alive(id) {
					streak.Dispose(several.Arena, id.Index())
				}
				if alone.Objects.Alive(id) {
					alone.Dispose(id.Index())
				}
			}
			if streak.Leaving != nil {
				blocks += len(streak.Leaving.blocks)
			}
			streak.CarryOut(several.Arena)
			require.True(t, streak.Leaving == nil || len(streak.Leaving.blocks) == 0)
			*several.Tick++
			*alone.Tick++
			if d, ok := several.FirstDifference(alone.Arena); ok {
				t.Fatalf("seed %d, round %d: %v", seed, round, d)
			}
			require.NoError(t, several.Verify())
		}
	}
	require.Greater(t, blocks, 100)
}
