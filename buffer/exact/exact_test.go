package exact_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer/exact"
	"github.com/flatecs/flatecs/buffer/exact/internal/truth"
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

// edges are the limits of functions, and special numbers, each with its neighbour.
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

// A function is one of one argument, with two others that it is compared with: one of float64 that
// shares nothing with it and errs by less than 2⁻⁴⁰, and the truth, which has to be asked only where
// the first leaves the rounding open.
type function struct {
	name string
	here func(float32) float32
	math func(float64) float64
	true func(*big.Float) *big.Float
	mirror
	turns bool    // the argument is an angle
	small float64 // below it, the result is the argument, or 1 if that is the result for 0
}

// A mirror says what f(-x) is.
type mirror int

const (
	neither mirror = iota
	odd            // -f(x)
	even           // f(x)
)

var functions = []function{
	{"Sin", exact.Sin, math.Sin, truth.Sin, odd, true, 0x1p-13},
	{"Cos", exact.Cos, math.Cos, truth.Cos, even, true, 0x1p-13},
	{"Tan", exact.Tan, math.Tan, truth.Tan, odd, true, 0x1p-13},
	{"Asin", exact.Asin, math.Asin, truth.Asin, odd, false, 0x1p-13},
	{"Acos", exact.Acos, acos, truth.Acos, neither, false, 0},
	{"Atan", exact.Atan, math.Atan, truth.Atan, odd, false, 0x1p-13},
	{"Sinh", exact.Sinh, math.Sinh, truth.Sinh, odd, false, 0x1p-13},
	{"Cosh", exact.Cosh, math.Cosh, truth.Cosh, even, false, 0x1p-13},
	{"Tanh", exact.Tanh, math.Tanh, truth.Tanh, odd, false, 0x1p-13},
	{"Exp", exact.Exp, math.Exp, truth.Exp, neither, false, 0x1p-26},
	{"Exp2", exact.Exp2, math.Exp2, truth.Exp2, neither, false, 0x1p-26},
	{"Expm1", exact.Expm1, math.Expm1, truth.Expm1, neither, false, 0x1p-26},
	{"Log", exact.Log, math.Log, truth.Log, neither, false, 0},
	{"Log2", exact.Log2, log2, truth.Log2, neither, false, 0},
	{"Log10", exact.Log10, log10, truth.Log10, neither, false, 0},
	{"Log1p", exact.Log1p, math.Log1p, truth.Log1p, neither, false, 0x1p-26},
	{"Cbrt", exact.Cbrt, math.Cbrt, truth.Cbrt, odd, false, 0},
	{"Sqrt", exact.Sqrt, math.Sqrt, nil, neither, false, 0},
	{"Floor", exact.Floor, math.Floor, nil, neither, false, 0},
	{"Ceil", exact.Ceil, math.Ceil, nil, neither, false, 0},
	{"Trunc", exact.Trunc, math.Trunc, nil, odd, false, 0},
	{"Round", exact.Round, math.Round, nil, odd, false, 0},
	{"RoundToEven", exact.RoundToEven, math.RoundToEven, nil, odd, false, 0},
}

// Functions of package math lose small differences: acos near 1, logarithms above 1.

func acos(x float64) float64  { return math.Atan2(math.Sqrt((1-x)*(1+x)), x) }
func log2(x float64) float64  { return math.Log(x) * (1 / math.Ln2) }
func log10(x float64) float64 { return math.Log(x) * (1 / math.Ln10) }

const oneNaN = 0x7fc00000

// bits returns the bits of the result for the argument's.
func (f *function) bits(argument uint32) uint32 {
	return math.Float32bits(f.here(math.Float32frombits(argument)))
}

// right returns what the truth is for the argument, both as bits, and whether it had to be asked.
func (f *function) right(argument uint32) (bits uint32, asked bool) {
	x := float64(math.Float32frombits(argument))
	if math.Abs(x) < f.small { // what f adds is below half a unit of the last place
		if f.math(0) == 0 {
			return argument, false
		}
		return math.Float32bits(1), false
	}
	near := f.math(x)
	if near != near {
		return oneNaN, false
	}
	rounded := math.Float32bits(float32(near))
	if size := math.Abs(near); f.true != nil && size > 0x1p-160 && size < 0x1p200 {
		e := near * 0x1p-40
		if f.turns && math.Abs(x) > 1 { // 64 bits of a turn, and no more where few are left
			e += math.Copysign(0x1p-54, near) * (1 + near*near)
		}
		if float32(near-e) != float32(near+e) {
			return math.Float32bits(truth.Round32(f.true(truth.Of(x)))), true
		}
	}
	return rounded, false
}

// each calls see for one argument of so many, and, where f has a mirror, for its negative.
func (f *function) each(stride uint64, see func(argument, got, want uint32, asked bool)) {
	end := uint64(1) << 32
	if f.mirror != neither {
		end /= 2
	}
	for b := uint64(0); b < end; b += stride {
		argument := uint32(b)
		want, asked := f.right(argument)
		see(argument, f.bits(argument), want, asked)
		if f.mirror == neither {
			continue
		}
		argument |= 1 << 31
		if f.mirror == odd && want != oneNaN {
			want ^= 1 << 31
		}
		see(argument, f.bits(argument), want, false)
	}
}

// some is the stride of sums that are taken on every machine.
const some = 262147

// mix makes a sum in which no result can stand for another.
func mix(argument, got uint32) uint64 {
	h := (uint64(argument)<<32 | uint64(got)) * 0x9e3779b97f4a7c15
	return (h ^ h>>32) * 0xd6e8feb86659fd93
}
