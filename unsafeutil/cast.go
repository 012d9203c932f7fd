package unsafeutil

import "unsafe"

// Element is the constraint for elements of columns: every type of a fixed width without pointers.
// int, uint and uintptr are not included because their width differs between machines.
type Element interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

const misaligned = "flatecs: bytes do not start on a multiple of the element's size, " +
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

// Flat views values as elements of E without copying. The caller has checked that all of T is E.
func Flat[E Element, T any](values []T) []E {
	n := len(values) * SizeOf[T]() / SizeOf[E]()
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(values))), n)
}

// BytesOf views one value as bytes without copying.
func BytesOf[T any](v *T) []byte {
	n := SizeOf[T]()
	return (*[largest]byte)(unsafe.Pointer(v))[:n:n] // unsafe.Slice checks what the type says
}

const largest = 1 << 30 // bytes of a type

// Bytes views s as bytes without copying.
func Bytes[T Element](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*SizeOf[T]())
}
