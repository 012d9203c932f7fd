package deflate

// A histogram says how often each symbol is used in a block, the end of the block included.
type histogram struct {
	symbols   [symbols]uint32
	distances [distances]uint32
}

// count returns the histogram of tokens.
func count(tokens []token) (h histogram) {
	h.symbols[endBlock] = 1
	for _, t := range tokens {
		if t.length() == 0 {
			h.symbols[t]++
			continue
		}
		slot, _ := lengthSlot(t.length())
		h.symbols[lengths+slot]++
		slot, _ = distanceSlot(t.distance())
		h.distances[slot]++
	}
	return h
}

// add adds the symbols of the block that follows, so that they are of one block.
func (h *histogram) add(next *histogram) {
	for i, n := range next.symbols {
		h.symbols[i] += n
	}
	for i, n := range next.distances {
		h.distances[i] += n
	}
	h.symbols[endBlock] = 1
}

// bits returns how many bits tokens take in two codes.
func (h *histogram) bits(s, d code) int {
	sum := s.bits(h.symbols[:]) + d.bits(h.distances[:])
	for slot := 8; slot < 28; slot++ {
		sum += int(h.symbols[lengths+slot]) * (slot/4 - 1)
	}
	for slot := 4; slot < distances; slot++ {
		sum += int(h.distances[slot]) * (slot/2 - 1)
	}
	return sum
}
