package tool

import (
	"math/bits"
	"slices"
)

// digit is the number of bits of an index that one pass sorts by.
const digit = 8

// ascend sorts keys by their upper 32 bits, which are indexes of objects; keys with equal indexes
// stay in order. spare must have the same length, and may be the result.
func ascend(keys, spare []uint64) (sorted, other []uint64) {
	last, inOrder := uint64(0), true
	most := uint64(0)
	for _, k := range keys {
		inOrder = inOrder && k>>32 >= last
		last = k >> 32
		most |= last
	}
	if inOrder {
		return keys, spare
	}
	spare = slices.Grow(spare[:0], len(keys))[:len(keys)]
	for shift := 32; shift < 32+bits.Len64(most); shift += digit {
		var ends [1 << digit]uint32
		for _, k := range keys {
			ends[k>>shift&(1<<digit-1)]++
		}
		at := uint32(0)
		for i, n := range ends {
			ends[i] = at
			at += n
		}
		for _, k := range keys {
			to := &ends[k>>shift&(1<<digit-1)]
			spare[*to] = k
			*to++
		}
		keys, spare = spare, keys
	}
	return keys, spare
}
