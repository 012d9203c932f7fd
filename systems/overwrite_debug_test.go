//go:build ecsdebug

package systems

import "testing"

// TestDebugCatchesARowLeftOut: of a column that is to be written whole, side by side and strewn.
func TestDebugCatchesARowLeftOut(t *testing.T) {
	for _, step := range []int{300, 2} {
		s, _ := extents(t, step)
		panicsWith(t, func() {
			for b := range extended.In(s) {
				v := Overwrite(b, extent)
				for i := range v[1:] {
					v[i] = 1
				}
			}
		}, "was left out", "extent", "or use Column")
	}
}
