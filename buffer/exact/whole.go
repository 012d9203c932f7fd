package exact

import (
	"math"

	"github.com/flatecs/flatecs/buffer/exact/internal/core"
)

// quiet returns x, or the only NaN of this package if x is NaN.
func quiet(x float32) float32 {
	if x != x {
		return nan()
	}
	return x
}

// Floor returns the greatest whole number that is not above x. Like Ceil, Trunc, Round and
// RoundToEven it keeps ±0 and ±Inf.
func Floor(x float32) float32 { return quiet(float32(math.Floor(float64(x)))) }

// Ceil returns the least whole number that is not below x.
func Ceil(x float32) float32 { return quiet(float32(math.Ceil(float64(x)))) }

// Trunc returns the whole part of x.
func Trunc(x float32) float32 { return quiet(float32(math.Trunc(float64(x)))) }

// Round returns the nearest whole number; halfway between two, the one farther from 0.
func Round(x float32) float32 { return quiet(float32(math.Round(float64(x)))) }

// RoundToEven returns the nearest whole number; halfway between two, the even one.
func RoundToEven(x float32) float32 { return quiet(float32(math.RoundToEven(float64(x)))) }

// Mod returns the remainder of x divided by y: it has the sign of x and is smaller than |y|.
// Special cases are as in [math.Mod]. It is exact.
func Mod(x, y float32) float32 {
	xb, yb := math.Float32bits(x), math.Float32bits(y)
	a, b := xb&^signBit, yb&^signBit
	switch {
	case a >= infinite || b == 0 || b > infinite:
		return nan()
	case a < b:
		return x
	}
	u, v := magnitude(a), magnitude(b)
	for {
		t := v // in steps of 28 bits of the quotient
		if n := exponent(u) - exponent(v); n > 28 {
			t = float64(v * core.Scale(n-28))
		}
		// u and t have 24 bits, so u/t < 2²⁹ is at least 2⁻²⁴ from any other whole number, and is
		// not rounded to it; the product has 53 bits, and the difference fewer.
		u -= float64(math.Trunc(u/t) * t)
		if u < v {
			return signed(float32(u), xb&signBit)
		}
	}
}

func exponent(x float64) int32 { return int32(math.Float64bits(x) >> 52) }
