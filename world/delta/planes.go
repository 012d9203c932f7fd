package delta

import (
	"encoding/binary"

	"github.com/flatecs/flatecs/buffer/kernel"
)

// split writes the elements of src, of size 1, 2, 4 or 8, as planes: first the lowest byte of each,
// then the next byte of each, and so on, so that bytes that change alike are neighbours.
//
//	for i := range len(src) / size {
//		for k := range size {
//			dst[k*len(src)/size+i] = src[i*size+k]
//		}
//	}
//
// The length is a multiple of 64, the same for both.
func split(dst, src []byte, size int) {
	dst = dst[:len(src)]
	plane := len(src) / max(size, 1)
	le := binary.LittleEndian
	switch size {
	case 2:
		p0, p1 := dst[:plane], dst[plane:]
		for ; len(src) >= 16; src, p0, p1 = src[16:], p0[8:], p1[8:] {
			a, b := deal(le.Uint64(src)), deal(le.Uint64(src[8:]))
			le.PutUint64(p0, a&low32|b<<32)
			le.PutUint64(p1, a>>32|b&^low32)
		}
	case 4:
		kernel.Split32(dst, src)
	case 8:
		for i := 0; i+8 <= plane; i += 8 {
			x := words(src[8*i:])
			transpose(&x)
			for k, w := range x {
				le.PutUint64(dst[k*plane+i:], w)
			}
		}
	default:
		copy(dst, src)
	}
}

// join is the inverse of split.
func join(dst, src []byte, size int) {
	dst = dst[:len(src)]
	plane := len(src) / max(size, 1)
	le := binary.LittleEndian
	switch size {
	case 2:
		for i := 0; i+8 <= plane; i += 8 {
			a, b := le.Uint64(src[i:]), le.Uint64(src[plane+i:])
			le.PutUint64(dst[2*i:], riffle(a&low32|b<<32))
			le.PutUint64(dst[2*i+8:], riffle(a>>32|b&^low32))
		}
	case 4:
		kernel.Join32(dst, src)
	case 8:
		for i := 0; i+8 <= plane; i += 8 {
			var x [8]uint64
			for k := range x {
				x[k] = le.Uint64(src[k*plane+i:])
			}
			transpose(&x)
			for k, w := range x {
				le.PutUint64(dst[8*i+8*k:], w)
			}
		}
	default:
		copy(dst, src)
	}
}

const (
	low32 = 1<<32 - 1
	evens = 0x0000ffff0000ffff // every other two bytes
)

// riffle turns the bytes 0123 4567 into 04 15 26 37.
func riffle(x uint64) uint64 {
	t := (x ^ x>>16) & 0x00000000ffff0000
	x ^= t ^ t<<16
	t = (x ^ x>>8) & 0x0000ff000000ff00
	return x ^ t ^ t<<8
}

// deal turns the bytes 01 23 45 67 into 0246 1357, the way back from riffle.
func deal(x uint64) uint64 {
	t := (x ^ x>>8) & 0x0000ff000000ff00
	x ^= t ^ t<<8
	t = (x ^ x>>16) & 0x00000000ffff0000
	return x ^ t ^ t<<16
}

// words returns the 64 bytes that b begins with.
func words(b []byte) (x [8]uint64) {
	for k := range x {
		x[k] = binary.LittleEndian.Uint64(b[8*k:])
	}
	return x
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
