package exact

import (
	"math"

	"github.com/flatecs/flatecs/buffer/exact/internal/core"
)

// logarithm is ln x of a positive normal x of 24 bits.
func logarithm(x float64) float64 {
	z, i, e := core.Split(x)
	return logSum(float64(z*core.Inverse[i])-1, i, e) // exact: 24 + 29 bits
}

// logSum is e log 2 + log c + log(1+r), with c the centre of interval i.
func logSum(r float64, i int, e float64) float64 {
	z := float64(r * r)
	p := core.Log7 + float64(r*core.Log8)
	p = (core.Log5 + float64(r*core.Log6)) + float64(z*p)
	p = (core.Log3 + float64(r*core.Log4)) + float64(z*p)
	p = float64(r*p) - .5
	w := float64(e*core.Ln21) + core.Log[i]
	return w + (r + (float64(e*core.Ln22) + float64(z*p)))
}

// noLogarithm returns the logarithm of a value that is not positive and finite, given by its bits.
func noLogarithm(b uint32) float32 {
	switch {
	case b&^signBit == 0:
		return inf(signBit)
	case b == infinite:
		return inf(0)
	}
	return nan()
}

// Log returns the natural logarithm of x. Log(±0) = -Inf, Log(x) = NaN if x < 0.
func Log(x float32) float32 {
	b := math.Float32bits(x)
	if b-1 >= infinite-1 {
		return noLogarithm(b)
	}
	y := logarithm(float64(x))
	if nearTie(y) {
		return mended(y, b, logMends)
	}
	return float32(y)
}

// Log2 returns the logarithm of x to base 2, with the special cases of Log.
func Log2(x float32) float32 {
	b := math.Float32bits(x)
	if b-1 >= infinite-1 {
		return noLogarithm(b)
	}
	y := float64(logarithm(float64(x)) * core.PerLn2)
	if nearTie(y) {
		return mended(y, b, log2Mends)
	}
	return float32(y)
}

// Log10 returns the logarithm of x to base 10, with the special cases of Log.
func Log10(x float32) float32 {
	b := math.Float32bits(x)
	if b-1 >= infinite-1 {
		return noLogarithm(b)
	}
	y := float64(logarithm(float64(x)) * core.PerLn10)
	if nearTie(y) {
		return mended(y, b, log10Mends)
	}
	return float32(y)
}

// Log1p returns Log(1+x), accurate for 1+x near 1. Log1p(±0) = ±0, Log1p(-1) = -Inf.
func Log1p(x float32) float32 {
	b := math.Float32bits(x)
	if !(x > -1) || x == 0 || b == infinite {
		switch {
		case x == 0 || b == infinite:
			return x
		case x == -1:
			return inf(signBit)
		}
		return nan()
	}
	y := logarithm1p(float64(x))
	if nearTie(y) {
		return mended(y, b, log1pMends)
	}
	return float32(y)
}

// logarithm1p is ln(1+x).
func logarithm1p(x float64) float64 {
	if x > -0x1p-7 && x < 0x1p-6 {
		return logSum(x, zeroOfLog, 0)
	}
	z, i, e := core.Split(1 + x)
	h := math.Float64frombits(math.Float64bits(z) &^ (1<<29 - 1)) // 24 bits
	r := float64(h*core.Inverse[i]) - 1
	return logSum(r+float64((z-h)*core.Inverse[i]), i, e)
}

// zeroOfLog is the interval of 1.
const zeroOfLog = 40
