package kin

import (
	"math/bits"

	"github.com/flatecs/flatecs/manager"
)

// Disables reports whether m is the mark of disabled objects, and a relation passes it on.
func (w *World) Disables(m *manager.Manager) bool { return w != nil && w.disabled == m }

// Follow disables or enables the referrers of the objects x of a block, which got or lost m.
func (w *World) Follow(m *manager.Manager, block uint32, x uint64, on bool) {
	if w.Disables(m) {
		w.Disable(block, x, on)
	}
}

// Disable adds the mark of disabled objects to the objects x of a block, and to all objects that
// refer to them by relations that disable, or removes it from them.
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
