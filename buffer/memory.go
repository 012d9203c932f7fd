package buffer

import (
	"math"

	"github.com/flatecs/flatecs/unsafeutil"
)

// scarce says that a program may run out of addresses before the machine runs out of memory.
const scarce = math.MaxInt == math.MaxInt32

// New returns n zeroed bytes of Go's heap on a multiple of Align, or false if n is more than
// [Memory].
func New(n int) (b []byte, ok bool) {
	if n > heapMost && (n > math.MaxInt-Align || int64(n) > Memory()) {
		return nil, false
	}
	return unsafeutil.Aligned(n, Align), true
}
