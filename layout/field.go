package layout

import (
	"reflect"
	"slices"

	"github.com/flatecs/flatecs/unsafeutil"
)

// Element is what a field's values are made of: a type of a fixed width without pointers, or a
// named type over one, such as float16.Float16.
type Element = unsafeutil.Element

// MaxStride is the largest size of one field of one component, in bytes.
const MaxStride = 1 << 16

// A FieldSpec is what a [Field] is, whatever its type. It is read-only after NewKind.
type FieldSpec struct {
	Name    string
	Parts   []Part    // of a value, one after the other; at least one
	Stride  int       // bytes per component
	Default []byte    // one component, Stride bytes
	Zero    bool      // Default is zeros
	Refs    []int     // where in a component the ids of game objects are, in bytes, ascending
	Kind    *KindSpec // set once, by NewKind
	Index   int       // among the fields of its kind

	element reflect.Kind // of all of it, or Invalid where parts differ
}

// String returns the names of the field's kind and the field, or of the field alone where it is of
// no kind yet.
func (f *FieldSpec) String() string {
	if f == nil {
		return "the zero Field"
	}
	if f.Kind == nil {
		return f.Name
	}
	return f.Kind.Name + "." + f.Name
}

// A Field is a handle to one column: a T per component.
type Field[T any] struct{ spec *FieldSpec }

// AnyField is a [Field] of any type.
type AnyField interface{ Spec() *FieldSpec }

// Spec returns what f is. It panics when f is the zero Field.
func (f Field[T]) Spec() *FieldSpec {
	if f.spec == nil {
		panic(noField)
	}
	return f.spec
}

// Kind returns the kind that f belongs to.
func (f Field[T]) Kind() Kind { return Kind{f.Spec().Kind} }

// Count says that a world has room for rows components of f's kind.
func (f Field[T]) Count(rows int) Count { return f.Kind().Count(rows) }

// Counted counts f's kind without rows: a world has room for every object.
func (f Field[T]) Counted() Count { return f.Kind().Counted() }

// Access names what a query reads or writes: a [Field], or a [Kind] for all its fields.
type Access interface{ Fields() []*FieldSpec }

// Fields returns what f is. It panics when f is the zero Field.
func (f Field[T]) Fields() []*FieldSpec { return []*FieldSpec{f.Spec()} }

// NewField declares a field, which is to be given to a kind by [NewKind]. T is any type that is the
// same bytes on every machine: numbers of a fixed width, bool, ids of game objects, named types
// such as float16.Float16 or an enum, and arrays and structs of them however deep. A component has
// the default, or zeros where none is given. The ids of game objects are references, which the
// world keeps right; a type of one's own over GameObject is a plain number.
//
// It panics when the name is empty, when more than one default is given, and with the place in T
// that does not lie in flat bytes: pointers, strings, int and uint, padding and blank fields, what
// has no bytes, and more than [MaxStride]. See [Values] for Go values of any type.
func NewField[T any](name string, value ...T) Field[T] {
	var v T
	switch len(value) {
	case 0:
	case 1:
		v = value[0]
	default:
		panic("layout: field " + name + " has more than one default; give one value, or none")
	}
	spec := specOf(name, reflect.TypeFor[T]())
	spec.Default = slices.Clone(unsafeutil.BytesOf(&v))
	spec.Zero = zeros(spec.Default)
	return Field[T]{spec}
}

// NewComponent declares a kind of one field, both of one name. It panics where [NewField] does.
func NewComponent[T any](name string, value ...T) Field[T] {
	f := NewField(name, value...)
	NewKind(name, f)
	return f
}

// A FieldValue is a value of one field of one component. One of up to 64 bytes lies within it, so
// that values can be handed on without an allocation.
type FieldValue struct {
	Field *FieldSpec
	small [64]byte
	large []byte
}

// Bytes returns the value, Field.Stride bytes, in place. It panics when Value did not make v.
func (v *FieldValue) Bytes() []byte {
	switch {
	case v == nil || v.Field == nil || len(v.large) == 0 && v.Field.Stride > len(v.small):
		panic(noValue)
	case v.large != nil:
		return v.large
	}
	return v.small[:v.Field.Stride]
}

// Value returns a value of f.
func (f Field[T]) Value(v T) FieldValue {
	value := FieldValue{Field: f.Spec()}
	if b := unsafeutil.BytesOf(&v); len(b) > len(value.small) {
		value.large = slices.Clone(b)
	} else {
		copy(value.small[:], b)
	}
	return value
}

// Rows views the bytes of a column as values of f, in place. Bytes that come from elsewhere have to
// pass [FieldSpec.Check] before, as loaders see to. It panics unless b is aligned for T and holds a
// whole number of values.
func (f Field[T]) Rows(b []byte) []T { return unsafeutil.Records[T](b) }

// Flat views values of f as the elements that they are made of, in place: three of float32 per
// value of a [3]float32, or of a struct of three float32. It panics unless all of T is E, or named
// types over what E is; a bool never is.
func Flat[E Element, T any](f Field[T], values []T) []E {
	if e := reflect.TypeFor[E]().Kind(); e != f.Spec().element {
		panic("layout: field " + f.spec.Name + " is made of " + f.spec.Shape() + ", not of " +
			e.String() + " alone; view it as what it is made of, or loop over its values")
	}
	return unsafeutil.Flat[E](values)
}

func zeros(b []byte) bool { return !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) }
