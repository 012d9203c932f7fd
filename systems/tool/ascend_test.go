package tool

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAscend compares with a stable sort, for indexes of every number of digits.
func TestAscend(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var spare []uint64
	for _, most := range []uint64{1, 200, 300, 70_000, 1 << 25, 1<<32 - 1} {
		for n := range 100 {
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = r.Uint64N(most)<<32 | uint64(i)
			}
			if n%10 == 0 {
				slices.Sort(keys)
			}
			want := slices.Clone(keys)
			slices.SortStableFunc(want, func(a, b uint64) int { return cmp.Compare(a>>32, b>>32) })
			keys, spare = ascend(keys, spare)
			require.Equal(t, want, keys)
		}
	}
}
