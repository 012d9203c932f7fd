package deflate

import "slices"

// A header is the two codes of a block, and how they are written: their lengths one after the
// other, with symbols for repetitions, in a third code (RFC 1951, 3.2.7).
type header struct {
	symbols, distances code
	list               []repeat
	inner              code
	innerCount         int // lengths of inner that are written
	bits               int
}

// A repeat is a length from 0 to 15, or a symbol for several, with its extra bits.
type repeat struct{ symbol, extra uint8 }

const (
	again     = 16 // the length before, 3 to 6 times
	zeros     = 17 // 3 to 10
	manyZeros = 18 // 11 to 138
)

// innerOrder is the order in which lengths of the third code are written.
var innerOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// extraBits of the symbols for repetitions.
var extraBits = [19]uint8{again: 2, zeros: 3, manyZeros: 7}

// newHeader returns the smallest header for two codes: with each of the symbols for repetitions or
// without.
func newHeader(symbols, distances code) (best header) {
	symbols = trim(symbols, lengths)
	distances = trim(distances, 1)
	all := slices.Concat(symbols, distances)
	for without := range 8 {
		h := header{symbols: symbols, distances: distances}
		h.list = runs(all, without&1 == 0, without&2 == 0, without&4 == 0)
		h.measure()
		if best.bits == 0 || h.bits < best.bits {
			best = h
		}
	}
	return best
}

// trim drops the symbols at the end that are not used, down to so many.
func trim(c code, least int) code {
	for len(c) > least && c[len(c)-1] == 0 {
		c = c[:len(c)-1]
	}
	return c
}

// runs returns lengths with repetitions.
func runs(all code, useAgain, useZeros, useMany bool) (list []repeat) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n] == all[0] {
			n++
		}
		value := all[0]
		all = all[n:]
		if value != 0 {
			list = append(list, repeat{symbol: value})
			n--
		}
		for n > 0 {
			r, covered := repeat{symbol: value}, 1
			switch {
			case value == 0 && useMany && n >= 11:
				covered = min(n, 138)
				r = repeat{manyZeros, uint8(covered - 11)}
			case value == 0 && useZeros && n >= 3:
				covered = min(n, 10)
				r = repeat{zeros, uint8(covered - 3)}
			case value != 0 && useAgain && n >= 3:
				covered = min(n, 6)
				r = repeat{again, uint8(covered - 3)}
			}
			list = append(list, r)
			n -= covered
		}
	}
	return list
}

// measure makes the third code, and counts the bits of all.
func (h *header) measure() {
	var counts [19]uint32
	h.bits = 5 + 5 + 4
	for _, r := range h.list {
		counts[r.symbol]++
		h.bits += int(extraBits[r.symbol])
	}
	h.inner = newCode(counts[:], 7)
	h.innerCount = len(innerOrder)
	for h.innerCount > 4 && h.inner[innerOrder[h.innerCount-1]] == 0 {
		h.innerCount--
	}
	h.bits += 3*h.innerCount + h.inner.bits(counts[:])
}
