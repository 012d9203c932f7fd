package unsafeutil

import "unsafe"

// Aligned returns n zeroed bytes that start on a multiple of align, a power of two.
func Aligned(n, align int) []byte {
	raw := make([]byte, n+align)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(raw)))) & (align - 1)
	return raw[skip : skip+n : skip+max(n, 1)] // the capacity keeps the address even if n is 0
}

// LittleEndian reports whether this machine is little-endian.
func LittleEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}

// Address returns the address of the first byte of b, for the operating system.
func Address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// Foreign returns n bytes at an address that came from the operating system, not from Go.
func Foreign(at uintptr, n int) []byte {
	p := *(*unsafe.Pointer)(unsafe.Pointer(&at)) // a conversion is for addresses of Go's alone
	return unsafe.Slice((*byte)(p), n)
}
