package kernel

import "encoding/binary"

const (
	perRound32 = 8   // elements that the Go loop does at a time
	planeRound = 128 // bytes that the assembly does at a time
)

// Split separates the bytes of elements of size 1, 2, 4 or 8: first the lowest byte of each, then
// the next byte of each, and so on, so that bytes that change alike are neighbours.
//
//	n := len(src) / size
//	for i := range n {
//		for k := range size {
//			dst[k*n+i] = src[i*size+k]
//		}
//	}
//
// It panics for another size, if len(dst) != len(src), or if they are not multiples of 8 elements.
// They must not overlap.
func Split(dst, src []byte, size int) {
	checkPlanes(dst, src, size)
	switch size {
	case 1:
		copy(dst, src)
	case 2:
		split16(dst, src)
	case 4:
		done := 0
		if hasAVX2 && len(src) >= planeRound {
			split32AVX2(dst, src)
			done = len(src) / planeRound * planeRound
		}
		split32(dst, src, done)
	case 8:
		split64(dst, src)
	}
}

// Join is the inverse of [Split].
//
//	n := len(src) / size
//	for i := range n {
//		for k := range size {
//			dst[i*size+k] = src[k*n+i]
//		}
//	}
//
// It panics for another size, if len(dst) != len(src), or if they are not multiples of 8 elements.
// They must not overlap.
func Join(dst, src []byte, size int) {
	checkPlanes(dst, src, size)
	switch size {
	case 1:
		copy(dst, src)
	case 2:
		join16(dst, src)
	case 4:
		done := 0
		if hasAVX2 && len(src) >= planeRound {
			join32AVX2(dst, src)
			done = len(src) / planeRound * planeRound
		}
		join32(dst, src, done)
	case 8:
		join64(dst, src)
	}
}

func checkPlanes(dst, src []byte, size int) {
	switch {
	case size != 1 && size != 2 && size != 4 && size != 8:
		panic(noPlanes)
	case len(dst) != len(src):
		panic(unpairedBytes)
	case len(src)%(8*size) != 0:
		panic(unevenPlanes)
	}
}

const (
	low32 = 1<<32 - 1
	evens = 0x0000ffff0000ffff // every other two bytes
)

func split16(dst, src []byte) {
	n := len(src) / 2
	p0, p1 := dst[:n], dst[n:][:n]
	le := binary.LittleEndian
	for i := 0; i+8 <= n; i += 8 {
		s := src[2*i:][:16]
		a, b := separateBytes(le.Uint64(s)), separateBytes(le.Uint64(s[8:]))
		le.PutUint64(p0[i:], a&low32|b<<32)
		le.PutUint64(p1[i:], a>>32|b&^low32)
	}
}

func join16(dst, src []byte) {
	n := len(src) / 2
	p0, p1 := src[:n], src[n:][:n]
	le := binary.LittleEndian
	for i := 0; i+8 <= n; i += 8 {
		a, b := le.Uint64(p0[i:]), le.Uint64(p1[i:])
		d := dst[2*i:][:16]
		le.PutUint64(d, interleaveBytes(a&low32|b<<32))
		le.PutUint64(d[8:], interleaveBytes(a>>32|b&^low32))
	}
}

func split64(dst, src []byte) {
	n := len(src) / 8
	le := binary.LittleEndian
	for i := 0; i+8 <= n; i += 8 {
		var x [8]uint64
		for k, s := 0, src[8*i:][:64]; k < 8; k++ {
			x[k] = le.Uint64(s[8*k:])
		}
		transpose(&x)
		for k, w := range x {
			le.PutUint64(dst[k*n+i:], w)
		}
	}
}

func join64(dst, src []byte) {
	n := len(src) / 8
	le := binary.LittleEndian
	for i := 0; i+8 <= n; i += 8 {
		var x [8]uint64
		for k := range x {
			x[k] = le.Uint64(src[k*n+i:])
		}
		transpose(&x)
		for k, w := range x {
			le.PutUint64(dst[8*(i+k):], w)
		}
	}
}

// split32 starts at byte done of src.
func split32(dst, src []byte, done int) {
	n := len(src) / 4
	p0, p1, p2, p3 := dst[:n], dst[n:][:n], dst[2*n:][:n], dst[3*n:][:n]
	le := binary.LittleEndian
	for i := done / 4; i+perRound32 <= n; i += perRound32 {
		s := src[4*i:][:4*perRound32]
		a, b := interleaveBytes(le.Uint64(s)), interleaveBytes(le.Uint64(s[8:]))
		c, d := interleaveBytes(le.Uint64(s[16:])), interleaveBytes(le.Uint64(s[24:]))
		even, odd := a&evens|b&evens<<16, a>>16&evens|b&^evens
		later, others := c&evens|d&evens<<16, c>>16&evens|d&^evens
		le.PutUint64(p0[i:], even<<32>>32|later<<32)
		le.PutUint64(p1[i:], odd<<32>>32|others<<32)
		le.PutUint64(p2[i:], even>>32|later>>32<<32)
		le.PutUint64(p3[i:], odd>>32|others>>32<<32)
	}
}

// join32 starts at byte done of dst.
func join32(dst, src []byte, done int) {
	n := len(src) / 4
	p0, p1, p2, p3 := src[:n], src[n:][:n], src[2*n:][:n], src[3*n:][:n]
	le := binary.LittleEndian
	for i := done / 4; i+perRound32 <= n; i += perRound32 {
		x0, x1 := le.Uint64(p0[i:]), le.Uint64(p1[i:])
		x2, x3 := le.Uint64(p2[i:]), le.Uint64(p3[i:])
		even, later := x0<<32>>32|x2<<32, x0>>32|x2>>32<<32
		odd, others := x1<<32>>32|x3<<32, x1>>32|x3>>32<<32
		d := dst[4*i:][:4*perRound32]
		le.PutUint64(d, separateBytes(even&evens|odd&evens<<16))
		le.PutUint64(d[8:], separateBytes(even>>16&evens|odd&^evens))
		le.PutUint64(d[16:], separateBytes(later&evens|others&evens<<16))
		le.PutUint64(d[24:], separateBytes(later>>16&evens|others&^evens))
	}
}

// interleaveBytes turns the bytes 0123 4567 into 04 15 26 37.
func interleaveBytes(x uint64) uint64 {
	t := (x ^ x>>16) & 0x00000000ffff0000
	x ^= t ^ t<<16
	t = (x ^ x>>8) & 0x0000ff000000ff00
	return x ^ t ^ t<<8
}

// separateBytes turns the bytes 01 23 45 67 into 0246 1357; it is the inverse of interleaveBytes.
func separateBytes(x uint64) uint64 {
	t := (x ^ x>>8) & 0x0000ff000000ff00
	x ^= t ^ t<<8
	t = (x ^ x>>16) & 0x00000000ffff0000
	return x ^ t ^ t<<16
}

// transpose makes byte k of word i byte i of word k.
func transpose(x *[8]uint64) {
	for _, step := range []struct {
		by    int
		shift uint
		mask  uint64
	}{{4, 32, low32}, {2, 16, evens}, {1, 8, 0x00ff00ff00ff00ff}} {
		for i := range x {
			if j := i + step.by; i&step.by == 0 {
				t := (x[i]>>step.shift ^ x[j]) & step.mask
				x[i] ^= t << step.shift
				x[j] ^= t
			}
		}
	}
}
