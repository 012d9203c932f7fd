package exact

import (
	"math"
	"math/bits"

	"github.com/flatecs/flatecs/buffer/exact/internal/core"
)

// turn returns k and r with x = (k + 64j)·π/32 + r, |r| <= π/64, x finite.
func turn(x float32) (k uint32, r float64) {
	d := float64(x)
	if math.Float32bits(x)&^signBit >= 0x4b000000 { // 2²³
		return manyTurns(d)
	}
	q := float64(d*core.PerStep) + core.Magic
	n := q - core.Magic
	r = d - float64(n*core.Step1) // n has 27 bits, the first parts 26: exact
	r -= float64(n * core.Step2)
	r -= float64(n * core.Step3)
	return uint32(math.Float64bits(q)), r
}

// manyTurns is turn for arguments that need more bits of 1/2π.
func manyTurns(d float64) (k uint32, r float64) {
	k, below, h, l := core.Eighths(core.Turns(d))
	zeros := uint32(bits.LeadingZeros64(h))
	v := (h<<zeros | l>>(64-zeros)) >> 11 // 53 bits
	r = float64(float64(int64(v))*core.Scale(-53-int32(zeros))) * core.TwoPi1
	if below != (d < 0) {
		r = -r
	}
	if d < 0 {
		k = -k
	}
	return k, r
}

// sine is sin(kπ/32 + r). The cosine is sine(k+16, r).
func sine(k uint32, r float64) float64 {
	z := float64(r * r)
	s, c := core.Sine[k&63], core.Sine[(k+16)&63]
	p := core.Sine3 + float64(z*(core.Sine4+float64(z*core.Sine5)))
	q := core.Cosine4 + float64(z*(core.Cosine5+float64(z*core.Cosine6)))
	q = float64(float64(z*z)*q) - float64(.5*z)
	sr := r + float64(float64(r*z)*p)
	return s + (float64(s*q) + float64(c*sr))
}

// Sin returns the sine of x radians. Sin(±0) = ±0, Sin(±Inf) = NaN.
func Sin(x float32) float32 {
	b := math.Float32bits(x)
	switch a := b &^ signBit; {
	case a < 0x39800000: // 2⁻¹²
		d := float64(x)
		return float32(d * (1 - float64(float64(d*d)*(1./6))))
	case a >= infinite:
		return nan()
	}
	return roundSine(sine(turn(x)), b)
}

func roundSine(y float64, b uint32) float32 {
	if nearTie(y) {
		return mended(y, b, sinMends)
	}
	return float32(y)
}

// Cos returns the cosine of x radians. Cos(±Inf) = NaN.
func Cos(x float32) float32 {
	b := math.Float32bits(x) &^ signBit
	if b >= infinite {
		return nan()
	}
	k, r := turn(x)
	return roundCosine(sine(k+16, r), b)
}

func roundCosine(y float64, b uint32) float32 {
	if nearTie(y) {
		return mended(y, b, cosMends)
	}
	return float32(y)
}

// Sincos returns Sin(x), Cos(x).
func Sincos(x float32) (sin, cos float32) {
	b := math.Float32bits(x)
	a := b &^ signBit
	if a >= infinite {
		return nan(), nan()
	}
	k, r := turn(x)
	cos = roundCosine(sine(k+16, r), a)
	if a < 0x39800000 {
		return Sin(x), cos
	}
	return roundSine(sine(k, r), b), cos
}

// Tan returns the tangent of x radians. Tan(±0) = ±0, Tan(±Inf) = NaN.
func Tan(x float32) float32 {
	b := math.Float32bits(x)
	a := b &^ signBit
	if a >= infinite {
		return nan()
	}
	k, r := turn(math.Float32frombits(a))
	y := sine(k, r) / sine(k+16, r)
	z := float32(y)
	if nearTie(y) {
		z = mended(y, a, tanMends)
	}
	return math.Float32frombits(math.Float32bits(z) ^ b&signBit)
}
