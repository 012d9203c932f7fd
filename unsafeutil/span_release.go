//go:build !ecsdebug

package unsafeutil

const checked = false

type bound struct{}

func boundOf([]byte) bound { return bound{} }

func (bound) check(_, _, _ int) {}
