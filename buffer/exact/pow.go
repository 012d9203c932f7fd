package exact

import (
	"math"

	"github.com/flatecs/flatecs/buffer/exact/internal/core"
)

// Pow returns xʸ. Special cases are as in [math.Pow].
func Pow(x, y float32) float32 {
	xb, yb := math.Float32bits(x), math.Float32bits(y)
	if yb&^signBit == 0 || xb == one {
		return 1
	}
	a := xb &^ signBit
	if a > infinite || yb&^signBit > infinite {
		return nan()
	}
	var sign uint32
	if xb != a {
		switch whole, odd := parity(yb); {
		case odd:
			sign = signBit
		case !whole && a != 0 && a != infinite:
			return nan()
		}
	}
	switch {
	case a == one:
		return signed(1, sign)
	case a == 0 || a == infinite || yb&^signBit == infinite:
		if (a > one) == (yb < signBit) {
			return inf(sign)
		}
		return signed(0, sign)
	}
	d := magnitude(a)
	z := float64(float64(y) * logarithm(d))
	switch {
	case z > 89:
		return inf(sign)
	case z < -105:
		return signed(0, sign)
	}
	// |z| times the error of the logarithm, 1.7 of 2⁻⁵², plus the error of exp: 2⁻⁴⁴·¹; and a
	// margin.
	v := exp(z)
	w := float64(v * 0x1p-42)
	r := round32(v - w)
	if round32(v+w) != r {
		r = round32(expSlow(logSlow(d).Mul(core.Pair{High: float64(y)})).Odd(0x1p-90))
	}
	return signed(r, sign)
}

// parity reports whether a number other than 0, given by its bits, is whole and odd. Inf is even.
func parity(b uint32) (whole, odd bool) {
	e := b >> 23 & 0xff
	switch {
	case e < 127:
		return false, false
	case e > 150:
		return true, false
	}
	m, unit := b&0x7fffff|0x800000, uint32(1)<<(150-e)
	return m&(unit-1) == 0, m&(2*unit-1) == unit
}

// logSlow is ln x of a positive normal x of 24 bits: relative error about 2⁻¹⁰².
func logSlow(x float64) core.Pair {
	z, i, e := core.Split(x)
	r := float64(z*core.Inverse[i]) - 1 // exact
	s := core.Pair{High: r}.Div(core.TwoSum(2, r))
	square := s.Mul(s)
	unit := core.Pair{High: 1}
	p := unit.Div(core.Pair{High: 19}) // log(1+r) = 2 atanh r/(2+r)
	for n := 17.; n > 0; n -= 2 {
		p = p.Mul(square).Add(unit.Div(core.Pair{High: n}))
	}
	p = p.Mul(core.Pair{High: 2 * s.High, Low: 2 * s.Low})
	w := core.Pair{High: float64(e * core.Ln21)}.Add(core.TwoMul(e, core.Ln22))
	w = w.Add(core.Pair{High: float64(e * core.Ln23)})
	return w.Add(core.Pair{High: core.Log[i], Low: core.LogRest[i]}).Add(p)
}

// expSlow is eˣ, |x| < 700: relative error about 2⁻¹⁰².
func expSlow(x core.Pair) core.Pair {
	q := float64(x.High*core.PerLog) + core.Magic
	n := q - core.Magic
	k := int32(math.Float64bits(q))
	r := core.TwoSum(x.High-float64(n*core.LogStep1), -float64(n*core.LogStep2))
	r = r.Add(core.TwoSum(x.Low, -float64(n*core.LogStep3)))
	p := core.Pair{High: 1}
	for n := 13.; n > 0; n-- {
		p = r.Mul(p).Div(core.Pair{High: n}).Add(core.Pair{High: 1})
	}
	p = p.Mul(core.Pair{High: core.Power[k&63], Low: core.PowerRest[k&63]})
	s := core.Scale(k >> 6)
	return core.Pair{High: float64(p.High * s), Low: float64(p.Low * s)}
}
