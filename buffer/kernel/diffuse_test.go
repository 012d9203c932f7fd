package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"
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

// bitsOf are the bits of each number.
func bitsOf(numbers []float32) []uint32 {
	bits := make([]uint32, len(numbers))
	for i, f := range numbers {
		bits[i] = math.Float32bits(f)
	}
	return bits
}

// Every float16 there is, NaNs to the bit.
func TestUnpackFloat16Every(t *testing.T) {
	every, want := make([]uint16, 1<<16), make([]float32, 1<<16)
	for i := range every {
		every[i] = uint16(i)
		want[i] = float16.Float16(i).Float32()
		if float16.Float16(i).IsNaN() {
			want[i] = math.Float32frombits(math.Float32bits(want[i]) | 1<<22) // a quiet one
		}
	}
	got, twin := zeros(len(every)), zeros(len(every))
	UnpackFloat16(got, every)
	unpackFloat16(twin, every)
	require.Equal(t, bitsOf(want), bitsOf(got))
	require.Equal(t, bitsOf(want), bitsOf(twin))

	back := make([]uint16, 1<<16)
	PackFloat16(back, got)
	for i, h := range back {
		if float16.Float16(i).IsNaN() {
			i |= halfQuiet
		}
		require.Equal(t, uint16(i), h)
	}
}

// Every sign, exponent and fraction that fits, with every kind of rest that is rounded away.
func TestPackFloat16Rests(t *testing.T) {
	rests := []uint32{0, 1, 0xfff, 0x1000, 0x1001, 0x1fff}
	src := make([]float32, 0, len(rests)<<19)
	for top := range uint32(1 << 19) {
		for _, rest := range rests {
			src = append(src, math.Float32frombits(top<<13|rest))
		}
	}
	got, twin := make([]uint16, len(src)), make([]uint16, len(src))
	PackFloat16(got, src)
	packFloat16(twin, src)
	for i, f := range src {
		if want := uint16(float16.Fromfloat32(f)); want != got[i] || want != twin[i] {
			t.Fatalf("%x: want %x, got %x, in Go %x", math.Float32bits(f), want, got[i], twin[i])
		}
	}
}

func TestFloat16Lengths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range maxLength + 1 {
		for off := range maxSkip {
			src, halves := values[float32](r, maxSkip+n), make([]uint16, maxSkip+n+maxSkip)
			for i := range halves {
				halves[i] = uint16(r.Uint32())
			}
			want := append([]uint16(nil), halves...)
			for i, f := range src[off:][:n] {
				want[(3*off)%maxSkip+i] = uint16(float16.Fromfloat32(f))
			}
			PackFloat16(halves[(3*off)%maxSkip:][:n], src[off:][:n])
			require.Equal(t, want, halves, "length %d, %d off", n, off)

			dst := values[float32](r, maxSkip+n+maxSkip)
			wide := append([]float32(nil), dst...)
			unpackFloat16(wide[off:][:n], halves[maxSkip-off:][:n])
			UnpackFloat16(dst[off:][:n], halves[maxSkip-off:][:n])
			require.Equal(t, bitsOf(wide), bitsOf(dst), "length %d, %d off", n, off)
		}
	}
}

func TestFloat16Unpaired(t *testing.T) {
	for _, c := range []struct{ dst, src int }{{1, 0}, {0, 1}, {32, 31}, {32, 33}} {
		halves, floats := make([]uint16, c.dst), zeros(c.src)
		assert.PanicsWithValue(t, unpairedHalves, func() { PackFloat16(halves, floats) })
		assert.PanicsWithValue(t, unpairedHalves, func() { UnpackFloat16(floats, halves) })
	}
}

func BenchmarkFloat16(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		halves, floats := make([]uint16, n), values[float32](rand.New(rand.NewPCG(1, 1)), n)
		for name, f := range map[string]func(){
			"Pack/by=Go":       func() { packFloat16(halves, floats) },
			"Pack/by=kernel":   func() { PackFloat16(halves, floats) },
			"Unpack/by=Go":     func() { unpackFloat16(floats, halves) },
			"Unpack/by=kernel": func() { UnpackFloat16(floats, halves) },
		} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/component")
			})
		}
	}
}
