//go:build ecsdebug

package manager

import "bytes"

// CheckCopy panics where two arenas, which were just brought together by copying what had changed,
// differ.
func CheckCopy(a, b *Arena) {
	parts := a.Parts()
	for i := range parts {
		x := &parts[i]
		if !bytes.Equal(a.Used(x), b.Used(x)) {
			panic("flatecs: " + x.Owner + "." + x.Name + " was written unnoticed; " +
				"write through batches, or by Set, or through what Edit returns before the " +
				"next tick")
		}
	}
}
