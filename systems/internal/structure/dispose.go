package structure

import (
	"math/bits"

	"github.com/flatecs/flatecs/manager"
)

// DisposeBlock disposes the live objects x of a block with all their components. It visits only the
// managers of kinds that some object of the block has.
func DisposeBlock(a *manager.Arena, block uint32, x uint64) {
	if x&(x-1) == 0 { // one object, or none
		if x != 0 {
			a.Dispose(block<<6 + uint32(bits.TrailingZeros64(x)))
		}
		return
	}
	a.Leaving(block, x)
	a.DisposeBlock(block, x)
	a.Objects.DisposeBlock(block, x)
}
