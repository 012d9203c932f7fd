package exact_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer/exact"
)

// TestResults: one of 262147 arguments, on this machine, is right, and all of these results together
// are what they were where all arguments were tried.
func TestResults(t *testing.T) {
	read := readProofs(t)
	for i := range functions {
		f := &functions[i]
		sum := uint64(0)
		f.each(some, func(argument, got, want uint32, _ bool) {
			require.Equal(t, want, got, "%s(%#08x): %#08x, want %#08x", f.name, argument, got, want)
			sum += mix(argument, got)
		})
		assert.Equal(t, read[f.name].some, sum, "%s: %016x", f.name, sum)
	}
}

// edges are where functions begin and end, and what is no number, each beside what follows it.
var edges = []float32{
	0, 0x1p-149, 0x1p-126, 0x1p-27, 0x1p-24, 0x1p-12, 0x1p-7, 0x1p-6, .5, .625, .70710677, 1, 2, 10,
	9.010913, 17.32868, 18, 88.72283, 88.722835, 89.41598, 103.97207, 104, 126, 128, 149, 150,
	0x1p22, 0x1p23, 0x1p24, 0x1p52, math.MaxFloat32, float32(math.Inf(1)),
}

func TestEdges(t *testing.T) {
	for i := range functions {
		f := &functions[i]
		for _, x := range edges {
			middle := math.Float32bits(x)
			for b := middle - min(middle, 3); b <= middle+3; b++ {
				for _, b := range []uint32{b, b | 1<<31} {
					want, _ := f.right(b)
					assert.Equal(t, want, f.bits(b), "%s(%g)", f.name, math.Float32frombits(b))
				}
			}
		}
		for _, b := range []uint32{0x7fc00000, 0x7f800001, 0x7fffffff, 0xffc00000, 0xff812345} {
			assert.Equal(t, uint32(oneNaN), f.bits(b), "%s of a NaN, %#08x", f.name, b)
		}
	}
}

// TestMends: what mends.go lists is the truth, and what functions return.
func TestMends(t *testing.T) {
	all := exact.Mends()
	for i := range functions {
		f := &functions[i]
		for argument, result := range all[f.name] {
			want, _ := f.right(argument)
			assert.Equal(t, want, result, "%s(%#08x)", f.name, argument)
			assert.Equal(t, want, f.bits(argument), "%s(%#08x)", f.name, argument)
			if f.mirror != neither {
				want, _ = f.right(argument ^ 1<<31)
				assert.Equal(t, want, f.bits(argument^1<<31), "%s(%#08x)", f.name, argument)
			}
		}
	}
}

func TestSincosIsSinAndCos(t *testing.T) {
	see := func(x float32) {
		s, c := exact.Sincos(x)
		require.Equal(t, math.Float32bits(exact.Sin(x)), math.Float32bits(s), "%g", x)
		require.Equal(t, math.Float32bits(exact.Cos(x)), math.Float32bits(c), "%g", x)
	}
	for b := uint64(0); b < 1<<32; b += some {
		see(math.Float32frombits(uint32(b)))
	}
	all := exact.Mends()
	for _, name := range []string{"Sin", "Cos"} {
		for argument := range all[name] {
			see(math.Float32frombits(argument))
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	x := float32(0)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		for i := range functions {
			x += functions[i].here(.5)
		}
		for i := range pairs {
			x += pairs[i].here(2, .5) + pairs[i].here(81, 2)
		}
	}))
	sink = x
}
