package buffer

import "github.com/flatecs/flatecs/unsafeutil"

const (
	hugePage = 2 << 20 // bytes
	hugeFrom = 4 << 20 // bytes from which huge pages pay
)

// New returns n zeroed bytes that start on a multiple of Align, or false when they are more than
// [Memory]. From 4 MB on the operating system is asked for huge pages, where it has them.
func New(n int) (b []byte, ok bool) {
	if n < hugeFrom {
		return unsafeutil.Aligned(n, Align), true
	}
	if int64(n) > Memory() {
		return nil, false
	}
	b = unsafeutil.Aligned(n, hugePage)
	adviseHuge(b[:n&^(hugePage-1)])
	return b, true
}

// LittleEndian reports whether this machine's bytes are the world's bytes.
func LittleEndian() bool { return unsafeutil.LittleEndian() }
