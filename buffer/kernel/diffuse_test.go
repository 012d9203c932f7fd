package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// byTheBook is Diffuse cell by cell.
func byTheBook(src []float64, width int, rate float64, wrap bool) []float64 {
	height := len(src) / width
	at := func(x, y, ownX, ownY int) float64 {
		switch inside := x >= 0 && x < width && y >= 0 && y < height; {
		case inside:
			return src[y*width+x]
		case wrap:
			return src[(y+height)%height*width+(x+width)%width]
		}
		return src[ownY*width+ownX]
	}
	dst := make([]float64, len(src))
	for i, c := range src {
		x, y := i%width, i/width
		sides := (at(x-1, y, x, y) + at(x+1, y, x, y)) + (at(x, y-1, x, y) + at(x, y+1, x, y))
		dst[i] = c + float64(rate*(sides-float64(4*c)))
	}
	return dst
}

func TestDiffuse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for width := 1; width < 20; width++ {
		for height := range 6 {
			for _, wrap := range []bool{false, true} {
				name := fmt.Sprint(width, "×", height, wrap)
				src := make([]float64, width*height)
				small := make([]float32, len(src))
				for i := range src {
					small[i] = float32(r.IntN(1 << 10))
					src[i] = float64(small[i])
				}
				want := byTheBook(src, width, .125, wrap) // exact in float32, too
				dst := make([]float32, len(src))
				for first := 0; first < len(src); { // part by part
					n := 1 + r.IntN(len(src)-first)
					Diffuse(dst[first:first+n], small, first, width, .125, wrap)
					first += n
				}
				for i := range want {
					require.InDelta(t, want[i], float64(dst[i]), 0, name)
				}
			}
		}
	}
}

func TestDiffuseRefusesWhatIsNoPlane(t *testing.T) {
	src := make([]float32, 12)
	for _, f := range []func(){
		func() { Diffuse(src[:1], src, 0, 0, .1, false) },
		func() { Diffuse(src[:1], src, 0, 5, .1, false) },
		func() { Diffuse(src[:1], src, -1, 3, .1, false) },
		func() { Diffuse(src[:2], src, 11, 3, .1, false) },
	} {
		assert.PanicsWithValue(t, noPlane, f)
	}
	Diffuse(nil, src, 12, 3, .1, false)
}
