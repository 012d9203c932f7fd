package structure

import (
	"math"
	"math/bits"

	"github.com/flatecs/flatecs/manager"
)

// DisposeBlock disposes the live objects x of a block with all their components. It visits only the
// managers of kinds that some object of the block has.
func DisposeBlock(a *manager.Arena, block uint32, x uint64) {
	if x&(x-1) == 0 { // one object, or none
		if x != 0 {
			Dispose(a, block<<6+uint32(bits.TrailingZeros64(x)))
		}
		return
	}
	a.Leaving(block, x)
	a.DisposeBlock(block, x)
	a.Objects.DisposeBlock(block, x)
}

// DisposeMatching disposes the objects that are in a match, of so many blocks.
func DisposeMatching(a *manager.Arena, match *manager.Match, blocks uint32) {
	for k := uint32(0); k < blocks; k++ {
		from, x := k, match.Block(k)
		for ; x == math.MaxUint64 && a.Rests(from, k); x = match.Block(k) {
			a.Leaving(k, x)
			if k++; k == blocks {
				break
			}
		}
		if from < k {
			a.DisposeRested(from, k)
		}
		for ; from < k; from++ {
			a.Objects.DisposeBlock(from, math.MaxUint64)
		}
		if k < blocks {
			DisposeBlock(a, k, x)
		}
	}
}

// Dispose is DisposeBlock for one object.
func Dispose(a *manager.Arena, object uint32) {
	a.DropAll(object)
	a.Objects.Dispose(object)
}
