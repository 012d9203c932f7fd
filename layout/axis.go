package layout

import (
	"fmt"
	"strings"

	"github.com/flatecs/flatecs/unsafeutil"
)

// An Axis selects one float32 or float64 in each value of a field, such as a coordinate of a
// position.
type Axis[T any] struct {
	element uintptr // number of the float32, or the float64, in a value
	bytes   uint8   // 4 or 8; 0: of the zero Axis
}

// Axis returns the coordinate with a name as in a Go selector on a value of f: "X", "Pos.X", or
// "[2]" for the third element of a [3]float32. It panics if there is no such number, and lists the
// numbers of f.
func (f Field[T]) Axis(name string) Axis[T] {
	for n, a := range f.axes {
		if n == name {
			return a
		}
	}
	panic(fmt.Sprintf("layout: field %s has no axis %q; its float32 and float64 are: %s",
		f.Spec().Title(Part{}), name, strings.Join(f.Axes(), ", ")))
}

// Axes returns the names of the float32 and float64 in a value of f, in order; see [Field.Axis].
func (f Field[T]) Axes() (names []string) {
	for n := range f.axes {
		names = append(names, n)
	}
	return names
}

// axes yields the float32 and float64 in a value of f, in order, by their names.
func (f Field[T]) axes(yield func(name string, a Axis[T]) bool) {
	for _, p := range f.Spec().Parts {
		if p.Type != "float32" && p.Type != "float64" {
			continue
		}
		for lane := range p.Lanes {
			name := p.Name
			if p.Lanes > 1 || name == "" {
				name = fmt.Sprintf("%s[%d]", p.Name, lane)
			}
			if !yield(name, Axis[T]{uintptr(p.Offset/p.Size() + lane), uint8(p.Size())}) {
				return
			}
		}
	}
}

// Of returns the selected number in a value. It panics if v is nil, and if a is the zero Axis.
func (a Axis[T]) Of(v *T) float64 {
	if v == nil {
		panic("layout: Axis.Of a nil value; give the address of one")
	}
	if a.bytes == 4 {
		return float64(unsafeutil.ElementOf[float32](v, a.element))
	}
	return a.wide(v)
}

func (a Axis[T]) wide(v *T) float64 {
	if a.bytes == 0 {
		panic("layout: the zero Axis has no field; get one by Field.Axis")
	}
	return unsafeutil.ElementOf[float64](v, a.element)
}

// Read reads the selected number in each of values:
//
//	for i := range values {
//		dst[i] = a.Of(&values[i])
//	}
//
// It panics if dst is shorter than values, and if a is the zero Axis.
func (a Axis[T]) Read(dst []float64, values []T) {
	if len(dst) < len(values) {
		panic(fmt.Sprintf("layout: Axis.Read of %d values into %d numbers; give as many",
			len(values), len(dst)))
	}
	dst = dst[:len(values)]
	if a.bytes != 4 {
		for i := range values {
			dst[i] = a.wide(&values[i])
		}
		return
	}
	for i := range values {
		dst[i] = float64(unsafeutil.ElementOf[float32](&values[i], a.element))
	}
}
