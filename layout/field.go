package layout

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/unsafeutil"
)

// Element is what a field may hold: a type of a fixed width without pointers, or a named type over
// one, such as float16.Float16.
type Element = unsafeutil.Element

// MaxStride is the largest size of one field of one component, in bytes.
const MaxStride = 1 << 16

// A FieldSpec is what a [Field] is, whatever its element type. It is read-only after NewKind.
type FieldSpec struct {
	Name    string
	Type    string    // element type without its name: "float32", "uint16", …
	Lanes   int       // elements per component
	Size    int       // bytes per element
	Stride  int       // bytes per component: Lanes × Size
	Default []byte    // one component, Stride bytes
	Zero    bool      // Default is zeros
	Refs    []int     // offsets of game objects' ids in a component, in bytes
	Kind    *KindSpec // set once, by NewKind
	Index   int       // among the fields of its kind
}

// String returns the names of the field's kind and the field, or of the field where it is of no kind yet.
func (f *FieldSpec) String() string {
	if f == nil {
		return "the zero Field"
	}
	if f.Kind == nil {
		return f.Name
	}
	return f.Kind.Name + "." + f.Name
}

// A Field is a handle to one column: a number of elements of T per component.
type Field[T Element] struct{ spec *FieldSpec }

// AnyField is a [Field] of any element type.
type AnyField interface{ Spec() *FieldSpec }

// Spec returns what f is. It panics when f is the zero Field.
func (f Field[T]) Spec() *FieldSpec {
	if f.spec == nil {
		panic(noField)
	}
	return f.spec
}

// Access names what a query reads or writes: a [Field], or a [Kind] for all its fields.
type Access interface{ Fields() []*FieldSpec }

// Fields returns what f is. It panics when f is the zero Field.
func (f Field[T]) Fields() []*FieldSpec { return []*FieldSpec{f.Spec()} }

// NewField declares a field of lanes elements of T per component. No default means zero, one fills
// every lane, and one per lane is taken as it is. It panics when the name is empty, when a
// component has no lanes or more than [MaxStride] bytes, or when the defaults are of another
// number.
func NewField[T Element](name string, lanes int, defaults ...T) Field[T] {
	size := unsafeutil.SizeOf[T]()
	switch {
	case name == "":
		panic("layout: a field needs a name; give NewField one")
	case lanes <= 0:
		panic(fmt.Sprintf("layout: field %q has %d lanes; give it at least 1, or declare a mark",
			name, lanes))
	case lanes > MaxStride/size:
		panic(fmt.Sprintf("layout: field %q has %d lanes of %d bytes; "+
			"one component may have %d bytes at most",
			name, lanes, size, MaxStride))
	}
	value := unsafeutil.Bytes(spread(name, lanes, defaults))
	var refs []int
	if reflect.TypeFor[T]() == reflect.TypeFor[gameobject.ID]() {
		for i := range lanes {
			refs = append(refs, 8*i)
		}
	}
	return Field[T]{&FieldSpec{
		Name: name, Type: reflect.TypeFor[T]().Kind().String(), Lanes: lanes, Size: size,
		Stride: lanes * size, Default: slices.Clone(value),
		Zero: !slices.ContainsFunc(value, func(b byte) bool { return b != 0 }), Refs: refs,
	}}
}

// A FieldValue is a value of one field of one component.
type FieldValue struct {
	Field *FieldSpec
	Bytes []byte // Field.Stride of them
}

// Value returns a value of f. As in [NewField], no lane means zero, one fills every lane, and
// otherwise there is one per lane.
func (f Field[T]) Value(lanes ...T) FieldValue {
	s := f.Spec()
	return FieldValue{s, slices.Clone(unsafeutil.Bytes(spread(s.Name, s.Lanes, lanes)))}
}

// spread gives every lane its default.
func spread[T Element](name string, lanes int, defaults []T) []T {
	switch len(defaults) {
	case 0:
		return make([]T, lanes)
	case 1:
		return slices.Repeat(defaults, lanes)
	case lanes:
		return defaults
	}
	panic(fmt.Sprintf("layout: field %q has %d lanes and %d defaults; "+
		"give none, one, or one per lane",
		name, lanes, len(defaults)))
}

// Elements views the bytes of a column as elements, in place. It panics unless b starts on a
// multiple of the element's size and holds a whole number of them.
func Elements[T Element](b []byte) []T { return unsafeutil.Slice[T](b) }
