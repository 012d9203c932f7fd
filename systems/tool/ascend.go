package tool

import (
	"math/bits"
	"slices"
)

// digit is how many bits of an index are sorted by at a time.
const digit = 8

// ascend sorts keys, indexes of objects shifted left by 32 and anything below, by the indexes;
// those of one index stay in order. It needs as much spare memory, and may return that.
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
