package kernel

import "encoding/binary"

// Xor inverts the bits of dst that are set in src:
//
//	for i := range dst {
//		dst[i] ^= src[i]
//	}
//
// Applying it twice restores dst. It panics when len(dst) != len(src).
func Xor(dst, src []byte) {
	if len(dst) != len(src) {
		panic(unpairedBytes)
	}
	n := forAssembly(len(src), perVectorBytes)
	if n > 0 {
		xorAVX2(dst, src)
	}
	xor(dst[n:], src[n:])
}

// xor processes 32 bytes at a time, then one.
func xor(dst, src []byte) {
	ne := binary.NativeEndian
	for len(src) >= 32 && len(dst) >= 32 {
		d, s := dst[:32], src[:32]
		ne.PutUint64(d, ne.Uint64(d)^ne.Uint64(s))
		ne.PutUint64(d[8:], ne.Uint64(d[8:])^ne.Uint64(s[8:]))
		ne.PutUint64(d[16:], ne.Uint64(d[16:])^ne.Uint64(s[16:]))
		ne.PutUint64(d[24:], ne.Uint64(d[24:])^ne.Uint64(s[24:]))
		dst, src = dst[32:], src[32:]
	}
	dst = dst[:len(src)]
	for i, b := range src {
		dst[i] ^= b
	}
}
