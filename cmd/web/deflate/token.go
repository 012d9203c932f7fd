package deflate

import "math/bits"

const (
	shortest = 3
	longest  = 258
	window   = 1 << 15

	lengths   = 257 // the first symbol of a length
	symbols   = 286 // bytes, the end of a block, and lengths
	distances = 30
	endBlock  = 256
)

// A token is a byte, or a match: length<<16 | distance.
type token uint32

func match(length, distance int) token { return token(length<<16 | distance) }

func (t token) length() int   { return int(t >> 16) } // 0: a byte
func (t token) distance() int { return int(t & 0xffff) }

// span returns how many bytes a token stands for.
func (t token) span() int { return max(t.length(), 1) }

// lengthSlot returns which of the 29 symbols of lengths stands for a length, and how many bits
// follow it; the length less the smallest of the symbol is in them.
func lengthSlot(length int) (slot, extra int) {
	switch x := length - shortest; {
	case length == longest:
		return 28, 0
	case x < 8:
		return x, 0
	default:
		extra = bits.Len(uint(x)) - 3
		return 4*extra + x>>extra, extra
	}
}

// distanceSlot returns the same of a distance.
func distanceSlot(distance int) (slot, extra int) {
	x := distance - 1
	if x < 4 {
		return x, 0
	}
	extra = bits.Len(uint(x)) - 2
	return 2*extra + x>>extra, extra
}
