// Package truth implements elementary functions over math/big: the slow reference that generates
// the tables of buffer/exact and checks its results. The two share no code. A result is accurate to
// about 2⁻²⁰⁰ of its size, or of the argument's size if it is a small difference.
//
// One argument: [Sin], [Cos], [Tan], [Asin], [Acos], [Atan], [Sinh], [Cosh], [Tanh], [Exp], [Exp2],
// [Expm1], [Log], [Log2], [Log10], [Log1p], [Cbrt]. Two: [Pow], [Atan2], [Hypot]. Numbers: [Of],
// [Round32], [Ulps].
package truth

import (
	"math"
	"math/big"
)

// Bits is the precision of results; π for the reduction of angles up to 2¹⁰²⁴ has wide bits.
const (
	Bits = 320
	wide = 1600
)

// Pi and Ln2 are π, with bits for the reduction of every float64, and the logarithm of 2.
var (
	Pi  = machin()
	Ln2 = Log1p(Of(1))
)

func zero() *big.Float { return new(big.Float).SetPrec(Bits) }

// Of returns x, with room for Bits.
func Of(x float64) *big.Float { return zero().SetFloat64(x) }

// Add returns a+b, and Sub, Mul and Quo are named like it.
func Add(a, b *big.Float) *big.Float { return zero().Add(a, b) }

// Sub returns a-b.
func Sub(a, b *big.Float) *big.Float { return zero().Sub(a, b) }

// Mul returns a·b.
func Mul(a, b *big.Float) *big.Float { return zero().Mul(a, b) }

// Quo returns a/b.
func Quo(a, b *big.Float) *big.Float { return zero().Quo(a, b) }

// Scale returns a·2ⁿ.
func Scale(a *big.Float, n int) *big.Float { return zero().SetMantExp(a, n) }

// machin returns π = 16 atan 1/5 − 4 atan 1/239.
func machin() *big.Float {
	atan := func(times, n int64) *big.Float {
		sum := new(big.Float).SetPrec(wide)
		power := new(big.Float).SetPrec(wide).SetInt64(times)
		power.Quo(power, big.NewFloat(float64(n)))
		for i := int64(1); i < wide/2; i += 2 {
			term := new(big.Float).SetPrec(wide).Quo(power, big.NewFloat(float64(i)))
			if i%4 == 1 {
				sum.Add(sum, term)
			} else {
				sum.Sub(sum, term)
			}
			power.Quo(power, big.NewFloat(float64(n*n)))
		}
		return sum
	}
	return new(big.Float).SetPrec(wide).Sub(atan(16, 5), atan(4, 239))
}

// small reports whether a term is too small to change a sum.
func small(term, sum *big.Float) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-Bits
}

// Expm1 is eˣ − 1, |x| < 2²⁰: a series at x/2ⁿ, then (1+s)² − 1 = s(2+s).
func Expm1(x *big.Float) *big.Float {
	n := max(0, x.MantExp(nil)+8)
	x = Scale(x, -n)
	sum, term := zero().Set(x), zero().Set(x)
	for i := 2.0; !small(term, sum); i++ {
		term = Quo(Mul(term, x), Of(i))
		sum = Add(sum, term)
	}
	for range n {
		sum = Mul(sum, Add(Of(2), sum))
	}
	return sum
}

// Exp is eˣ, |x| < 2²⁰.
func Exp(x *big.Float) *big.Float {
	n := 0.0
	if x.Sign() != 0 && x.MantExp(nil) > 0 {
		f, _ := Quo(x, Ln2).Float64()
		n = math.Round(f)
		x = Sub(x, Mul(Of(n), Ln2))
	}
	return Scale(Add(Of(1), Expm1(x)), int(n))
}

// Exp2 is 2ˣ.
func Exp2(x *big.Float) *big.Float {
	f, _ := x.Float64()
	n := math.Round(f)
	return Scale(Exp(Mul(Sub(x, Of(n)), Ln2)), int(n))
}

// Log1p is log(1+x), x > −1: 2 atanh x/(2+x), after a step by the float64 logarithm.
func Log1p(x *big.Float) *big.Float {
	first := 0.0
	if x.Sign() != 0 && x.MantExp(nil) > -6 {
		f, _ := x.Float64()
		first = math.Log1p(f)
		e := Exp1(first)
		x = Quo(Sub(Add(Of(1), x), e), e)
	}
	s := Quo(x, Add(Of(2), x))
	square := Mul(s, s)
	sum, power := zero(), Scale(s, 1)
	for i := 1.0; ; i += 2 {
		term := Quo(power, Of(i))
		sum = Add(sum, term)
		if small(term, sum) {
			return Add(sum, Of(first))
		}
		power = Mul(power, square)
	}
}

// Exp1 is eˣ computed without Ln2, which is computed from it.
func Exp1(x float64) *big.Float { return Add(Of(1), Expm1(Of(x))) }

// Log is ln x, x > 0.
func Log(x *big.Float) *big.Float {
	m := zero()
	e := x.MantExp(m)
	if f, _ := m.Float64(); f < 0.7 {
		m, e = Scale(m, 1), e-1
	}
	return Add(Log1p(Sub(m, Of(1))), Mul(Of(float64(e)), Ln2))
}

// Log2 is the logarithm of base 2.
func Log2(x *big.Float) *big.Float { return Quo(Log(x), Ln2) }

// Log10 is the logarithm of base 10.
func Log10(x *big.Float) *big.Float { return Quo(Log(x), Log(Of(10))) }

// Sincos are sin x and cos x.
func Sincos(x *big.Float) (sin, cos *big.Float) {
	half := new(big.Float).SetPrec(wide).SetMantExp(Pi, -1)
	q := new(big.Float).SetPrec(wide).Quo(x, half)
	q.Add(q, big.NewFloat(math.Copysign(.5, float64(x.Sign()))))
	turns, _ := q.Int(nil)
	q.SetInt(turns)
	r := zero().Set(q.Sub(new(big.Float).SetPrec(wide).Set(x), q.Mul(q, half)))
	square := Mul(r, r)
	sin, cos = zero().Set(r), Of(1)
	s, c := zero().Set(r), Of(1)
	for i := 1.0; !small(s, sin); i++ {
		c = Quo(Mul(c, square), Of(-(2*i-1)*(2*i)))
		s = Quo(Mul(s, square), Of(-(2*i)*(2*i+1)))
		cos, sin = Add(cos, c), Add(sin, s)
	}
	switch new(big.Int).And(turns, big.NewInt(3)).Int64() {
	case 1:
		return cos, sin.Neg(sin)
	case 2:
		return sin.Neg(sin), cos.Neg(cos)
	case 3:
		return cos.Neg(cos), sin
	}
	return sin, cos
}

// Sin is sin x.
func Sin(x *big.Float) *big.Float { s, _ := Sincos(x); return s }

// Cos is cos x.
func Cos(x *big.Float) *big.Float { _, c := Sincos(x); return c }

// Tan is tan x.
func Tan(x *big.Float) *big.Float { return Quo(Sincos(x)) }

// Atan is the arc tangent: a series after halving the angle.
func Atan(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return zero()
	}
	if one := Of(float64(x.Sign())); x.MantExp(nil) > 1 { // ±π/2 − atan 1/x
		return Sub(Mul(one, Scale(Pi, -1)), Atan(Quo(Of(1), x)))
	}
	halved := 0
	for ; x.MantExp(nil) > -6; halved++ {
		x = Quo(x, Add(Of(1), zero().Sqrt(Add(Of(1), Mul(x, x)))))
	}
	square := Mul(x, x)
	square.Neg(square)
	sum, power := zero(), zero().Set(x)
	for i := 1.0; ; i += 2 {
		term := Quo(power, Of(i))
		sum = Add(sum, term)
		if small(term, sum) {
			return Scale(sum, halved)
		}
		power = Mul(power, square)
	}
}

// Atan2 is the angle of (x, y), neither 0.
func Atan2(y, x *big.Float) *big.Float {
	a := Atan(Quo(y, x))
	if x.Sign() < 0 {
		return Add(a, Mul(Of(float64(y.Sign())), Pi))
	}
	return a
}

// other is √(1−x²).
func other(x *big.Float) *big.Float {
	return zero().Sqrt(Mul(Sub(Of(1), x), Add(Of(1), x)))
}

// Asin is the arc sine.
func Asin(x *big.Float) *big.Float {
	if c := other(x); c.Sign() != 0 {
		return Atan(Quo(x, c))
	}
	return Mul(x, Scale(Pi, -1))
}

// Acos is the arc cosine.
func Acos(x *big.Float) *big.Float {
	if x.Sign() <= 0 || x.MantExp(nil) < 0 {
		return Sub(Scale(Pi, -1), Asin(x))
	}
	return Atan(Quo(other(x), x))
}

// Sinh is (e² − 1)/2e, with e = eˣ.
func Sinh(x *big.Float) *big.Float {
	e := Expm1(x)
	return Scale(Add(e, Quo(e, Add(e, Of(1)))), -1)
}

// Cosh is (e + 1/e)/2, with e = eˣ.
func Cosh(x *big.Float) *big.Float {
	e := Exp(x)
	return Scale(Add(e, Quo(Of(1), e)), -1)
}

// Tanh is e/(e+2), with e = e²ˣ − 1.
func Tanh(x *big.Float) *big.Float {
	e := Expm1(Scale(x, 1))
	return Quo(e, Add(e, Of(2)))
}

// Cbrt is the cube root, by Newton's steps.
func Cbrt(x *big.Float) *big.Float {
	f, _ := x.Float64()
	t := Of(math.Cbrt(f))
	for range 4 {
		t = Quo(Add(Scale(t, 1), Quo(x, Mul(t, t))), Of(3))
	}
	return t
}

// Pow is xʸ, x > 0.
func Pow(x, y *big.Float) *big.Float { return Exp(Mul(y, Log(x))) }

// Hypot is √(x²+y²).
func Hypot(x, y *big.Float) *big.Float { return zero().Sqrt(Add(Mul(x, x), Mul(y, y))) }

// Round32 rounds to float32, through 140 bits, so that a tie is recognized.
func Round32(x *big.Float) float32 {
	f, _ := new(big.Float).SetPrec(140).Set(x).Float32()
	return f
}

// Ulps returns the error of got in units in the last place of a float64 of the size of want.
func Ulps(got float64, want *big.Float) float64 {
	exponent := max(want.MantExp(nil)-53, -1074)
	away, _ := Scale(Sub(Of(got), want), -exponent).Float64()
	return math.Abs(away)
}
