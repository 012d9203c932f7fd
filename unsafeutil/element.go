package unsafeutil

import "unsafe"

// ElementOf returns element i of *v, seen as an array of E. It panics if there is no such element,
// and unless values of T are aligned for E.
func ElementOf[E Element, T any](v *T, i uintptr) E {
	var e E
	if i >= unsafe.Sizeof(*v)/unsafe.Sizeof(e) || unsafe.Alignof(*v)%unsafe.Alignof(e) != 0 {
		panic(outsideValue)
	}
	return *(*E)(unsafe.Add(unsafe.Pointer(v), i*unsafe.Sizeof(e)))
}

const outsideValue = "unsafeutil: this element is not inside the value, or not aligned"
