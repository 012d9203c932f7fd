package systems

import (
	"math"
	"math/bits"
)

// A Stream generates random numbers: PCG-DXSM with 128 bits of state, as in math/rand/v2 (M. E.
// O'Neill, https://www.pcg-random.org). Equal seeds give equal numbers on every machine. A Stream
// is a plain value: a copy continues from the same state.
type Stream struct{ hi, lo uint64 }

// NewStream returns the stream with two seeds, equal to NewPCG of math/rand/v2.
func NewStream(seed1, seed2 uint64) Stream { return Stream{seed1, seed2} }

// Uint64 returns 64 random bits.
func (r *Stream) Uint64() uint64 {
	const (
		mulHi, mulLo = 2549297995355413924, 4865540595714422341 // 128 bits each
		incHi, incLo = 6364136223846793005, 1442695040888963407
		cheapMul     = 0xda942042e4dd58b5
	)
	if r == nil {
		panic(noStream)
	}
	hi, lo := bits.Mul64(r.lo, mulLo)
	hi += r.hi*mulLo + r.lo*mulHi
	lo, carry := bits.Add64(lo, incLo, 0)
	hi, _ = bits.Add64(hi, incHi, carry)
	r.hi, r.lo = hi, lo

	hi ^= hi >> 32
	hi *= cheapMul
	hi ^= hi >> 48
	return hi * (lo | 1)
}

// Uint64N returns a uniformly distributed number from 0 to n-1. It panics if n is 0.
func (r *Stream) Uint64N(n uint64) uint64 {
	if n == 0 {
		panic("flatecs: no number is below 0; call Uint64N or IntN with 1 or more")
	}
	if n&(n-1) == 0 {
		return r.Uint64() & (n - 1)
	}
	// Lemire's reduction: x×n/2⁶⁴, without the few x that would favour some results.
	hi, lo := bits.Mul64(r.Uint64(), n)
	if lo < n {
		for few := -n % n; lo < few; {
			hi, lo = bits.Mul64(r.Uint64(), n)
		}
	}
	return hi
}

// IntN returns a uniformly distributed number from 0 to n-1. It panics if n is not positive.
func (r *Stream) IntN(n int) int { return int(r.Uint64N(uint64(max(n, 0)))) }

// Float32 returns a number in [0, 1), a multiple of 2⁻²⁴.
func (r *Stream) Float32() float32 { return float32(r.Uint64()>>32&(1<<24-1)) / (1 << 24) }

// Range returns a number in [lo, hi), or lo if they are equal. It panics if hi is below lo, if
// hi-lo overflows a float32, or if either is NaN.
func (r *Stream) Range(lo, hi float32) float32 {
	size := hi - lo
	if !(size >= 0 && size <= math.MaxFloat32) {
		panic("flatecs: these are no bounds of a range; call Range with the lower one first")
	}
	x := lo + float32(r.Float32()*size)
	if x >= hi { // the sum was rounded up
		return math.Nextafter32(hi, lo)
	}
	return x
}
