package buffer

import "github.com/flatecs/flatecs/unsafeutil"

// chunk is the length at which one call of copy is fastest: for longer copies the runtime uses
// stores that bypass the caches, which is slower if everything fits into them.
const (
	chunk     = 256 << 10
	chunkFrom = 1 << 20
	chunkTo   = 4 << 20
)

// Copy is copy(dst, src), at memory speed for every length.
func Copy(dst, src []byte) {
	if len(src) < chunkFrom || len(src) > chunkTo {
		copy(dst, src)
		return
	}
	for len(src) > chunk {
		copy(dst, src[:chunk])
		dst, src = dst[chunk:], src[chunk:]
	}
	copy(dst, src)
}

// OffsetIn returns the offset of part in b, or -1 if part is not in b, or is empty.
func OffsetIn(b, part []byte) int {
	at := unsafeutil.Address(part) - unsafeutil.Address(b)
	if len(part) == 0 || at >= uintptr(len(b)) {
		return -1
	}
	return int(at)
}
