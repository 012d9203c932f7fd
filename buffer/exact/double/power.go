package double

import (
	"math"

	"github.com/flatecs/flatecs/buffer/exact/internal/core"
)

// Exp returns eˣ.
func Exp(x float64) float64 {
	if x != x {
		return math.NaN()
	}
	return exp(core.Pair{High: x})
}

// exp is eˣ. x must not be NaN.
func exp(x core.Pair) float64 {
	switch {
	case x.High > 710:
		return math.Inf(1)
	case x.High < -746:
		return 0
	}
	q := float64(x.High*core.PerLog) + core.Magic
	n := q - core.Magic
	k := int32(math.Float64bits(q))
	r := core.TwoSum(x.High-float64(n*core.LogStep1), -float64(n*core.LogStep2)) // exact
	r = core.TwoSum(r.High, r.Low+(x.Low-float64(n*core.LogStep3)))
	t := core.Power[k&63]
	y := t + (core.PowerRest[k&63] + float64(t*(core.PowerTail(r.High)+r.Low)))
	e := k >> 6
	return float64(y*core.Scale(e>>1)) * core.Scale(e-e>>1) // rounded once, if it is subnormal
}

// Log returns the natural logarithm of x. Log(±0) = -Inf, Log(x) = NaN if x < 0.
func Log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	}
	w, r, low := logParts(x)
	z := float64(r * r)
	p := core.Log7 + float64(r*core.Log8)
	p = (core.Log5 + float64(r*core.Log6)) + float64(z*p)
	p = (core.Log3 + float64(r*core.Log4)) + float64(z*p)
	p = float64(r*p) - .5
	s := core.TwoSum(w, r)
	return s.High + (s.Low + (low + float64(z*p)))
}

// logParts returns w, r and low with ln x = w + log(1+r) + low; low is below 2⁻³⁰ and far smaller
// than the sum. x must be positive.
func logParts(x float64) (w, r, low float64) {
	scaled := 0.
	if x < 0x1p-1022 {
		x, scaled = x*0x1p54, 54
	}
	z, i, e := core.Split(x)
	e -= scaled
	h := math.Float64frombits(math.Float64bits(z) &^ (1<<29 - 1)) // 24 bits: exact times 1/c
	rs := core.TwoSum(float64(h*core.Inverse[i])-1, float64((z-h)*core.Inverse[i]))
	ws := core.TwoSum(float64(e*core.Ln21), core.Log[i])
	low = ws.Low + (float64(e*core.Ln22) + core.LogRest[i])
	return ws.High, rs.High, low + float64(rs.Low*(1-rs.High))
}

// Pow returns xʸ. Special cases are as in [math.Pow].
func Pow(x, y float64) float64 {
	if y == 0 || x == 1 {
		return 1
	}
	if x != x || y != y {
		return math.NaN()
	}
	a, large, sign := math.Abs(x), math.Abs(y) > math.MaxFloat64, 1.
	if math.Signbit(x) {
		switch whole, odd := parity(y); {
		case odd:
			sign = -1
		case !whole && a != 0 && a <= math.MaxFloat64:
			return math.NaN()
		}
	}
	switch {
	case a == 1:
		return sign
	case a == 0 || a > math.MaxFloat64 || large:
		if (a > 1) == (y > 0) {
			return math.Inf(int(sign))
		}
		return math.Copysign(0, sign)
	}
	l := logarithm(a)
	z := float64(y * l.High)
	if math.Abs(z) < 1000 {
		p := core.TwoMul(y, l.High)
		return sign * exp(core.TwoSum(p.High, p.Low+float64(y*l.Low)))
	}
	return sign * exp(core.Pair{High: z})
}

// logarithm is ln x, x positive: relative error below 2⁻⁶⁵.
func logarithm(x float64) core.Pair {
	w, r, low := logParts(x)
	z := core.TwoMul(r, r)
	p := core.LogLong9 + float64(r*core.LogLong10)
	p = (core.LogLong7 + float64(r*core.LogLong8)) + float64(z.High*p)
	p = (core.LogLong5 + float64(r*core.LogLong6)) + float64(z.High*p)
	p = (core.LogLong3 + float64(r*core.LogLong4)) + float64(z.High*p)
	s := core.TwoSum(w, r)
	t := core.TwoSum(s.High, float64(-.5*z.High))
	low += s.Low + (t.Low + (float64(-.5*z.Low) + float64(float64(r*z.High)*p)))
	return core.TwoSum(t.High, low)
}

// parity reports whether a number other than 0 is whole and odd. Inf is even.
func parity(y float64) (whole, odd bool) {
	if math.Abs(y) >= 0x1p53 {
		return true, false
	}
	n := int64(y)
	return float64(n) == y, n&1 != 0
}

// Hypot returns √(x²+y²). Special cases are as in [math.Hypot].
func Hypot(x, y float64) float64 {
	u, v := math.Abs(x), math.Abs(y)
	switch {
	case u > math.MaxFloat64 || v > math.MaxFloat64:
		return math.Inf(1)
	case u != u || v != v:
		return math.NaN()
	}
	u, v = max(u, v), min(u, v)
	scale := 1.
	switch {
	case v <= u*0x1p-60:
		return u + v
	case u > 0x1p400:
		u, v, scale = u*0x1p-600, v*0x1p-600, 0x1p600
	case v < 0x1p-400:
		u, v, scale = u*0x1p600, v*0x1p600, 0x1p-600
	}
	s := core.TwoMul(u, u).Add(core.TwoMul(v, v))
	h := math.Sqrt(s.High)
	p := core.TwoMul(h, h)
	rest := ((s.High - p.High) - p.Low) + s.Low
	return float64((h + rest/(2*h)) * scale)
}
