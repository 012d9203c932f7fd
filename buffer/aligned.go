package buffer

import "github.com/flatecs/flatecs/unsafeutil"

// aligned returns the part of b that consists of whole pages of a size, a power of two.
func aligned(b []byte, size int) []byte {
	at := unsafeutil.Address(b)
	first := int(-at & uintptr(size-1))
	last := len(b) - int((at+uintptr(len(b)))&uintptr(size-1))
	if first >= last {
		return nil
	}
	return b[first:last]
}
