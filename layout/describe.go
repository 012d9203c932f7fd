package layout

import (
	"fmt"
	"reflect"

	"github.com/flatecs/flatecs/gameobject"
)

// A description collects what a type consists of, for one field.
type description struct {
	*FieldSpec
	whole reflect.Type
	first string // where the first element is, for messages
}

var reference = reflect.TypeFor[gameobject.ID]()

// specOf describes a field of type t. It panics with the place in t that does not lie in flat
// bytes.
func specOf(name string, t reflect.Type) *FieldSpec {
	if name == "" {
		panic("layout: a field needs a name; give NewField one")
	}
	d := &description{FieldSpec: &FieldSpec{Name: name}, whole: t}
	if t.Size() > MaxStride {
		d.refuse("", fmt.Sprintf("takes %d bytes; one component may have %d bytes at most",
			t.Size(), MaxStride))
	}
	d.add("", t, 0)
	d.Stride = d.Lanes * d.Size
	return d.FieldSpec
}

// add adds what is of type t at an offset.
func (d *description) add(place string, t reflect.Type, at int) {
	if t.Size() == 0 && (t.Kind() == reflect.Array || t.Kind() == reflect.Struct) {
		d.refuse(place, "has no bytes; leave it out, or declare a mark")
	}
	switch t.Kind() {
	case reflect.Array:
		d.addArray(place, t, at)
	case reflect.Struct:
		d.addStruct(place, t, at)
	default:
		d.addElement(place, t, at)
	}
}

// addArray adds the first of its elements, which says what the others are.
func (d *description) addArray(place string, t reflect.Type, at int) {
	lanes, refs := d.Lanes, len(d.Refs)
	d.add(place+"[0]", t.Elem(), at)
	lanes, refs = d.Lanes-lanes, len(d.Refs)-refs
	d.Lanes += lanes * (t.Len() - 1)
	size := int(t.Elem().Size())
	for range (t.Len() - 1) * refs {
		d.Refs = append(d.Refs, d.Refs[len(d.Refs)-refs]+size)
	}
}

func (d *description) addStruct(place string, t reflect.Type, at int) {
	end := 0
	for f := range t.Fields() {
		inner := place + "." + f.Name
		switch {
		case f.Name == "_":
			d.refuse(place, "has a blank field, which Go does not copy; give it a name")
		case f.Offset != uintptr(end):
			d.refuse(inner, fmt.Sprintf("comes after %d bytes of padding, whose content is "+
				"left to chance; order fields from the largest to the smallest, or name the gap",
				int(f.Offset)-end))
		}
		d.add(inner, f.Type, at+end)
		end += int(f.Type.Size())
	}
	if gap := int(t.Size()) - end; gap > 0 {
		d.refuse(place, fmt.Sprintf("ends in %d bytes of padding, whose content is left to "+
			"chance; name the gap by a field at the end", gap))
	}
}

func (d *description) addElement(place string, t reflect.Type, at int) {
	kind := t.Kind().String()
	switch {
	case sizes[kind] == 0:
		d.refuse(place, "is "+article(t)+"; "+cure(t.Kind()))
	case d.Lanes == 0:
		d.Type, d.Size, d.first = kind, sizes[kind], place
	case d.Type != kind:
		d.refuse(place, fmt.Sprintf("is %s and %s is %s; one field is of one element type: "+
			"declare a field for each", kind, d.whole.String()+d.first, d.Type))
	}
	if t == reference {
		d.Refs = append(d.Refs, at)
	}
	d.Lanes++
}

func article(t reflect.Type) string {
	if s := t.String(); s != t.Kind().String() {
		return s + ", of kind " + t.Kind().String()
	}
	return "of type " + t.String()
}

// cure says what to declare in place of what does not lie in flat bytes.
func cure(k reflect.Kind) string {
	switch k {
	case reflect.Int:
		return "its width differs between machines: use int32 or int64"
	case reflect.Uint, reflect.Uintptr:
		return "its width differs between machines: use uint32 or uint64"
	case reflect.Bool:
		return "use uint8 with 0 and 1, or a mark"
	case reflect.Complex64, reflect.Complex128:
		return "use an array of two floats"
	case reflect.String:
		return "use an array of uint8, or declare the kind by NewValues"
	}
	return "only numbers lie in flat bytes: keep a GameObject in place of a pointer, " +
		"or declare the kind by NewValues"
}

//go:noinline
func (d *description) refuse(place, why string) {
	panic(fmt.Sprintf("layout: field %q: %s%s %s", d.Name, d.whole, place, why))
}
