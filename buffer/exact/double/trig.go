package double

import (
	"math"
	"math/bits"

	"github.com/flatecs/flatecs/buffer/exact/internal/core"
)

// turn returns k and r with x = (k + 64j)·π/32 + r, |r| <= π/64, x finite.
func turn(x float64) (k uint32, r core.Pair) {
	if a := math.Abs(x); a >= 0x1p23 {
		return manyTurns(x)
	}
	q := float64(x*core.PerStep) + core.Magic
	n := q - core.Magic
	r = core.TwoSum(x-float64(n*core.Step1), -float64(n*core.Step2)) // three exact numbers
	p := float64(n * core.Step3)                                     // the error is 2⁻⁸¹
	high := r.High - p
	r = core.Pair{High: high, Low: ((r.High - high) - p) + r.Low}
	if n != 0 && math.Abs(high) < 0x1p-20 {
		return manyTurns(x)
	}
	return uint32(math.Float64bits(q)), r
}

// manyTurns is turn for arguments that need more bits of 1/2π.
func manyTurns(x float64) (k uint32, r core.Pair) {
	k, below, h, l := core.Eighths(core.Turns(x))
	zeros := uint32(bits.LeadingZeros64(h))
	h, l = h<<zeros|l>>(64-zeros), l<<zeros
	// 53 bits, and 53 more
	first := float64(float64(int64(h>>11)) * core.Scale(-53-int32(zeros)))
	second := float64(float64(int64(h<<53>>11|l>>22)) * core.Scale(-106-int32(zeros)))
	r = core.TwoMul(first, core.TwoPi1)
	r.Low += float64(first*core.TwoPi2) + float64(second*core.TwoPi1)
	if below != (x < 0) {
		r = r.Neg()
	}
	if x < 0 {
		k = -k
	}
	return k, r
}

// sine is sin(kπ/32 + r). The cosine is sine(k+16, r).
func sine(k uint32, r core.Pair) float64 {
	i, j := k&63, (k+16)&63
	s, c, x := core.Sine[i], core.Sine[j], r.High
	z := float64(x * x)
	p := core.Sine3 + float64(z*(core.Sine4+float64(z*core.Sine5)))
	p = r.Low + float64(float64(x*z)*p) // sin r = x + p
	q := core.Cosine4 + float64(z*(core.Cosine5+float64(z*core.Cosine6)))
	q = float64(float64(z*z)*q) - (float64(.5*z) + float64(x*r.Low)) // cos r = 1 + q
	m := core.TwoMul(c, x)
	a := core.TwoSum(s, m.High)
	low := core.SineRest[i] + float64(core.SineRest[j]*x) + float64(s*q) + float64(c*p)
	return a.High + (a.Low + (m.Low + low))
}

// Sin returns the sine of x radians. Sin(±0) = ±0, Sin(±Inf) = NaN.
func Sin(x float64) float64 {
	switch {
	case x == 0:
		return x
	case x-x != 0:
		return math.NaN()
	}
	return sine(turn(x))
}

// Cos returns the cosine of x radians. Cos(±Inf) = NaN.
func Cos(x float64) float64 {
	if x-x != 0 {
		return math.NaN()
	}
	k, r := turn(x)
	return sine(k+16, r)
}

// Sincos returns Sin(x), Cos(x).
func Sincos(x float64) (sin, cos float64) {
	switch {
	case x == 0:
		return x, 1
	case x-x != 0:
		return math.NaN(), math.NaN()
	}
	k, r := turn(x)
	return sine(k, r), sine(k+16, r)
}
