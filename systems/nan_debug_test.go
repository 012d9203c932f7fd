//go:build ecsdebug

package systems

import (
	"math"
	"testing"
)

// TestDebugCatchesANaNInAStruct: in the parts that are floats, and not in bytes that are like one.
func TestDebugCatchesANaNInAStruct(t *testing.T) {
	s, _ := figures(t)
	q := NewQuery(Write(figure))
	for b := range q.In(s) {
		Column(b, bodyOf)[0] = body{Owner: math.MaxUint64 >> 1, Tint: [3]uint8{255, 255, 255}}
	}
	mustPanic(t, "a NaN", func() {
		for b := range q.In(s) {
			Column(b, bodyOf)[1].Pos.Z = float32(math.NaN())
		}
	})
}
