package gif

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFewColoursAreKept(t *testing.T) {
	want := [][3]uint8{{0, 0, 0}, {4, 5, 10}, {255, 0, 0}, {0, 255, 0}, {250, 250, 255}}
	var c census
	for i, w := range want {
		for range 1 + i*1000 {
			c.count([]uint8{w[0], w[1], w[2], 255})
		}
	}
	p := newPalette(&c, 16)
	assert.ElementsMatch(t, want, p.entries, "rare ones too")
	for _, w := range want {
		assert.Equal(t, w, p.entries[p.nearest(keyOf.key(w[0], w[1], w[2]))])
	}
}

func TestPaletteServesManyColours(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	pix := make([]uint8, 4*50_000)
	for i := range pix {
		pix[i] = uint8(r.IntN(256))
	}
	var c census
	c.count(pix)
	for _, n := range []int{3, 16, 64, 255} {
		p := newPalette(&c, n)
		require.Len(t, p.entries, n)
		sum := 0
		for i := 0; i < 4*2000; i += 4 {
			entry := p.nearest(keyOf.key(pix[i], pix[i+1], pix[i+2]))
			sum += distance([3]uint8(pix[i:]), p.entries[entry])
		}
		mean := float64(sum) / 2000
		whole := 9. * 255 * 255 / 4 // with one colour; it falls as the cells of a cube do
		assert.Less(t, mean, whole/math.Cbrt(float64(n*n)), "%d colours", n)
	}
}

// A short colour stands for what is near to it, dark ones nearer.
func TestKeys(t *testing.T) {
	for v := range 256 {
		grey := [3]uint8{uint8(v), uint8(v), uint8(v)}
		back := colour(int(keyOf.key(grey[0], grey[1], grey[2])))
		for i := range back {
			off := max(int(back[i])-v, v-int(back[i]))
			assert.LessOrEqual(t, off, 2+v/16, "%d", v)
		}
	}
}
