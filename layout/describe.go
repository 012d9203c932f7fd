package layout

import (
	"fmt"
	"reflect"

	"github.com/flatecs/flatecs/gameobject"
)

// A description collects the parts of a type, for one field.
type description struct {
	name  string // of the field
	whole reflect.Type
}

var reference = reflect.TypeFor[gameobject.ID]()

// specOf describes a field of type t. It panics if t is not flat, and names the place.
func specOf(name string, t reflect.Type) *FieldSpec {
	if name == "" {
		panic("layout: a field needs a name; give NewField one")
	}
	d := &description{name, t}
	if t.Size() > MaxStride {
		d.refuse("", fmt.Sprintf("takes %d bytes; one field may have %d bytes at most; "+
			"declare several", t.Size(), MaxStride))
	}
	f := &FieldSpec{Name: name}
	f.setParts(d.parts("", t))
	return f
}

// parts returns the parts of type t at offset 0. place is the path to it, for messages.
func (d *description) parts(place string, t reflect.Type) []Part {
	if t.Size() == 0 && (t.Kind() == reflect.Array || t.Kind() == reflect.Struct) {
		d.refuse(place, "has no bytes; leave it out, or declare a mark")
	}
	switch t.Kind() {
	case reflect.Array:
		return repeated(d.parts(place+"[0]", t.Elem()), t.Len())
	case reflect.Struct:
		return d.fields(place, t)
	}
	name := elementOf(t)
	if name == "" {
		kind := t.Kind().String()
		if kind == "ptr" {
			kind = "pointer"
		}
		d.refuse(place, "is of kind "+kind+"; "+replacementFor(t.Kind()))
	}
	return []Part{{Type: name, Lanes: 1}}
}

// repeated returns the parts of an array of n values with the parts one. A single run of unnamed
// elements becomes one part with more lanes.
func repeated(one []Part, n int) []Part {
	if len(one) == 1 && one[0].Name == "" {
		one[0].Lanes *= n
		return one
	}
	all, size := make([]Part, 0, n*len(one)), end(one)
	for i := range n {
		all = appendWithin(all, fmt.Sprintf("[%d]", i), one, i*size)
	}
	return all
}

// fields returns the parts of a struct. It computes offsets with the widest alignment of any
// machine, so that a type is refused on all machines or on none.
func (d *description) fields(place string, t reflect.Type) (all []Part) {
	at := 0
	for f := range t.Fields() {
		inner := place + "." + f.Name
		if f.Name == "_" {
			d.refuse(place, "has a blank field, which Go does not copy; give it a name, "+
				"or keep a number in place of the type")
		}
		one := d.parts(inner, f.Type)
		if gap := -at & (alignment(one) - 1); gap > 0 {
			d.refuse(inner, fmt.Sprintf("comes after %d bytes of padding, whose content is "+
				"left to chance; order fields from the largest to the smallest, or name the gap",
				gap))
		}
		all = appendWithin(all, f.Name, one, at)
		at = end(all)
	}
	if gap := -at & (alignment(all) - 1); gap > 0 {
		d.refuse(place, fmt.Sprintf("ends in %d bytes of padding, whose content is left to "+
			"chance; name the gap by a field at the end", gap))
	}
	return all
}

// appendWithin appends the parts of a named value at an offset.
func appendWithin(all []Part, name string, parts []Part, at int) []Part {
	for _, p := range parts {
		switch {
		case p.Name == "":
			p.Name = name
		case p.Name[0] == '[':
			p.Name = name + p.Name
		default:
			p.Name = name + "." + p.Name
		}
		p.Offset += at
		all = append(all, p)
	}
	return all
}

// elementOf returns the name of the element type t, or "" if t is not an element type.
func elementOf(t reflect.Type) string {
	switch kind := t.Kind().String(); {
	case t == reference:
		return "id"
	case t.Name() == "Float16" && kind == "uint16":
		return "float16"
	case kind == elementNamed(kind).kind.String():
		return kind
	}
	return ""
}

// replacementFor returns what to declare instead of a type that is not flat.
func replacementFor(k reflect.Kind) string {
	switch k {
	case reflect.Int:
		return "its width differs between machines: use int32 or int64"
	case reflect.Uint, reflect.Uintptr:
		return "its width differs between machines: use uint32 or uint64"
	case reflect.Complex64, reflect.Complex128:
		return "use an array of two floats"
	case reflect.String:
		return "declare a text by NewText, or use an array of uint8, or NewValues"
	case reflect.Slice:
		return "only numbers lie in flat bytes: declare a list by NewList, or the kind by NewValues"
	}
	return "only numbers lie in flat bytes: keep a GameObject in place of a pointer, " +
		"or declare the kind by NewValues"
}

//go:noinline
func (d *description) refuse(place, why string) {
	panic(fmt.Sprintf("layout: field %q: %s%s %s", d.name, d.whole, place, why))
}
