package kin

import (
	"math/bits"

	"github.com/flatecs/flatecs/manager"
)

// Disables reports whether m is the mark of disabled objects, and others get it with them.
func (w *World) Disables(m *manager.Manager) bool { return w != nil && w.disabled == m }

// Follow disables or enables those that go with the objects x of a block, which got m or lost it.
func (w *World) Follow(m *manager.Manager, block uint32, x uint64, on bool) {
	if w.Disables(m) {
		w.Disable(block, x, on)
	}
}

// Disable gives the mark of disabled objects to the objects x of a block, and to all that refer to
// them by relations that disable, or takes it from them.
func (w *World) Disable(block uint32, x uint64, on bool) {
	for ; x != 0; x &= x - 1 {
		w.push([]uint32{block<<6 + uint32(bits.TrailingZeros64(x))}, 0)
	}
	w.spreadBy(true)
	for _, k := range w.blocks {
		if has := w.disabled.Blocks.Present(k); on {
			w.disabled.AddBlock(k, w.dying[k]&^has)
		} else {
			w.disabled.DropBlock(k, w.dying[k]&has)
		}
	}
	w.forget()
}
