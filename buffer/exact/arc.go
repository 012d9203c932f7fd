package exact

import (
	"math"

	"github.com/flatecs/flatecs/buffer/exact/internal/core"
)

// arc is the angle whose tangent is u/v, 0 <= u <= v, 0 < v.
func arc(u, v float64) float64 {
	i := int32(float64(16*(u/v)) + .5)
	c := float64(i) * (1. / 16)
	r := (u - float64(c*v)) / (v + float64(c*u))
	return core.Arc[i] + (r + core.ArcTail(r))
}

// quarter is arc for any u and v that are not negative, and not both 0.
func quarter(u, v float64) float64 {
	if u > v {
		return core.Pi1/2 - arc(v, u)
	}
	return arc(u, v)
}

// Atan returns the arc tangent of x, in radians. Atan(±0) = ±0, Atan(±Inf) = ±π/2.
func Atan(x float32) float32 {
	b := math.Float32bits(x)
	a := b &^ signBit
	if a >= infinite {
		if a > infinite {
			return nan()
		}
		a = infinite - 1
	}
	y := quarter(magnitude(a), 1)
	z := float32(y)
	if nearTie(y) {
		z = mended(y, a, atanMends)
	}
	return signed(z, b&signBit)
}

// arcSine is the angle of sine u and cosine v, not negative.
func arcSine(u, v float64) float64 {
	swap := u > v
	if swap {
		u, v = v, u
	}
	k := int32(float64(u*(32/math.Pi+float64(float64(u*u)*2.24))) + .5) // nearly the nearest kπ/32
	r := float64(u*core.Sine[k+16]) - float64(v*core.Sine[k])           // sine of the rest
	z := float64(r * r)
	p := (core.ArcSine3 + float64(z*core.ArcSine4)) +
		float64(float64(z*z)*(core.ArcSine5+float64(z*core.ArcSine6)))
	y := float64(float64(k)*(core.Pi1/32)) + (r + float64(float64(r*z)*p))
	if swap {
		return core.Pi1/2 - y
	}
	return y
}

// Asin returns the arc sine of x, in radians. Asin(±0) = ±0, Asin(x) = NaN if |x| > 1.
func Asin(x float32) float32 {
	b := math.Float32bits(x)
	a := b &^ signBit
	if a > one {
		return nan()
	}
	d := magnitude(a)
	y := arcSine(d, math.Sqrt(1-float64(d*d)))
	z := float32(y)
	if nearTie(y) {
		z = mended(y, a, asinMends)
	}
	return signed(z, b&signBit)
}

// Acos returns the arc cosine of x, in radians. Acos(x) = NaN if |x| > 1.
func Acos(x float32) float32 {
	b := math.Float32bits(x)
	a := b &^ signBit
	if a > one {
		return nan()
	}
	d := magnitude(a)
	y := arcSine(math.Sqrt(1-float64(d*d)), d)
	if a != b {
		y = core.Pi1 - y
	}
	if nearTie(y) {
		return mended(y, b, acosMends)
	}
	return float32(y)
}

// Atan2 returns the angle of the point (x, y), in radians from -π to π: the arc tangent of y/x, in
// the quadrant given by their signs. Special cases are as in [math.Atan2].
func Atan2(y, x float32) float32 {
	ub, vb := math.Float32bits(y), math.Float32bits(x)
	sign, left := ub&signBit, vb&signBit != 0
	ub, vb = ub&^signBit, vb&^signBit
	if ub >= infinite || vb >= infinite || ub == 0 {
		switch {
		case ub > infinite || vb > infinite:
			return nan()
		case ub == infinite && vb == infinite:
			ub, vb = one, one
		case ub == infinite:
			ub, vb = one, 0
		default: // y is 0, or x infinite
			ub, vb = 0, one
		}
	}
	swap := ub > vb
	if swap {
		ub, vb = vb, ub
	}
	u, v := magnitude(ub), magnitude(vb)
	t := arc(u, v)
	switch {
	case swap && left:
		t = core.Pi1/2 + t
	case swap:
		t = core.Pi1/2 - t
	case left:
		t = core.Pi1 - t
	}
	w := float64(t * 0x1p-48) // more than the error of arc
	z := float32(t - w)
	if float32(t+w) != z {
		z = float32(arcSlow(u, v, swap, left).Odd(0))
	}
	return signed(z, sign)
}

// arcSlow is the angle of u/v, in the half-plane that swap and left select for Atan2, in 106 bits.
func arcSlow(u, v float64, swap, left bool) core.Pair {
	i := int32(float64(16*(u/v)) + .5)
	c := float64(i) * (1. / 16)
	r := core.Pair{High: u - float64(c*v)}.Div(core.TwoSum(v, float64(c*u)))
	if i == 0 && !swap && !left && r.High < 0x1p-40 {
		if r.Low == 0 { // r - r³/3: below r by less than a Pair shows
			r.Low = -float64(r.High * 0x1p-60)
		}
		return r
	}
	z := r.Mul(r).Neg()
	unit := core.Pair{High: 1}
	p := unit.Div(core.Pair{High: 23})
	for n := 21.; n > 0; n -= 2 {
		p = p.Mul(z).Add(unit.Div(core.Pair{High: n}))
	}
	t := p.Mul(r).Add(core.Pair{High: core.Arc[i], Low: core.ArcRest[i]})
	pi := core.Pair{High: core.Pi1, Low: core.Pi2}
	half := core.Pair{High: core.Pi1 / 2, Low: core.Pi2 / 2}
	switch {
	case swap && left:
		return half.Add(t)
	case swap:
		return half.Add(t.Neg())
	case left:
		return pi.Add(t.Neg())
	}
	return t
}
