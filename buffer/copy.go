package buffer

// chunk is the length at which one call of copy is fastest: for longer ones the runtime uses stores
// that bypass the caches, which is slower if everything fits into them.
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
