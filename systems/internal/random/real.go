package random

import (
	"math"
	"slices"

	"github.com/flatecs/flatecs/buffer/exact/double"
)

// Open returns a number in (0, 1) from 64 random bits: an odd multiple of 2⁻⁵³, so that x and 1−x
// are equally likely, and the result is never 0 or 1.
func Open(number uint64) float64 {
	return (float64(number>>12) + 0.5) / (1 << 52) // exact
}

// Exponential returns an exponentially distributed number with mean 1 from 64 random bits.
func Exponential(number uint64) float64 { return -double.Log(Open(number)) }

// Normal returns the p-quantile of the normal distribution with mean 0 and variance 1, for p in (0,
// 1): M. J. Wichura, Algorithm AS 241, PPND16 (Applied Statistics 37, 1988), with a relative error
// of about 10⁻¹⁶.
func Normal(p float64) float64 {
	q := p - 0.5
	if q >= -0.425 && q <= 0.425 {
		r := 0.180625 - float64(q*q)
		return float64(q*polynomial(r, centre.above[:])) / polynomial(r, centre.below[:])
	}
	r := p
	if q > 0 {
		r = 1 - p
	}
	r = math.Sqrt(-double.Log(r))
	t, from := &middle, 1.6
	if r > 5 {
		t, from = &far, 5
	}
	x := polynomial(r-from, t.above[:]) / polynomial(r-from, t.below[:])
	if q < 0 {
		return -x
	}
	return x
}

// polynomial returns c[0] + c[1]x + c[2]x² + …
func polynomial(x float64, c []float64) float64 {
	sum := 0.0
	for _, c := range slices.Backward(c) {
		sum = float64(sum*x) + c
	}
	return sum
}

// A quotient holds the coefficients of two polynomials.
type quotient struct{ above, below [8]float64 }

var (
	centre = quotient{
		above: [8]float64{
			3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
			1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
			3.3430575583588128105e4, 2.5090809287301226727e3,
		},
		below: [8]float64{
			1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
			2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
			5.2264952788528545610e3,
		},
	}
	middle = quotient{
		above: [8]float64{
			1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
			3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
			2.27238449892691845833e-2, 7.74545014278341407640e-4,
		},
		below: [8]float64{
			1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
			1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
			1.05075007164441684324e-9,
		},
	}
	far = quotient{
		above: [8]float64{
			6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
			2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
			2.71155556874348757815e-5, 2.01033439929228813265e-7,
		},
		below: [8]float64{
			1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
			2.04426310338993978564e-15,
		},
	}
)
