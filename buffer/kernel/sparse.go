package kernel

const page = 4 << 10 // bytes that a machine gives at once, at least

var zeroPage [page]byte

// Clear makes dst zeros. It writes to no 4 KB of it that are zeros: they may have no memory yet.
func Clear(dst []byte) {
	for len(dst) > 0 {
		n := min(len(dst), page)
		if string(dst[:n]) != string(zeroPage[:n]) {
			clear(dst[:n])
		}
		dst = dst[n:]
	}
}

// CopySparse is copy(dst, src) for slices of one length. It writes to no 4 KB that are the same.
func CopySparse(dst, src []byte) {
	for len(src) > 0 {
		n := min(len(src), page)
		if string(dst[:n]) != string(src[:n]) {
			copy(dst, src[:n])
		}
		dst, src = dst[n:], src[n:]
	}
}
