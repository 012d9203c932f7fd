// Package random implements the arithmetic of random numbers: PCG-DXSM with 128 bits of state, as
// in math/rand/v2 (M. E. O'Neill, https://www.pcg-random.org), with initial states that are hashes
// of a stream's name.
//
//	seed, tick, parts… ── Start ──▶ hi, lo ── Step ──▶ hi, lo and 64 random bits, again and again
//
// It holds no state; equal arguments give equal results on every machine.
package random

import "math/bits"

// Step returns the state after hi, lo, and 64 random bits.
func Step(hi, lo uint64) (nextHi, nextLo, number uint64) {
	const (
		mulHi, mulLo = 2549297995355413924, 4865540595714422341 // 128 bits each
		incHi, incLo = 6364136223846793005, 1442695040888963407
		cheapMul     = 0xda942042e4dd58b5
	)
	nextHi, nextLo = bits.Mul64(lo, mulLo)
	nextHi += hi*mulLo + lo*mulHi
	nextLo, carry := bits.Add64(nextLo, incLo, 0)
	nextHi, _ = bits.Add64(nextHi, incHi, carry)

	number = nextHi
	number ^= number >> 32
	number *= cheapMul
	number ^= number >> 48
	return nextHi, nextLo, number * (nextLo | 1)
}

// Start returns the initial state of the stream named by parts in the step of a tick. Each half is
// a separate hash of all arguments.
func Start(seed, tick uint64, parts ...uint64) (hi, lo uint64) {
	hi = scramble(seed)
	lo = scramble(^hi)
	hi, lo = scramble(hi+tick), scramble(lo+tick)
	for _, p := range parts {
		hi, lo = scramble(hi+p), scramble(lo+p)
	}
	return hi, lo
}

// scramble is one step of SplitMix64 (Steele, Lea and Flood 2014): a bijection in which every bit
// of x affects every bit of the result.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
