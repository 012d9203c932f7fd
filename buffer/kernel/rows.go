package kernel

import (
	"math/bits"
	"slices"
)

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
	copyRows(dst[n*size:], src, size, rows[n:], false)
}

// Prefetch loads rows of size bytes into the cache ahead of their use, if the machine can. It
// changes no data:
//
//	for _, r := range rows {
//		_ = src[int(r+offset)*size]
//	}
//
// The sum is modulo 2³². Rows outside src do no harm.
func Prefetch(src []byte, size int, rows []uint32, offset uint32) {
	if hasAVX2 {
		prefetchAVX2(src, size, rows, offset)
	}
}

// Prefetches reports whether the machine supports [Prefetch].
func Prefetches() bool { return hasAVX2 }

// PrefetchSpan is [Prefetch] for n bytes from at on, at most for the first 4,096.
func PrefetchSpan(src []byte, at, n int) {
	if hasAVX2 && n > 0 {
		first, last := at/line, (at+n-1)/line
		lines := ascending[:min(last-first+1, len(ascending))]
		prefetchAVX2(src, line, lines, uint32(first))
	}
}

// line is the size of a cache line in bytes.
const line = 64

var ascending = func() (lines [64]uint32) {
	Iota(lines[:], 0)
	return lines
}()

// copyRows inlines copySized where size is a constant, so that each copy is one or two moves.
func copyRows(dst, src []byte, size int, rows []uint32, scatter bool) {
	dst, src = slices.Clip(dst), slices.Clip(src)
	switch size {
	case 4:
		copySized(dst, src, 4, rows, scatter)
	case 8:
		copySized(dst, src, 8, rows, scatter)
	case 12:
		copySized(dst, src, 12, rows, scatter)
	case 16:
		copySized(dst, src, 16, rows, scatter)
	case 24:
		copySized(dst, src, 24, rows, scatter)
	default:
		copySized(dst, src, size, rows, scatter)
	}
}

// copySized needs slices whose capacity is their length: slicing checks the capacity.
func copySized(dst, src []byte, size int, rows []uint32, scatter bool) {
	if scatter {
		for i, r := range rows {
			to, from := int(r)*size, i*size
			copy(dst[to:to+size], src[from:from+size])
		}
		return
	}
	for i, r := range rows {
		to, from := i*size, int(r)*size
		copy(dst[to:to+size], src[from:from+size])
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
	copyRows(dst, src[n*size:], size, rows[n:], true)
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

// ListRows lists the rows of the objects in mask, out of 64 neighbouring objects. Rows of objects
// in odd come from page; the others follow from first.
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
