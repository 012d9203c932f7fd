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
	n := uint32(0) // blocks before k that rest
	for k := range blocks {
		x := match.Block(k)
		if x == math.MaxUint64 && manager.Rests(a, k-n, k) {
			a.Leaving(k, x)
			n++
			continue
		}
		manager.DisposeRested(a, k-n, k)
		n = 0
		DisposeBlock(a, k, x)
	}
	manager.DisposeRested(a, blocks-n, blocks)
}

// Dispose is DisposeBlock for one object.
func Dispose(a *manager.Arena, object uint32) {
	if !manager.DisposeReady(a, object) {
		a.DropAll(object)
		a.Objects.Dispose(object)
	}
}
