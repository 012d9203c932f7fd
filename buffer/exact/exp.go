package exact

import (
	"math"

	"github.com/flatecs/flatecs/buffer/exact/internal/core"
)

// power returns k and r with x = (k + 64j)·log 2/64 + r, and j in the bits of k from the 6th up.
func power(x float64) (k int32, r float64) {
	q := float64(x*core.PerLog) + core.Magic
	n := q - core.Magic
	r = x - float64(n*core.LogStep1) - float64(n*core.LogStep23)
	return int32(math.Float64bits(q)), r
}

// exp is eˣ for |x| < 700.
func exp(x float64) float64 {
	k, r := power(x)
	t := core.Power[k&63]
	return float64(t+float64(t*core.PowerTail(r))) * core.Scale(k>>6)
}

// expm1 is eˣ − 1 for |x| < 700.
func expm1(x float64) float64 {
	k, r := power(x)
	scale := core.Scale(k >> 6)
	t := float64(core.Power[k&63] * scale)
	return (t - 1) + (float64(core.PowerRest[k&63]*scale) + float64(t*core.PowerTail(r)))
}

// Exp returns eˣ.
func Exp(x float32) float32 {
	switch {
	case x > 0x1.62e42ep6: // 88.72
		return inf(0)
	case x < -104:
		return 0
	case x != x:
		return nan()
	}
	y := exp(float64(x))
	if nearTie(y) {
		return mended(y, math.Float32bits(x), expMends)
	}
	return float32(y)
}

// Exp2 returns 2ˣ.
func Exp2(x float32) float32 {
	switch {
	case x >= 128:
		return inf(0)
	case x < -150:
		return 0
	case x != x:
		return nan()
	}
	d := float64(x)
	q := d + core.Magic/64
	n := q - core.Magic/64
	k := int32(math.Float64bits(q))
	t := core.Power[k&63]
	y := float64(t+float64(t*core.PowerTail(float64((d-n)*ln2)))) * core.Scale(k>>6)
	if nearTie(y) {
		return mended(y, math.Float32bits(x), exp2Mends)
	}
	return float32(y)
}

const ln2 = 0x1.62e42fefa39efp-1

// Expm1 returns eˣ − 1, accurate for eˣ near 1. Expm1(±0) = ±0, Expm1(-Inf) = -1.
func Expm1(x float32) float32 {
	switch {
	case x > 0x1.62e42ep6: // 88.72
		return inf(0)
	case x < -18:
		return -1
	case x == 0:
		return x
	case x != x:
		return nan()
	}
	y := expm1(float64(x))
	if nearTie(y) {
		return mended(y, math.Float32bits(x), expm1Mends)
	}
	return float32(y)
}

// Sinh returns the hyperbolic sine of x. Sinh(±0) = ±0, Sinh(±Inf) = ±Inf.
func Sinh(x float32) float32 {
	b := math.Float32bits(x)
	a := b &^ signBit
	if a > sinhMost {
		if a > infinite {
			return nan()
		}
		return inf(b & signBit)
	}
	e := expm1(magnitude(a))
	y := float64(.5 * (e + e/(1+e)))
	z := float32(y)
	if nearTie(y) {
		z = mended(y, a, sinhMends)
	}
	return signed(z, b&signBit)
}

// sinhMost are the bits of the largest argument whose hyperbolic sine and cosine are finite: 89.4.
const sinhMost = 0x42b2d4fc

// Cosh returns the hyperbolic cosine of x. Cosh(±Inf) = +Inf.
func Cosh(x float32) float32 {
	a := math.Float32bits(x) &^ signBit
	if a > sinhMost {
		if a > infinite {
			return nan()
		}
		return inf(0)
	}
	e := exp(magnitude(a))
	y := float64(.5 * (e + 1/e))
	if nearTie(y) {
		return mended(y, a, coshMends)
	}
	return float32(y)
}

// Tanh returns the hyperbolic tangent of x. Tanh(±0) = ±0, Tanh(±Inf) = ±1.
func Tanh(x float32) float32 {
	b := math.Float32bits(x)
	a := b &^ signBit
	if a > 0x41200000 { // 10
		if a > infinite {
			return nan()
		}
		return signed(1, b&signBit)
	}
	if a-1 < 0x3f200000-1 { // 0 < |x| < 5/8
		d := float64(x)
		y := d + tanhTail(d)
		if nearTie(y) {
			return signed(mended(y, a, tanhMends), b&signBit)
		}
		return float32(y)
	}
	e := expm1(2 * magnitude(a))
	y := e / (e + 2)
	z := float32(y)
	if nearTie(y) {
		z = mended(y, a, tanhMends)
	}
	return signed(z, b&signBit)
}

// tanhTail returns tanh x − x, |x| <= 5/8.
func tanhTail(x float64) float64 {
	z := float64(x * x)
	above := core.TanhAbove0 + float64(z*(core.TanhAbove1+float64(z*core.TanhAbove2)))
	below := core.TanhBelow0 + float64(z*(core.TanhBelow1+float64(z*(core.TanhBelow2+z))))
	return float64(x*z) * above / below
}
