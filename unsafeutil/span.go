package unsafeutil

import "unsafe"

// A Base is the address of a column's first byte. Only [Span] reads through it. The zero Base is
// the base of no column.
type Base struct {
	bound // first: an empty last field would be padded
	p     unsafe.Pointer
}

// BaseOf returns the base of b, which may be empty.
func BaseOf(b []byte) Base { return Base{boundOf(b), unsafe.Pointer(unsafe.SliceData(b))} }

// Span views the n elements of T that start lo elements after base. The caller has checked that
// they are inside the bytes that the base was made of; -tags ecsdebug checks it again.
func Span[T Element](base Base, lo, n int) []T {
	var zero T
	if checked {
		base.check(lo, n, int(unsafe.Sizeof(zero)))
	}
	if n == 0 {
		return []T{} // of a base of nothing too
	}
	// Slicing an array asks less of n than unsafe.Slice does.
	return (*[mostElements]T)(unsafe.Add(base.p, lo*int(unsafe.Sizeof(zero))))[:n:n]
}

const mostElements = 1 << (27 + 18*(^uint(0)>>63)) // of 8 bytes, in any address space
