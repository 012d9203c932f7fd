package exact_test

import (
	"math"
	"math/big"

	"github.com/flatecs/flatecs/world/exact"
	"github.com/flatecs/flatecs/world/exact/internal/truth"
)

// A function is one of one argument, with two others that it is compared with: one of float64 that
// shares nothing with it and errs by less than 2⁻⁴⁰, and the truth, which has to be asked only where
// the first leaves the rounding open.
type function struct {
	name string
	here func(float32) float32
	math func(float64) float64
	true func(*big.Float) *big.Float
	odd  bool // or even
	even bool
}

var functions = []function{
	{"Sin", exact.Sin, math.Sin, truth.Sin, true, false},
	{"Cos", exact.Cos, math.Cos, truth.Cos, false, true},
	{"Tan", exact.Tan, math.Tan, truth.Tan, true, false},
	{"Asin", exact.Asin, math.Asin, truth.Asin, true, false},
	{"Acos", exact.Acos, acos, truth.Acos, false, false},
	{"Atan", exact.Atan, math.Atan, truth.Atan, true, false},
	{"Sinh", exact.Sinh, math.Sinh, truth.Sinh, true, false},
	{"Cosh", exact.Cosh, math.Cosh, truth.Cosh, false, true},
	{"Tanh", exact.Tanh, math.Tanh, truth.Tanh, true, false},
	{"Exp", exact.Exp, math.Exp, truth.Exp, false, false},
	{"Exp2", exact.Exp2, math.Exp2, truth.Exp2, false, false},
	{"Expm1", exact.Expm1, math.Expm1, truth.Expm1, false, false},
	{"Log", exact.Log, math.Log, truth.Log, false, false},
	{"Log2", exact.Log2, log2, truth.Log2, false, false},
	{"Log10", exact.Log10, log10, truth.Log10, false, false},
	{"Log1p", exact.Log1p, math.Log1p, truth.Log1p, false, false},
	{"Cbrt", exact.Cbrt, math.Cbrt, truth.Cbrt, true, false},
	{"Sqrt", exact.Sqrt, math.Sqrt, nil, false, false},
	{"Floor", exact.Floor, math.Floor, nil, false, false},
	{"Ceil", exact.Ceil, math.Ceil, nil, false, false},
	{"Trunc", exact.Trunc, math.Trunc, nil, true, false},
	{"Round", exact.Round, math.Round, nil, true, false},
	{"RoundToEven", exact.RoundToEven, math.RoundToEven, nil, true, false},
}

// Package math's own lose what is small: acos near 1, logarithms above 1.

func acos(x float64) float64  { return math.Atan2(math.Sqrt((1-x)*(1+x)), x) }
func log2(x float64) float64  { return math.Log(x) * (1 / math.Ln2) }
func log10(x float64) float64 { return math.Log(x) * (1 / math.Ln10) }

const oneNaN = 0x7fc00000

// right says whether got is the truth for the argument, both as bits, and whether the truth had to
// be asked.
func (f *function) right(argument, got uint32) (ok, asked bool) {
	x := float64(math.Float32frombits(argument))
	near := f.math(x)
	if y := float64(math.Float32frombits(got)); y == near {
		// Both are exact, or an infinity, or zeros: nothing is nearer.
		return y != 0 || got>>31 == uint32(math.Float64bits(near)>>63), false
	}
	if near != near {
		return got == oneNaN, false
	}
	if size := math.Abs(near); size > 0x1p-160 && size < 0x1p200 {
		e := near * 0x1p-40
		low := float32(near - e)
		if math.Float32bits(low) == math.Float32bits(float32(near+e)) {
			return math.Float32bits(low) == got, false
		}
		if f.true != nil {
			return math.Float32bits(truth.Round32(f.true(truth.Of(x)))) == got, true
		}
	}
	return math.Float32bits(float32(near)) == got, false
}

// mix makes a sum in which no result can stand for another.
func mix(argument, got uint32) uint64 {
	h := (uint64(argument)<<32 | uint64(got)) * 0x9e3779b97f4a7c15
	return (h ^ h>>32) * 0xd6e8feb86659fd93
}

func (f *function) truth(argument uint32) uint32 {
	x := float64(math.Float32frombits(argument))
	if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 1e4 {
		return math.Float32bits(float32(f.math(x)))
	}
	return math.Float32bits(truth.Round32(f.true(truth.Of(x))))
}
