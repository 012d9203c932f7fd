package deflate

import "math/bits"

// A code is the length of each symbol, in bits, or 0 for one that is not used.
type code []uint8

// words returns the bits of each symbol, the first one lowest: in order of length, then of symbols
// (RFC 1951, 3.2.2).
func (c code) words() []uint32 {
	var next [17]uint32
	for _, n := range c {
		if n > 0 {
			next[n+1]++
		}
	}
	for n := 1; n < len(next); n++ {
		next[n] = (next[n-1] + next[n]) << 1
	}
	words := make([]uint32, len(c))
	for symbol, n := range c {
		if n > 0 {
			words[symbol] = bits.Reverse32(next[n]) >> (32 - n)
			next[n]++
		}
	}
	return words
}

// bits returns how many bits symbols take that are used so often.
func (c code) bits(counts []uint32) (sum int) {
	for symbol, n := range counts {
		sum += int(n) * int(c[symbol])
	}
	return sum
}
