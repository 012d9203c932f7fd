package pose

import (
	"fmt"
	"math"
)

// most is the largest angle that is taken, in radians: beyond it float64 is no longer exact enough
// for what remains of it after the full turns.
const most = 1 << 20

// π/2 in two parts. The first one has 33 bits, so that products with a number of quarter turns are
// exact.
const (
	quarter     = 0x1.921fb544p+00
	quarterRest = 0x1.0b4611a626331p-34
)

// sincos returns the sine and the cosine of an angle in radians, by its Taylor series and therefore
// by + − × alone: it is the same on every machine, as [math.Sincos] is not.
func sincos(angle float64) (sin, cos float32) {
	if !(math.Abs(angle) <= most) {
		panic(fmt.Sprintf("pose: an angle of %g radians; give one between %d and %d",
			angle, -most, most))
	}
	turns := math.RoundToEven(float64(angle * (2 / math.Pi)))
	x := angle - float64(turns*quarter)
	x -= float64(turns * quarterRest)
	s, c := series(x)
	switch int(turns) & 3 {
	case 0:
		return float32(s), float32(c)
	case 1:
		return float32(c), float32(-s)
	case 2:
		return float32(-s), float32(-c)
	}
	return float32(-c), float32(s)
}

// series returns the sine and the cosine of up to an eighth of a turn:
//
//	sin x = x − x³/3! + x⁵/5! − …
//	cos x = 1 − x²/2! + x⁴/4! − …
func series(x float64) (sin, cos float64) {
	square := float64(x * x)
	sin, cos = 1, 1
	for n := 16.0; n > 0; n -= 2 {
		sin = 1 - float64(float64(sin*square)/(n*(n+1)))
		cos = 1 - float64(float64(cos*square)/(n*(n-1)))
	}
	return float64(sin * x), cos
}

// root returns √x, rounded once.
func root(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// over returns a/b, and 0 if b is 0: what was scaled by 0 is lost.
func over(a, b float32) float32 {
	if b == 0 {
		return 0
	}
	return a / b
}
