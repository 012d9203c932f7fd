package index

import (
	"math/bits"
)

// pairs are entries: a key and an object each.
type pairs struct {
	keys    []uint64
	objects []uint32
}

// carvePairs cuts n entries.
func carvePairs(c *Cutter, n int) pairs {
	return pairs{Cut[uint64](c, n), Cut[uint32](c, n)}
}

// first returns the first n entries.
func (p pairs) first(n int) pairs { return pairs{p.keys[:n], p.objects[:n]} }

// add appends an entry.
func (p *pairs) add(e entry) {
	p.keys, p.objects = append(p.keys, e.key), append(p.objects, e.object)
}

// at returns an entry.
func (p pairs) at(i int) entry { return entry{p.keys[i], p.objects[i]} }

// sort sorts entries by the bits in which their keys and objects differ, byte by byte. The result
// is in p or in spare, which has the same length.
func (p pairs) sort(spare pairs, keys uint64, objects uint32) (sorted pairs, inSpare bool) {
	from, to := p, spare
	for ; objects != 0; from, to = to, from {
		shift := uint(bits.TrailingZeros32(objects)) &^ 7
		objects &^= 0xff << shift
		scatter(to.objects, from.objects, to.keys, from.keys, shift)
		inSpare = !inSpare
	}
	for ; keys != 0; from, to = to, from {
		shift := uint(bits.TrailingZeros64(keys)) &^ 7
		keys &^= 0xff << shift
		scatter(to.keys, from.keys, to.objects, from.objects, shift)
		inSpare = !inSpare
	}
	return from, inSpare
}

// scatter writes from to dst, sorted by one byte, and moves with to dstWith in the same order.
func scatter[T, W uint32 | uint64](dst, from []T, dstWith, with []W, shift uint) {
	var next [256]uint32
	for _, k := range from {
		next[uint8(k>>shift)]++
	}
	sum := uint32(0)
	for i, n := range next {
		next[i] = sum
		sum += n
	}
	for i, k := range from {
		at := &next[uint8(k>>shift)]
		dst[*at], dstWith[*at] = k, with[i]
		*at++
	}
}
