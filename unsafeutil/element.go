package unsafeutil

import "unsafe"

// ElementOf returns the element that lies at a byte offset in *v. It panics unless the element is
// inside and aligned as T is.
func ElementOf[E Element, T any](v *T, offset uintptr) E {
	var e E
	if size := unsafe.Sizeof(*v); offset > size || size-offset < unsafe.Sizeof(e) ||
		offset%unsafe.Alignof(e) != 0 {
		panic(outsideValue)
	}
	return *(*E)(unsafe.Add(unsafe.Pointer(v), offset))
}

const outsideValue = "unsafeutil: this element is not inside the value, or not aligned"
