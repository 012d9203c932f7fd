package core

import "math"

// A Pair is High + Low, |Low| at most half a unit in the last place of High: 106 bits.
type Pair struct{ High, Low float64 }

// TwoSum is a+b, exactly (D. E. Knuth).
func TwoSum(a, b float64) Pair {
	s := a + b
	t := s - a
	return Pair{s, (a - (s - t)) + (b - t)}
}

// split cuts a into two numbers of 26 bits (T. J. Dekker).
func split(a float64) (h, l float64) {
	t := float64(0x8000001 * a)
	h = t - (t - a)
	return h, a - h
}

// TwoMul is a·b, exactly, for |a|, |b| < 2⁹⁹⁵ if no part of it is subnormal.
func TwoMul(a, b float64) Pair {
	p := float64(a * b)
	ah, al := split(a)
	bh, bl := split(b)
	middle := (float64(ah*bh) - p) + float64(ah*bl) + float64(al*bh)
	return Pair{p, middle + float64(al*bl)}
}

// Add is a+b, and Mul, Div are named like it; relative errors are a few units of 2⁻¹⁰⁵.
func (a Pair) Add(b Pair) Pair {
	s, t := TwoSum(a.High, b.High), TwoSum(a.Low, b.Low)
	s = TwoSum(s.High, s.Low+t.High)
	return TwoSum(s.High, s.Low+t.Low)
}

// Mul is a·b.
func (a Pair) Mul(b Pair) Pair {
	p := TwoMul(a.High, b.High)
	return TwoSum(p.High, p.Low+(float64(a.High*b.Low)+float64(a.Low*b.High)))
}

// Neg is -a.
func (a Pair) Neg() Pair { return Pair{-a.High, -a.Low} }

// Div is a/b.
func (a Pair) Div(b Pair) Pair {
	q := a.High / b.High
	r := a.Add(b.Mul(Pair{-q, 0}))
	second := r.High / b.High
	r = r.Add(b.Mul(Pair{-second, 0}))
	return TwoSum(q, second).Add(Pair{r.High / b.High, 0})
}

// Odd rounds a to a float64 "to odd": to one whose last bit is 1, unless it is exact. Rounding the
// result to float32 is the same as rounding a once (S. Boldo, G. Melquiond, 2008). A Low of at most
// exact·|High| counts as zero.
func (a Pair) Odd(exact float64) float64 {
	b := math.Float64bits(a.High)
	if b&1 == 0 && a.High != 0 && math.Abs(a.Low) > float64(exact*math.Abs(a.High)) {
		if (a.Low > 0) == (a.High > 0) {
			b++
		} else {
			b--
		}
	}
	return math.Float64frombits(b)
}
