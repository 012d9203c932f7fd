package deflate

// A plan is how a block is written: in the form in which it is smallest.
type plan struct {
	form               uint32
	symbols, distances code
	header             header // of usesOwn
	bits               int
}

// plan returns how to write a block.
func (b *block) plan() plan {
	own := plan{
		form: usesOwn, symbols: newCode(b.counts.symbols[:], 15),
		distances: newCode(b.counts.distances[:], 15),
	}
	own.header = newHeader(own.symbols, own.distances)
	own.bits = 3 + own.header.bits + b.counts.bits(own.symbols, own.distances)
	best := plan{form: usesFixed, symbols: fixedSymbols, distances: fixedDistances}
	best.bits = 3 + b.counts.bits(fixedSymbols, fixedDistances)
	if own.bits < best.bits {
		best = own
	}
	if plain := b.storedBits(); plain <= best.bits {
		best = plan{form: stored, bits: plain}
	}
	return best
}

// storedBits returns how many bits the content takes as it is, at most: up to 7 fill a byte.
func (b *block) storedBits() int {
	parts := max((len(b.content)+mostStored-1)/mostStored, 1)
	return parts*(3+7+32) + 8*len(b.content)
}

// fixedSymbols and fixedDistances are the codes that need no header (RFC 1951, 3.2.6).
var fixedSymbols, fixedDistances = fixedCodes()

func fixedCodes() (s, d code) {
	for i := range 288 {
		n := uint8(8)
		if i >= 144 && i < 256 {
			n = 9
		} else if i >= 256 && i < 280 {
			n = 7
		}
		s = append(s, n)
	}
	for range distances {
		d = append(d, 5)
	}
	return s, d
}
