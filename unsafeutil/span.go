package unsafeutil

import (
	"math/bits"
	"unsafe"
)

// A Base is the address of a column's first byte. Only [Span], [At] and [AtByte] read through it.
// The zero Base belongs to no column.
type Base struct {
	bound // first: an empty last field would be padded
	p     unsafe.Pointer
}

// BaseOf returns the base of b, which may be empty.
func BaseOf(b []byte) Base { return Base{boundOf(b), unsafe.Pointer(unsafe.SliceData(b))} }

// Span views the n values of T that start lo values after base. The caller has checked that they
// are inside the bytes of the base; -tags ecsdebug checks it again.
func Span[T any](base Base, lo, n int) []T {
	var zero T
	if checked {
		base.check(lo, n, int(unsafe.Sizeof(zero)))
	}
	if n == 0 {
		return []T{} // of a base of nothing too
	}
	p := unsafe.Add(base.p, lo*int(unsafe.Sizeof(zero)))
	if bits.UintSize == 32 {
		return unsafe.Slice((*T)(p), n)
	}
	return (*[most]T)(p)[:n:n] // slicing an array asks less of n than unsafe.Slice does
}

// most is more than the number of rows, and still a valid array size on 32-bit machines.
const most = 1 << (14 + 16*(^uint(0)>>63))

// AtByte returns the value that is n bytes after base, a multiple of its size. The caller has
// checked as for [Span].
func AtByte[T any](base Base, n int) *T {
	var zero T
	if checked {
		base.check(n/int(unsafe.Sizeof(zero)), 1, int(unsafe.Sizeof(zero)))
	}
	return (*T)(unsafe.Add(base.p, n))
}

// At returns the value that is lo values after base. The caller has checked as for [Span].
func At[T any](base Base, lo int) *T {
	var zero T
	if checked {
		base.check(lo, 1, int(unsafe.Sizeof(zero)))
	}
	return (*T)(unsafe.Add(base.p, lo*int(unsafe.Sizeof(zero))))
}
