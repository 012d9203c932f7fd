// Package core is shared by buffer/exact and buffer/exact/double: tables, error-free sums and
// products, and the reduction of arguments to an entry of a table and a small remainder.
//
//	angle      x = (k + 64j)·π/32 + r    sin kπ/32: Sine       k, r: Turns, for large x
//	power      x = (k + 64j)·log 2/64 + r    2^(k/64): Power
//	logarithm  x = z·2ᵉ, z·(1/c) = 1 + r    1/c: Inverse, log c: Log    z, i, e: Split
//	arc        tan a = u/v, i/16 the nearest    atan i/16: Arc
//
// A table's Rest is the part of the true values that its float64 numbers lack. Constants numbered
// from 1 are the parts of one number; coefficients of a polynomial are numbered by the power of the
// argument.
//
// A product that is added to a sum is in a conversion, float64(a*b), so that no compiler fuses
// them. So is a returned product, because an inlining caller may add it.
//
// Numbers: [Pair], [TwoSum], [TwoMul], [Magic], [Scale]. Arguments: [Turns], [Split].
// Polynomials: [PowerTail], [ArcTail].
package core

import (
	"math"
	"math/bits"
)

// Magic rounds by an addition: the low bits of x + Magic are the integer nearest to x, |x| < 2⁵¹.
const Magic = 0x1.8p52

// Scale returns 2ⁿ, -1022 <= n <= 1023.
func Scale(n int32) float64 { return math.Float64frombits(uint64(1023+n) << 52) }

// Turns returns 128 bits of the fraction of |x|/2π, hi before lo, for 2⁻¹¹ <= |x|, finite. It
// may be too small by one or two of the last bits.
func Turns(x float64) (hi, lo uint64) {
	b := math.Float64bits(x)
	m := b&(1<<52-1) | 1<<52 // |x| = m·2^(e-64), and m·2^(e-64)/2π needs the bits from e on
	e := b>>52&0x7ff - 1075 + 64
	i, s := e>>6, e&63
	w2 := perTurn[i]<<s | perTurn[i+1]>>(64-s)
	w1 := perTurn[i+1]<<s | perTurn[i+2]>>(64-s)
	w0 := perTurn[i+2]<<s | perTurn[i+3]>>(64-s)
	h0, _ := bits.Mul64(w0, m)
	h1, l1 := bits.Mul64(w1, m)
	lo, carry := bits.Add64(l1, h0, 0)
	return w2*m + h1 + carry, lo
}

// Eighths returns k of the nearest k/64 turn, and the remainder of the fraction: sign and 128 bits.
func Eighths(hi, lo uint64) (k uint32, below bool, h, l uint64) {
	n := (hi + 1<<57) >> 58
	hi -= n << 58
	if below = hi>>63 != 0; below {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	return uint32(n), below, hi, lo
}

// Split returns z, i and e of a positive normal x: x = z·2ᵉ, z in [0.6875, 1.375), i its interval
// in the tables of logarithms.
func Split(x float64) (z float64, i int, e float64) {
	const from = 0x3fe6000000000000
	b := math.Float64bits(x)
	t := b - from
	e = float64(int32(int64(t) >> 52))
	return math.Float64frombits(b - t&(0xfff<<52)), int(t >> 46 & 63), e
}

// ArcTail returns atan r − r, |r| <= 1/32.
func ArcTail(r float64) float64 {
	z := float64(r * r)
	p := (Arc3 + float64(z*Arc4)) + float64(float64(z*z)*(Arc5+float64(z*Arc6)))
	return float64(float64(r*z) * p)
}

// PowerTail returns eʳ − 1, |r| <= log 2/128.
func PowerTail(r float64) float64 {
	z := float64(r * r)
	p := Power4 + float64(r*Power5) + float64(z*Power6)
	return r + float64(z*((.5+float64(r*Power3))+float64(z*p)))
}
