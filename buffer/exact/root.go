package exact

import (
	"math"

	"github.com/flatecs/flatecs/buffer/exact/internal/core"
)

// Sqrt returns the square root of x. Sqrt(±0) = ±0, Sqrt(x) = NaN if x < 0.
func Sqrt(x float32) float32 { return quiet(float32(math.Sqrt(float64(x)))) }

// Cbrt returns the cube root of x. Cbrt(±0) = ±0, Cbrt(±Inf) = ±Inf.
func Cbrt(x float32) float32 {
	b := math.Float32bits(x)
	a := b &^ signBit
	if a >= infinite || a == 0 {
		if a > infinite {
			return nan()
		}
		return x
	}
	d := math.Float64bits(magnitude(a))
	e := uint32(d>>52) - 1023 + 3*64 // > 0
	q := e / 3
	s := e - 3*q
	m := math.Float64frombits(d&(1<<52-1) | 1023<<52)
	z := float64(m * m)
	t := core.Cube2 + float64(m*core.Cube3) + float64(z*(core.Cube4+float64(m*core.Cube5)))
	t = (core.Cube0 + float64(m*core.Cube1)) + float64(z*t)
	t = float64(t * core.Cube[s])
	m = float64(m * float64(uint32(1)<<s))
	c := float64(float64(t*t) * t)
	t += float64(t*(m-c)) / (float64(2*c) + m) // Halley's step
	y := float64(t * core.Scale(int32(q)-64))
	r := float32(y)
	if nearTie(y) {
		r = mended(y, a, cbrtMends)
	}
	return signed(r, b&signBit)
}

// Hypot returns √(x²+y²). Special cases are as in [math.Hypot]; the result is correctly rounded for
// all arguments.
func Hypot(x, y float32) float32 {
	a, b := float64(x), float64(y)
	s := core.TwoSum(float64(a*a), float64(b*b)) // products of 48 bits are exact
	h := math.Sqrt(s.High)
	if h > 0x1p-126 && h < 0x1.ffffffp127 && !nearTie(h) {
		return float32(h)
	}
	switch {
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		return inf(0)
	case h != h:
		return nan()
	case h == 0:
		return 0
	}
	p := core.TwoMul(h, h)
	rest := ((s.High - p.High) - p.Low) + s.Low // has the sign of √ − h
	return round32(core.Pair{High: h, Low: rest}.Odd(0))
}
