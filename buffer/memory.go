package buffer

import "github.com/flatecs/flatecs/unsafeutil"

// New returns n zeroed bytes of Go's heap that start on a multiple of Align, or false if n is more
// than [Memory].
func New(n int) (b []byte, ok bool) {
	if n > heapMost && int64(n) > Memory() {
		return nil, false
	}
	return unsafeutil.Aligned(n, Align), true
}
