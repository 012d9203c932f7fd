package manager

import (
	"iter"
	"math/bits"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// declared returns k. It panics if k is nil or undeclared.
func declared(k *layout.KindSpec) *layout.KindSpec {
	if k == nil {
		panic("flatecs: this is not a kind, or a field without one; declare it with layout.NewKind")
	}
	return k
}

// Slot returns the index of a kind in Managers, or -1 if this world does not have it.
func (a *Arena) Slot(k *layout.KindSpec) int {
	if m := a.Find(k); m != nil {
		return m.Blocks.kinds.word<<6 + bits.TrailingZeros64(m.Blocks.kinds.bit)
	}
	return -1
}

// Find returns the manager of a kind, or nil if this world does not have it.
func (a *Arena) Find(k *layout.KindSpec) *Manager {
	if n := uint(declared(k).Number); n < uint(len(a.found)) {
		return a.found[n]
	}
	return nil
}

// Kinds returns the kinds that any object of a block has, one bit per manager, 64 to a word.
func (a *Arena) Kinds(block uint32) []uint64 {
	return a.kinds[int(block)*a.Words:][:a.Words]
}

// KindsNear returns the kinds that the given object, or a neighbour of it, has or keeps suspended,
// like [Arena.Kinds]. The neighbours are 8 objects in a world of more than 64 kinds, else the
// block.
func (a *Arena) KindsNear(object uint32) []uint64 {
	if len(a.eights) == 0 {
		return a.Kinds(object >> 6)
	}
	return a.eights[int(object>>3)*a.Words:][:a.Words]
}

// Among yields the managers of the kinds that any object of a block has or keeps suspended.
func (a *Arena) Among(block uint32) iter.Seq[*Manager] {
	return func(yield func(*Manager) bool) {
		checkKinds(a, block)
		eachOf(a, a.Kinds(block), yield)
	}
}

// AmongNear is [Arena.Among] for [Arena.KindsNear].
func (a *Arena) AmongNear(object uint32) iter.Seq[*Manager] {
	return func(yield func(*Manager) bool) {
		checkKinds(a, object>>6)
		eachOf(a, a.KindsNear(object), yield)
	}
}

// eachOf yields the managers of a set of kinds.
func eachOf(a *Arena, words []uint64, yield func(*Manager) bool) {
	for w, kinds := range words {
		for ; kinds != 0; kinds &= kinds - 1 {
			if !yield(&a.Managers[w<<6+bits.TrailingZeros64(kinds)]) {
				return
			}
		}
	}
}

// RefuseID returns the error of an id that the registry refused.
func RefuseID(a *Arena, err error, id gameobject.ID) error {
	return &Error{err, "game object", id, a.Objects.Cap()}
}
