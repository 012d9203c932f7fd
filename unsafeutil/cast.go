package unsafeutil

import "unsafe"

// Element is what a column may hold: every type of a fixed width without pointers. int, uint and
// uintptr are left out because their width differs between machines.
type Element interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

const misaligned = "unsafeutil: bytes do not start on a multiple of the element's size, " +
	"or are not a whole number of elements; hand in a column's"

// SizeOf returns the size of T in bytes.
func SizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

// Slice views b as elements of T without copying. It panics unless b starts on a multiple of T's
// size and holds a whole number of elements.
func Slice[T Element](b []byte) []T {
	var zero T
	p := unsafe.Pointer(unsafe.SliceData(b))
	if (uintptr(p)|uintptr(len(b)))&(unsafe.Sizeof(zero)-1) != 0 {
		panic(misaligned)
	}
	return unsafe.Slice((*T)(p), len(b)/int(unsafe.Sizeof(zero)))
}

// Records views b as records of T, a struct of fixed-width fields without pointers, without
// copying. It panics unless b is aligned for T and holds a whole number of records.
func Records[T any](b []byte) []T {
	var zero T
	p := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(p)%unsafe.Alignof(zero) != 0 || uintptr(len(b))%unsafe.Sizeof(zero) != 0 {
		panic(misaligned)
	}
	return unsafe.Slice((*T)(p), len(b)/int(unsafe.Sizeof(zero)))
}

// Bytes views s as bytes without copying.
func Bytes[T Element](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*SizeOf[T]())
}

// Pairs views flat as rows of two; an odd element at the end is left out.
func Pairs[T Element](flat []T) [][2]T {
	return unsafe.Slice((*[2]T)(unsafe.Pointer(unsafe.SliceData(flat))), len(flat)/2)
}

// Triples views flat as rows of three; elements beyond the last whole row are left out.
func Triples[T Element](flat []T) [][3]T {
	return unsafe.Slice((*[3]T)(unsafe.Pointer(unsafe.SliceData(flat))), len(flat)/3)
}

// Quads views flat as rows of four; elements beyond the last whole row are left out.
func Quads[T Element](flat []T) [][4]T {
	return unsafe.Slice((*[4]T)(unsafe.Pointer(unsafe.SliceData(flat))), len(flat)/4)
}
