package buffer

// chunk is what one call of copy does best in the middle of its range: above it the runtime's copy
// turns to stores that go around the caches, which loses where the whole fits into them.
const (
	chunk     = 256 << 10
	chunkFrom = 1 << 20
	chunkTo   = 4 << 20
)

// Copy is copy(dst, src), at the speed of memory for every length.
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
