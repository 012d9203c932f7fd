package exact

import "math"

const (
	signBit  = 1 << 31
	infinite = 0xff << 23 // the bits of +Inf
	one      = 127 << 23  // the bits of 1
)

// nan returns the only NaN that functions of this package return.
func nan() float32 { return math.Float32frombits(0x7fc00000) }

// inf returns an infinity with the sign.
func inf(sign uint32) float32 { return math.Float32frombits(infinite | sign) }

// signed returns x >= 0 with the sign.
func signed(x float32, sign uint32) float32 {
	return math.Float32frombits(math.Float32bits(x) | sign)
}

// magnitude returns |x| for the bits of x.
func magnitude(b uint32) float64 { return float64(math.Float32frombits(b &^ signBit)) }

// nearTie reports whether y is within 8 units in its last place of the middle of two float32: only
// there can an error of y below 8 units change float32(y). This holds for 1 of 2²⁵ numbers.
func nearTie(y float64) bool {
	return (uint32(math.Float64bits(y))-(1<<28-8))&(1<<29-1) <= 16
}

// A mend is an argument whose float64 result is on the wrong side of a tie, and the right result,
// as bits.
type mend struct{ argument, result uint32 }

// mended returns the result of the list for the argument, or else float32(y).
func mended(y float64, argument uint32, list []mend) float32 {
	for _, m := range list {
		if m.argument == argument {
			return math.Float32frombits(m.result)
		}
	}
	return float32(y)
}

// round32 is float32(y), y >= 0, also on overflow, where Go does not define the result.
func round32(y float64) float32 {
	if y >= 0x1.ffffffp127 {
		return inf(0)
	}
	return float32(y)
}
