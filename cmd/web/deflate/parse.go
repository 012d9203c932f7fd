package deflate

import "math/bits"

// bit is what a bit costs.
const bit = 1 << 6

// costs says what each token costs: bytes, lengths and distances, with their extra bits.
type costs struct {
	bytes     [256]uint32
	lengths   [longest + 1]uint32
	distances [distances]uint32
}

// costs returns what tokens cost in the best code for a histogram, if bits could be divided.
func (h *histogram) costs() *costs {
	c := &costs{}
	var each [symbols]uint32
	information(each[:], h.symbols[:])
	copy(c.bytes[:], each[:])
	for n := shortest; n <= longest; n++ {
		slot, extra := lengthSlot(n)
		c.lengths[n] = each[lengths+slot] + uint32(extra)*bit
	}
	information(c.distances[:], h.distances[:])
	for slot := 4; slot < distances; slot++ {
		c.distances[slot] += uint32(slot/2-1) * bit
	}
	return c
}

// information writes what each symbol costs by how often it is used. A symbol that is not costs as
// one that is used once, and a bit more for its place among the codes.
func information(dst, counts []uint32) {
	sum := uint32(1)
	for _, n := range counts {
		sum += n
	}
	for i, n := range counts {
		if n == 0 {
			dst[i] = log2(sum) + bit
		} else {
			dst[i] = max(log2(sum)-log2(n), bit/2)
		}
	}
}

// log2 returns the logarithm of a number, in bits of cost: each square doubles what is left of it.
func log2(n uint32) uint32 {
	whole := bits.Len32(n) - 1
	log := uint32(whole)
	x := uint64(n) << (31 - whole) // 1 is 1<<31
	for range bits.Len(bit) - 1 {
		x = x * x >> 31
		log <<= 1
		if x >= 1<<32 {
			x >>= 1
			log++
		}
	}
	return log
}

// parse returns the cheapest tokens for the content from a place to another, by the way from each
// place to the end, which is known when those after it are.
func (m *found) parse(from, to int, c *costs) []token {
	n := to - from
	rest := make([]uint32, n+1)
	choice := make([]token, n)
	for i := n - 1; i >= 0; i-- {
		at := from + i
		best := c.bytes[m.content[at]] + rest[i+1]
		chosen := token(m.content[at])
		length := shortest
		for _, t := range m.matches[m.first[at]:m.first[at+1]] {
			slot, _ := distanceSlot(t.distance())
			far := c.distances[slot]
			for end := min(t.length(), n-i); length <= end; length++ {
				if cost := far + c.lengths[length] + rest[i+length]; cost < best {
					best, chosen = cost, match(length, t.distance())
				}
			}
		}
		rest[i], choice[i] = best, chosen
	}
	tokens := choice[:0]
	for i := 0; i < n; {
		t := choice[i]
		tokens = append(tokens, t)
		i += t.span()
	}
	return tokens
}
