package world_test

import (
	"bytes"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"
)

var (
	d16Spot  = layout.NewField("spot", [3]float32{-1, -2, -3})
	d16Team  = layout.NewField[uint8]("team", 7)
	d16Glow  = layout.NewField("glow", float16.Fromfloat32(0.5))
	d16Mass  = layout.NewField[float64]("mass", 1e-300)
	d16Mixed = layout.NewKind("d16", d16Spot, d16Team, d16Glow, d16Mass)
)

// The listing counts N*(B1*(s1+B2*s2)) bytes, takes the second field's element size for the first
// field's length, and does not align. Here columns lie one after the other, each on a multiple of 64
// bytes, of its own element type, and as long as its rows; writing one of them to its last byte
// changes no other.
func TestSeed_D16_FieldsDoNotOverlap(t *testing.T) {
	for _, n := range []int{1, 2, 7, 63, 64, 65, 100, 1000} {
		s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{d16Mixed.Count(n)}}))
		require.Equal(t, repeat([3]float32{-1, -2, -3}, n), world.View(s, d16Spot))
		require.Equal(t, repeat[uint8](7, n), world.View(s, d16Team))
		require.Equal(t, repeat(float16.Fromfloat32(0.5), n), world.View(s, d16Glow))
		require.Equal(t, repeat(1e-300, n), world.View(s, d16Mass))

		buffer, end := tool.Buffer(s, d16Mixed), 0
		for i, at := range []uintptr{
			address(world.View(s, d16Spot)), address(world.View(s, d16Team)),
			address(world.View(s, d16Glow)), address(world.View(s, d16Mass)),
		} {
			size, start := n*[]int{12, 1, 2, 8}[i], (end+63)&^63
			require.Equal(t, address(buffer)+uintptr(start), at)
			require.Zero(t, at%64)
			end = start + size
			copy(buffer[start:end], repeat(byte(i+1), size))
		}
		require.Len(t, buffer, end)
		for column, want := range map[byte]int{1: 12 * n, 2: n, 3: 2 * n, 4: 8 * n} {
			require.Equal(t, want, bytes.Count(buffer, []byte{column}), "column %d of %d rows", column, n)
		}
	}
}
