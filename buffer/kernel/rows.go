package kernel

import "math/bits"

// Gather copies listed rows to consecutive ones:
//
//	for i, r := range rows {
//		dst[i] = src[r]
//	}
//
// A row R is all lanes of one component: a float32, or a [3]float32. It is fastest with 4, 8, 12 or
// 16 bytes. Gather panics when len(dst) != len(rows), and if src does not have a listed row. dst
// and src must not overlap.
func Gather[R any](dst, src []R, rows []uint32) {
	if len(dst) != len(rows) {
		panic(unlisted)
	}
	dst = dst[:len(rows)]
	for i, r := range rows {
		dst[i] = src[r]
	}
}

// Scatter is the inverse of [Gather]:
//
//	for i, r := range rows {
//		dst[r] = src[i]
//	}
//
// If a row is listed twice, the last value stays. Scatter panics when len(src) != len(rows), and if
// dst does not have a listed row. dst and src must not overlap.
func Scatter[R any](dst, src []R, rows []uint32) {
	if len(src) != len(rows) {
		panic(unlisted)
	}
	src = src[:len(rows)]
	for i, r := range rows {
		dst[r] = src[i]
	}
}

// GatherBytes is [Gather] for rows of size bytes:
//
//	for i, r := range rows {
//		copy(dst[i*size:][:size], src[int(r)*size:])
//	}
//
// It is fastest with 4, 8, 12 or 16 bytes. GatherBytes panics when len(dst) != len(rows)*size, and
// if src does not have a listed row. dst and src must not overlap.
func GatherBytes(dst, src []byte, size int, rows []uint32) {
	if len(dst) != len(rows)*size {
		panic(unlisted)
	}
	n := 0
	if hasAVX2 && len(rows) >= short {
		switch size {
		case 4:
			n = gather4AVX2(dst, src, rows)
		case 8:
			n = gather8AVX2(dst, src, rows)
		case 12:
			n = gather12AVX2(dst, src, rows)
		case 16:
			n = gather16AVX2(dst, src, rows)
		}
	}
	gatherBytes(dst[n*size:], src, size, rows[n:])
}

func gatherBytes(dst, src []byte, size int, rows []uint32) {
	switch size { // copies of constant size compile to one or two moves
	case 4:
		for i, r := range rows {
			*(*[4]byte)(dst[4*i:]) = [4]byte(src[4*int(r):])
		}
	case 8:
		for i, r := range rows {
			*(*[8]byte)(dst[8*i:]) = [8]byte(src[8*int(r):])
		}
	case 12:
		for i, r := range rows {
			*(*[12]byte)(dst[12*i:]) = [12]byte(src[12*int(r):])
		}
	case 16:
		for i, r := range rows {
			*(*[16]byte)(dst[16*i:]) = [16]byte(src[16*int(r):])
		}
	case 24:
		for i, r := range rows {
			*(*[24]byte)(dst[24*i:]) = [24]byte(src[24*int(r):])
		}
	case 40:
		for i, r := range rows {
			*(*[40]byte)(dst[40*i:]) = [40]byte(src[40*int(r):])
		}
	default:
		for i, r := range rows {
			copy(dst[i*size:][:size], src[int(r)*size:][:size])
		}
	}
}

// ScatterBytes is [Scatter] for rows of size bytes:
//
//	for i, r := range rows {
//		copy(dst[int(r)*size:][:size], src[i*size:])
//	}
//
// It is fastest with 4, 8, 12 or 16 bytes. If a row is listed twice, the last value stays.
// ScatterBytes panics when len(src) != len(rows)*size, and if dst does not have a listed row. dst
// and src must not overlap.
func ScatterBytes(dst, src []byte, size int, rows []uint32) {
	if len(src) != len(rows)*size {
		panic(unlisted)
	}
	n := 0
	if hasAVX2 && len(rows) >= short {
		switch size {
		case 4:
			n = scatter4AVX2(dst, src, rows)
		case 8:
			n = scatter8AVX2(dst, src, rows)
		case 12:
			n = scatter12AVX2(dst, src, rows)
		case 16:
			n = scatter16AVX2(dst, src, rows)
		}
	}
	scatterBytes(dst, src[n*size:], size, rows[n:])
}

func scatterBytes(dst, src []byte, size int, rows []uint32) {
	switch size { // as in gatherBytes
	case 4:
		for i, r := range rows {
			*(*[4]byte)(dst[4*int(r):]) = [4]byte(src[4*i:])
		}
	case 8:
		for i, r := range rows {
			*(*[8]byte)(dst[8*int(r):]) = [8]byte(src[8*i:])
		}
	case 12:
		for i, r := range rows {
			*(*[12]byte)(dst[12*int(r):]) = [12]byte(src[12*i:])
		}
	case 16:
		for i, r := range rows {
			*(*[16]byte)(dst[16*int(r):]) = [16]byte(src[16*i:])
		}
	case 24:
		for i, r := range rows {
			*(*[24]byte)(dst[24*int(r):]) = [24]byte(src[24*i:])
		}
	case 40:
		for i, r := range rows {
			*(*[40]byte)(dst[40*int(r):]) = [40]byte(src[40*i:])
		}
	default:
		for i, r := range rows {
			copy(dst[int(r)*size:][:size], src[i*size:][:size])
		}
	}
}

// Iota fills dst with consecutive numbers:
//
//	for i := range dst {
//		dst[i] = first + uint32(i)
//	}
func Iota(dst []uint32, first uint32) {
	n := forAssembly(len(dst), perVector)
	if n > 0 {
		iotaAVX2(dst, first)
	}
	ascend(dst[n:], first+uint32(n))
}

func ascend(dst []uint32, first uint32) {
	for i := range dst {
		dst[i] = first + uint32(i)
	}
}

// ListRows lists the rows of those of 64 neighbouring objects that are set in mask. Rows of objects
// that are set in odd come from page; the others follow from first.
//
//	n := 0
//	for i := range uint32(64) {
//		row := first + i
//		if odd>>i&1 != 0 {
//			row = page[i]
//		}
//		if mask>>i&1 != 0 {
//			dst[n] = row
//			n++
//		}
//	}
//
// Entries of dst behind the listed ones may be overwritten. ListRows reports whether the listed
// rows are consecutive. dst and page must not overlap.
func ListRows(dst, page *[64]uint32, first uint32, odd, mask uint64) (straight bool) {
	if hasAVX2 && bits.OnesCount64(mask) >= short/2 {
		return listRowsAVX2(dst, page, first, odd&mask, mask)
	}
	return listRows(dst, page, first, odd, mask)
}

func listRows(dst, page *[64]uint32, first uint32, odd, mask uint64) (straight bool) {
	straight = true
	for n := uint32(0); mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask) & 63
		row, stray := first+uint32(i), page[i]
		if odd>>i&1 != 0 { // compiles to a conditional move
			row = stray
		}
		dst[n&63] = row
		straight = straight && row == dst[0]+n
		n++
	}
	return straight
}
