//go:build !purego && !race

package kernel

import "testing"

// onEach runs f as on each processor that this one can stand in for.
func onEach(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	if hasAVX512 {
		hasAVX512 = false
		t.Run("AVX2", f)
		hasAVX512 = true
	}
	t.Run("all that there is", f)
}
