package layout

import (
	"reflect"
	"slices"

	"github.com/flatecs/flatecs/unsafeutil"
)

// MaxStride is the maximum size of one value of a field, in bytes.
const MaxStride = 1 << 16

// A FieldSpec is the declaration of a [Field], without its Go type. It is read-only after
// [NewKind].
type FieldSpec struct {
	Name    string
	Parts   []Part    // of a value, in order; at least one
	Stride  int       // bytes per component
	Default []byte    // the default, Stride bytes
	Zero    bool      // Default is zeros
	Refs    []int     // offsets of the ids of game objects in a value, in bytes, ascending
	Kind    *KindSpec // set once, by NewKind
	Index   int       // among the fields of its kind
	Number  uint32    // process-wide, from 1, dense; 0: belongs to no kind, or is foreign

	Relation *RelationSpec // the relation whose reference f is, or nil
	List     *ListSpec     // the list whose Run f is, or nil

	element reflect.Kind // of all parts, or Invalid if they differ
}

// Spec returns f, so that a *FieldSpec is an [AnyField].
func (f *FieldSpec) Spec() *FieldSpec { return f }

// String returns kind.field, or only the name of the field if the kind has the same name, or if the
// field belongs to no kind yet.
func (f *FieldSpec) String() string {
	if f == nil || f.Name == "" {
		return "the zero Field"
	}
	if f.Kind == nil || f.Kind.Name == f.Name {
		return f.Name
	}
	return f.Kind.Name + "." + f.Name
}

// A Field is a handle to one column: a T per component.
type Field[T any] struct{ spec *FieldSpec }

// AnyField is a [Field] of any type.
type AnyField interface{ Spec() *FieldSpec }

// Spec returns the declaration of f. It panics if f is the zero Field.
func (f Field[T]) Spec() *FieldSpec {
	if f.spec == nil {
		panic(noField)
	}
	return f.spec
}

// Kind returns the kind of f.
func (f Field[T]) Kind() Kind { return Kind{f.Spec().Kind} }

// Count gives a world room for rows components of f's kind.
func (f Field[T]) Count(rows int) Count { return f.Kind().Count(rows) }

// Counted gives a world room for a component of f's kind on every object.
func (f Field[T]) Counted() Count { return f.spec.counted() }

// counted is Counted for any T, so that programs do not contain a copy for each T.
//
//go:noinline
func (f *FieldSpec) counted() Count { return Kind{f.declared().Kind}.Counted() }

// Twin declares a field of the same type as f, with zeros as the default and without f's relation.
func (f *FieldSpec) Twin(name string) AnyField {
	twin := *f.mustBeDeclared()
	twin.Name, twin.Kind, twin.Index, twin.Number, twin.Relation = name, nil, 0, 0, nil
	twin.List = nil
	twin.Default, twin.Zero = make([]byte, f.Stride), true
	return &twin
}

// Typed is a handle to a T per component: a [Field], or [Values].
type Typed[T any] interface {
	AnyKind
	typed(T)
}

func (f Field[T]) typed(T) {}

// Access is what a query reads or writes: a [Field], or a [Kind] for all its fields.
type Access interface{ Fields() []*FieldSpec }

// Fields returns the declaration of f. It panics if f is the zero Field.
func (f Field[T]) Fields() []*FieldSpec { return f.spec.alone() }

// alone is Fields for any T.
//
//go:noinline
func (f *FieldSpec) alone() []*FieldSpec { return []*FieldSpec{f.declared()} }

// declared returns f. It panics if f comes from the zero Field.
func (f *FieldSpec) declared() *FieldSpec {
	if f == nil {
		panic(noField)
	}
	return f
}

// NewField declares a field; [NewKind] makes it part of a kind. T consists of types that have the
// same bytes on every machine: numbers of a fixed width, bool, ids of game objects, named types
// such as float16.Float16 or an enum, and arrays and structs of them. The optional value is the
// default; otherwise it is zero. Ids of game objects are references: see [FieldSpec.Refs]. A named
// type of yours over GameObject is a plain number.
//
// It panics if the name is empty, if more than one default is given, or if T is not flat: pointers,
// strings, int and uint, padding, blank fields, types without bytes, and types larger than
// [MaxStride] are refused; the message names the place. See [Values] for Go values of any type.
func NewField[T any](name string, value ...T) Field[T] {
	var v T
	if len(value) > 0 {
		v = value[0]
	}
	return Field[T]{declare(name, reflect.TypeFor[T](), unsafeutil.BytesOf(&v), len(value))}
}

// declare returns the declaration of a field with a default. It panics if more than one was given.
func declare(name string, t reflect.Type, value []byte, given int) *FieldSpec {
	if given > 1 {
		panic("layout: field " + name + " has more than one default; give one value, or none")
	}
	spec := specOf(name, t)
	spec.Default = slices.Clone(value)
	spec.Zero = zeros(spec.Default)
	return spec
}

// NewComponent declares a kind of one field with the same name. It panics like [NewField].
func NewComponent[T any](name string, value ...T) Field[T] {
	f := NewField(name, value...)
	NewKind(name, f)
	return f
}

// A FieldValue is a value of one field, or the initial elements of a list. Copies of it share its
// bytes. Passing it to calls does not allocate.
type FieldValue struct {
	Field *FieldSpec
	value []byte // elements of a list begin after listHead bytes
}

// Bytes returns the value, of Field.Stride bytes, in place. It panics unless v comes from
// [Field.Value]; for lists see [FieldValue.Elements].
func (v *FieldValue) Bytes() []byte {
	if v == nil || v.Field == nil || len(v.value) != v.Field.Stride {
		panic(noValue)
	}
	return v.value
}

// Elements returns the bytes of the initial elements of a list, in place. It panics unless v comes
// from [List.Value] or [Text.Value].
func (v *FieldValue) Elements() []byte {
	if v == nil || v.Field == nil || v.Field.List == nil {
		panic(noElements)
	}
	return v.value[listHead:]
}

// Clone returns a value that shares no bytes with v. It panics if v belongs to no field.
func (v *FieldValue) Clone() FieldValue {
	if v == nil || len(v.value) == 0 {
		panic(noValue)
	}
	return FieldValue{v.Field, slices.Clone(v.value)}
}

// Value returns a value of f.
func (f Field[T]) Value(v T) FieldValue { return FieldValue{f.Spec(), unsafeutil.BytesOf(&v)} }

// DefaultValue returns the default of f as a value, whose Bytes may be changed in place.
// It panics for a list.
func (f *FieldSpec) DefaultValue() FieldValue {
	if f.mustBeDeclared().List != nil {
		panic(listValue)
	}
	return FieldValue{f, slices.Clone(f.Default)}
}

// ElementsValue returns a value with copies of elements of a list, given as bytes, like List.Value.
// It panics if f is not a list, or if elements is not a whole number of elements.
func (f *FieldSpec) ElementsValue(elements []byte) FieldValue {
	if f.mustBeDeclared().List == nil || len(elements)%f.List.Element.Stride != 0 {
		panic(noElements)
	}
	return valueOfList(f, elements)
}

// Rows views the bytes of a column as values of f, in place. Bytes from outside the program must
// pass [FieldSpec.Check] first. It panics unless b is aligned for T and holds a whole number of
// values.
func (f Field[T]) Rows(b []byte) []T { return unsafeutil.Records[T](b) }

// Flat views values of f as elements, in place: three float32 per value of a [3]float32, or of a
// struct of three float32. It panics unless all parts of T are of type E, or of named types over
// E's underlying type. Bools cannot be viewed.
func Flat[E unsafeutil.Element, T any](f Field[T], values []T) []E {
	if e := reflect.TypeFor[E]().Kind(); e != f.Spec().element {
		panic("layout: field " + f.spec.Name + " is made of " + f.spec.Shape() + ", not of " +
			e.String() + " alone; view it as what it is made of, or loop over its values")
	}
	return unsafeutil.Flat[E](values)
}

func zeros(b []byte) bool { return !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) }
