//go:build ecsdebug

package unsafeutil

import "fmt"

const checked = true

type bound struct{ size int } // bytes

func boundOf(b []byte) bound { return bound{len(b)} }

func (b bound) check(lo, n, size int) {
	if lo < 0 || n < 0 || lo+n > b.size/size {
		panic(fmt.Sprintf("flatecs: values %d to %d of %d bytes each are outside "+
			"the column's %d bytes",
			lo, lo+n, size, b.size))
	}
}
