package double

import (
	"math"

	"github.com/flatecs/flatecs/buffer/exact/internal/core"
)

// Atan2 returns the angle of the point (x, y), in radians from -π to π: the arc tangent of y/x, in
// the quadrant given by their signs. Special cases are as in [math.Atan2].
func Atan2(y, x float64) float64 {
	u, v, left := math.Abs(y), math.Abs(x), math.Signbit(x)
	switch {
	case u != u || v != v:
		return math.NaN()
	case u > math.MaxFloat64 && v > math.MaxFloat64:
		u, v = 1, 1
	case u > math.MaxFloat64:
		u, v = 1, 0
	case u == 0 || v > math.MaxFloat64:
		u, v = 0, 1
	}
	swap := u > v
	if swap {
		u, v = v, u
	}
	t := core.Pair{High: u / v}
	if float64(t.High*0x1p60) >= 1 {
		t = arc(u, v)
	}
	half := core.Pair{High: core.Pi1 / 2, Low: core.Pi2 / 2}
	switch {
	case swap && left:
		t = half.Add(t)
	case swap:
		t = half.Add(t.Neg())
	case left:
		t = core.Pair{High: core.Pi1, Low: core.Pi2}.Add(t.Neg())
	}
	return math.Copysign(t.High+t.Low, y)
}

// arc is the angle whose tangent is u/v, 2⁻⁶¹v <= u <= v.
func arc(u, v float64) core.Pair {
	switch {
	case v > 0x1p900:
		u, v = u*0x1p-200, v*0x1p-200
	case v < 0x1p-800:
		u, v = u*0x1p200, v*0x1p200
	}
	i := int32(float64(16*(u/v)) + .5)
	c := float64(i) * (1. / 16) // of 5 bits: exact times half of u or v
	uh, vh := upper(u), upper(v)
	n := core.TwoSum(u-float64(c*vh), -float64(c*(v-vh)))
	d := core.TwoSum(v, float64(c*uh))
	d = core.TwoSum(d.High, d.Low+float64(c*(u-uh)))
	r := n.High / d.High
	p := core.TwoMul(r, d.High)
	rest := (((n.High - p.High) - p.Low) + (n.Low - float64(r*d.Low))) / d.High
	t := core.TwoSum(core.Arc[i], r)
	t.Low += core.ArcRest[i] + (rest + core.ArcTail(r))
	return core.TwoSum(t.High, t.Low)
}

// upper returns x without the lower half of its bits.
func upper(x float64) float64 { return math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1)) }
