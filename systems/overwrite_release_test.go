//go:build !ecsdebug

package systems

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A row that is left out is zero or what it was, however often a column is asked for.
func TestOverwriteLeavesNothingBehind(t *testing.T) {
	zeros := 0
	for _, step := range []int{300, 2, 3, 7} {
		s, ids := extents(t, step)
		for b := range extended.In(s) {
			for i, v := 0, Column(b, extent); i < len(v); i++ {
				v[i] = 7
			}
		}
		for b := range extended.In(s) {
			for i := range Overwrite(b, extent) {
				if i%3 != 0 {
					Overwrite(b, extent)[i] = 8
				}
			}
		}
		for _, id := range ids {
			if Has(s, id, extent.Kind()) {
				v := sure(Get(s, id, extent))
				require.Contains(t, []uint64{0, 7, 8}, v)
				if v == 0 {
					zeros++
				}
			}
		}
	}
	require.NotZero(t, zeros)
}
