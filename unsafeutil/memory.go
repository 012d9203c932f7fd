package unsafeutil

import "unsafe"

// Aligned returns n zeroed bytes whose first byte lies on a multiple of align, a power of two.
func Aligned(n, align int) []byte {
	raw := make([]byte, n+align)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(raw)))) & (align - 1)
	return raw[skip : skip+n : skip+max(n, 1)] // a slice without capacity keeps the address of raw
}

// LittleEndian reports whether this machine stores the low byte of a number first.
func LittleEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}

// Address returns where the first byte of b lies, for the operating system.
func Address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// Foreign returns n bytes from an address on that the operating system gave, and not Go.
func Foreign(at uintptr, n int) []byte {
	p := *(*unsafe.Pointer)(unsafe.Pointer(&at)) // a conversion is for addresses of Go's alone
	return unsafe.Slice((*byte)(p), n)
}
