package systems

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// TestRowWiseAgainstGathered: over worlds of whole blocks whose rows begin anywhere, marked by
// blocks more or less, a row-wise walk ends in the same bytes, stamps among them, as one that
// gathers the objects that match, and those that do not match keep theirs.
func TestRowWiseAgainstGathered(t *testing.T) {
	longest := 0
	for _, offset := range []int{0, 1, 10, 32, 40, 63} {
		for seed := range uint64(8) {
			t.Run(fmt.Sprintf("%d rows before, seed %d", offset, seed), func(t *testing.T) {
				s := markedBlocks(t, offset, rand.New(rand.NewPCG(seed, uint64(offset))))
				other, err := Clone(s)
				require.NoError(t, err)
				s, other = Advance(s), Advance(other)
				q := NewQuery(Write(fieldA, fieldC), Without(markX), RowWise())
				rows, holes := 0, 0
				for b := range q.In(s) {
					rows, holes = rows+b.Len(), holes+int(b.w.holes)
					longest = max(longest, b.Len())
					addToAll(b)
				}
				for b := range inCopies(q).In(other) {
					addToAll(b)
				}
				require.Equal(t, q.Count(s), rows-holes)
				require.Equal(t, Bytes(other), Bytes(s))
				for id := range GameObjects(s) {
					v, err := Value(s, id, fieldC)
					require.NoError(t, err)
					want := uint8(10)
					if Has(s, id, markX) {
						want = 9
					}
					require.Equal(t, want, v)
				}
			})
		}
	}
	require.Greater(t, longest, 500, "rows of the longest run")
}

// markedBlocks returns a world of objects with A and C, their rows side by side; each block has its
// own share of marks.
func markedBlocks(t *testing.T, offset int, r *rand.Rand) State {
	t.Helper()
	const n = 2000
	s, err := CreateState(Counts{GameObjects: n, Kinds: []layout.Count{
		kindA.Count(n + offset), kindC.Count(n), markX.Count(0),
	}})
	for range offset {
		require.NoError(t, err)
		s, _, err = Create(s, kindA)
	}
	shares := []float64{0, 0, 0.05, 0.1, 0.2, 0.25, 0.5, 0.9, 1}
	share := 0.1
	for i := range n {
		require.NoError(t, err)
		var id GameObject
		s, id, err = CreateGameObject(s)
		for _, k := range []Kind{kindA, kindC} {
			if err == nil {
				s, _, err = Add(s, id, k)
			}
		}
		if i%64 == 0 && r.IntN(3) == 0 {
			share = shares[r.IntN(len(shares))]
		}
		if err == nil && r.Float64() < share {
			s, _, err = Add(s, id, markX)
		}
	}
	require.NoError(t, err)
	return s
}

// addToAll adds to every row of a batch of A and C.
func addToAll(b Batch) {
	for i, a := range Column3(b, fieldA) {
		Column3(b, fieldA)[i][2] = a[2] * 3
	}
	c := Column(b, fieldC)
	for i := range c {
		c[i]++
	}
}
