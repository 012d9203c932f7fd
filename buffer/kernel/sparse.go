package kernel

const page = 4 << 10 // smallest page size

var zeroPage [page]byte

// Clear sets dst to zeros. It does not write to 4 KB pages of zeros, which may not have memory.
func Clear(dst []byte) {
	for len(dst) > 0 {
		n := min(len(dst), page)
		if string(dst[:n]) != string(zeroPage[:n]) {
			clear(dst[:n])
		}
		dst = dst[n:]
	}
}

// CopySparse is copy(dst, src) for slices of equal length. It does not write to equal 4 KB pages.
func CopySparse(dst, src []byte) {
	for len(src) > 0 {
		n := min(len(src), page)
		if string(dst[:n]) != string(src[:n]) {
			copy(dst, src[:n])
		}
		dst, src = dst[n:], src[n:]
	}
}
