package double_test

import (
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/buffer/exact/double"
	"github.com/flatecs/flatecs/buffer/exact/internal/truth"
)

var samples = flag.Int("samples", 100, "arguments of a range")

// limit is above what the worst of a million arguments err by: half a unit of the last place, and a
// quarter where results are subnormal and rounded twice.
const limit = .76

// draws are ways to draw an argument.

type draw = func(r *rand.Rand) float64

func even(low, high float64) draw {
	return func(r *rand.Rand) float64 { return low + r.Float64()*(high-low) }
}

// sized draws any sign and mantissa, and an exponent from a range.
func sized(low, high int) draw {
	return func(r *rand.Rand) float64 {
		return math.Ldexp(math.Float64frombits(r.Uint64()&^(0x7ff<<52)|1023<<52), low+r.IntN(high-low))
	}
}

func positive(d draw) draw { return func(r *rand.Rand) float64 { return math.Abs(d(r)) } }

// multiple draws a number next to a multiple of π/4.
func multiple(r *rand.Rand) float64 {
	n := truth.Of(float64(r.IntN(1 << (1 + r.IntN(30)))))
	x, _ := truth.Mul(n, truth.Scale(truth.Pi, -2)).Float64()
	return x
}

func TestOneArgument(t *testing.T) {
	sin := func(x float64) float64 { s, _ := double.Sincos(x); return s }
	cos := func(x float64) float64 { _, c := double.Sincos(x); return c }
	angles := []draw{even(-10, 10), sized(-40, 2), sized(0, 30), sized(23, 1024), multiple, sized(-1000, 1000)}
	for _, f := range []struct {
		name string
		here func(float64) float64
		true func(*big.Float) *big.Float
		from []draw
	}{
		{"Sin", double.Sin, truth.Sin, angles},
		{"Cos", double.Cos, truth.Cos, angles},
		{"sin of Sincos", sin, truth.Sin, angles},
		{"cos of Sincos", cos, truth.Cos, angles},
		{"Exp", double.Exp, truth.Exp, []draw{even(-10, 10), even(-708, 709), even(-745, -700), sized(-60, 3)}},
		{"Log", double.Log, truth.Log, []draw{even(0, 10), even(.9, 1.1), positive(sized(-1074, 1024)), even(.999, 1.001)}},
	} {
		t.Run(f.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for i, from := range f.from {
				worst := 0.
				for range *samples {
					x := from(r)
					got := f.here(x)
					away := truth.Ulps(got, f.true(truth.Of(x)))
					worst = max(worst, away)
					if away >= limit {
						t.Errorf("%g: %g, %v away", x, got, away)
						break
					}
				}
				t.Logf("range %d: %.3f", i, worst)
			}
		})
	}
}

func TestTwoArguments(t *testing.T) {
	angle := func(y, x float64) (*big.Float, bool) {
		if x == 0 || y == 0 {
			return nil, false
		}
		return truth.Atan2(truth.Of(y), truth.Of(x)), true
	}
	power := func(x, y float64) (*big.Float, bool) {
		if x <= 0 || x == 1 {
			return nil, false
		}
		l := truth.Mul(truth.Log(truth.Of(x)), truth.Of(y))
		size, _ := l.Float64()
		if size > 709.7 || size < -745 {
			return nil, false
		}
		return truth.Exp(l), true
	}
	hypot := func(x, y float64) (*big.Float, bool) {
		return truth.Hypot(truth.Of(x), truth.Of(y)), math.Hypot(x, y) < math.MaxFloat64
	}
	result := func(r *rand.Rand, x float64) float64 { return (r.Float64()*1450 - 743) / math.Log(x) }
	for _, f := range []struct {
		name string
		here func(x, y float64) float64
		true func(x, y float64) (want *big.Float, judged bool)
		from []func(r *rand.Rand) (x, y float64)
	}{
		{"Atan2", double.Atan2, angle, both},
		{"Hypot", double.Hypot, hypot, both},
		{"Pow", double.Pow, power, []func(r *rand.Rand) (x, y float64){
			func(r *rand.Rand) (x, y float64) { return r.Float64() * 10, r.Float64()*8 - 4 },
			func(r *rand.Rand) (x, y float64) {
				x = positive(sized(-1074, 1024))(r)
				return x, result(r, x)
			},
			func(r *rand.Rand) (x, y float64) {
				x = 1 + (r.Float64()-.5)*math.Ldexp(1, -r.IntN(50))
				return x, result(r, x)
			},
			func(r *rand.Rand) (x, y float64) { return float64(r.IntN(300)), float64(r.IntN(20) - 8) },
		}},
	} {
		t.Run(f.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for i, from := range f.from {
				worst := 0.
				for range *samples {
					x, y := from(r)
					want, judged := f.true(x, y)
					if !judged {
						continue
					}
					got := f.here(x, y)
					away := truth.Ulps(got, want)
					worst = max(worst, away)
					if away >= limit {
						t.Errorf("%g, %g: %g, %v away", x, y, got, away)
						break
					}
				}
				t.Logf("range %d: %.3f", i, worst)
			}
		})
	}
}

// both draws points.
var both = []func(r *rand.Rand) (x, y float64){
	func(r *rand.Rand) (x, y float64) { return even(-10, 10)(r), even(-10, 10)(r) },
	func(r *rand.Rand) (x, y float64) { return sized(-1074, 1024)(r), sized(-1074, 1024)(r) },
	func(r *rand.Rand) (x, y float64) {
		x = sized(-1074, 960)(r)
		return x, x * sized(-62, 63)(r)
	},
	func(r *rand.Rand) (x, y float64) { return sized(-1074, -1020)(r), sized(-1074, -1020)(r) },
	func(r *rand.Rand) (x, y float64) { return sized(1010, 1023)(r), sized(980, 1023)(r) },
}

// TestSpecialCases: NaN, infinities and 0 give the results of package math.
func TestSpecialCases(t *testing.T) {
	inf := math.Inf(1)
	specials := []float64{
		0, math.Copysign(0, -1), 1, -1, inf, -inf, math.NaN(), 2, -2, 3, -3, .5, -.5, 1e300, -1e300,
		1e-300, -1e-300, 5e-324, -5e-324, math.MaxFloat64, -math.MaxFloat64, 710, -746, 1 << 53, 1<<53 + 2,
	}
	same := func(name string, got, want float64, arguments ...float64) {
		if want != want {
			want = math.NaN()
		}
		if want != want || got != got || want == 0 || math.IsInf(want, 0) {
			assert.Equal(t, math.Float64bits(want), math.Float64bits(got), "%s%v: %v, want %v", name, arguments, got, want)
		} else if largest := slices.Max(arguments); largest > math.MaxFloat64 || slices.Contains(arguments, 0) {
			assert.InEpsilon(t, want, got, 1e-14, "%s%v", name, arguments)
		}
	}
	for _, x := range specials {
		same("Sin", double.Sin(x), math.Sin(x), x)
		same("Cos", double.Cos(x), math.Cos(x), x)
		s, c := double.Sincos(x)
		same("Sincos", s, double.Sin(x), x)
		same("Sincos", c, double.Cos(x), x)
		same("Exp", double.Exp(x), math.Exp(x), x)
		same("Log", double.Log(x), math.Log(x), x)
		for _, y := range specials {
			same("Atan2", double.Atan2(x, y), math.Atan2(x, y), x, y)
			same("Pow", double.Pow(x, y), math.Pow(x, y), x, y)
			same("Hypot", double.Hypot(x, y), math.Hypot(x, y), x, y)
		}
	}
}
