package layout

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A Part is a run of equal elements, side by side, in each value of a field: a [3]float32 is one
// part of three lanes without a name, a struct has those of its fields. The parts of a field lie
// one after the other, without gaps.
type Part struct {
	Name   string // of the place in the value, as in Go: "", "X", "Pos.X", "Guns[3].Ammo"
	Type   string // of an element: "float32", "bool", "float16", "id" of a game object, …
	Lanes  int    // elements
	Offset int    // of the first in the value, bytes
}

// An element is what [Part.Type] names.
type element struct {
	size int          // bytes
	kind reflect.Kind // of Go
}

// elementNamed returns what a name stands for, or the zero element. Tools ask for it with every
// value, and a switch costs a third of a map.
func elementNamed(name string) element {
	switch name {
	case "bool":
		return element{1, reflect.Bool}
	case "int8":
		return element{1, reflect.Int8}
	case "int16":
		return element{2, reflect.Int16}
	case "int32":
		return element{4, reflect.Int32}
	case "int64":
		return element{8, reflect.Int64}
	case "uint8":
		return element{1, reflect.Uint8}
	case "uint16", "float16":
		return element{2, reflect.Uint16}
	case "uint32":
		return element{4, reflect.Uint32}
	case "uint64", "id":
		return element{8, reflect.Uint64}
	case "float32":
		return element{4, reflect.Float32}
	case "float64":
		return element{8, reflect.Float64}
	}
	return element{}
}

// Size returns the bytes of an element of p, or 0 when no field can have it.
func (p Part) Size() int { return elementNamed(p.Type).size }

// Bytes returns where p lies in the bytes of a value. It panics when they are too few.
func (p Part) Bytes(value []byte) []byte {
	n := p.Lanes * p.Size()
	if p.Offset < 0 || n < 0 || p.Offset > len(value) || n > len(value)-p.Offset {
		p.refuse(len(value))
	}
	return value[p.Offset:][:n:n]
}

//go:noinline
func (p Part) refuse(n int) {
	panic(fmt.Sprintf("layout: part %s, %s from byte %d on, is beyond the %d bytes of a value; "+
		"give all bytes of one", Quoted(p.Name), p, p.Offset, n))
}

// String tells the elements of p, and how many there are: "float32 × 3".
func (p Part) String() string { return fmt.Sprintf("%s × %d", p.Type, p.Lanes) }

// Like reports whether the elements of two parts have the same bytes: an id is a uint64, and a
// float16 a uint16.
func (p Part) Like(q Part) bool {
	return p.Lanes == q.Lanes && elementNamed(p.Type).kind == elementNamed(q.Type).kind
}

// end returns where the last of parts ends, in bytes.
func end(parts []Part) int {
	if len(parts) == 0 {
		return 0
	}
	p := &parts[len(parts)-1]
	return p.Offset + p.Lanes*p.Size()
}

// alignment returns the size of the largest element, in bytes.
func alignment(parts []Part) int {
	n := 1
	for i := range parts {
		n = max(n, parts[i].Size())
	}
	return n
}

// setParts notes the parts of f, and what follows from them.
func (f *FieldSpec) setParts(parts []Part) {
	f.Parts, f.Stride = slices.Clip(parts), end(parts)
	f.element = elementNamed(parts[0].Type).kind
	for i := range parts {
		p := &parts[i]
		if p.Type == "id" {
			for lane := range p.Lanes {
				f.Refs = append(f.Refs, p.Offset+8*lane)
			}
		}
		if elementNamed(p.Type).kind != f.element {
			f.element = reflect.Invalid
		}
	}
}

// Flat returns the name of the elements that all of f is made of, and how many a value has: an
// array of them, or a struct of nothing else; or "" where they differ. Of named types it tells what
// they are in Go: of an id uint64, of a float16 uint16.
func (f *FieldSpec) Flat() (elements string, lanes int) {
	if f.made().element == reflect.Invalid {
		return "", 0
	}
	name := f.element.String()
	return name, f.Stride / elementNamed(name).size
}

// Shape tells what f is made of in words: "float32 × 3", or of parts with names "X float32 × 1, Y
// float32 × 1".
func (f *FieldSpec) Shape() string {
	const most = 16
	var s strings.Builder
	for i, p := range f.made().Parts {
		switch {
		case i == most:
			fmt.Fprintf(&s, ", … %d more", len(f.Parts)-most)
			return s.String()
		case i > 0:
			s.WriteString(", ")
		}
		if p.Name != "" {
			s.WriteString(Quoted(p.Name) + " ")
		}
		s.WriteString(p.String())
	}
	return s.String()
}

// Same reports whether values of f and g are the same bytes by the same names: their parts are
// equal, or one is an array, without names, of what all of the other is made of.
func (f *FieldSpec) Same(g *FieldSpec) bool {
	if slices.EqualFunc(f.made().Parts, g.made().Parts, func(p, q Part) bool {
		return p.Name == q.Name && p.Like(q)
	}) {
		return true
	}
	array := f.Parts[0].Name == "" || g.Parts[0].Name == ""
	return array && f.element != reflect.Invalid && f.element == g.element && f.Stride == g.Stride
}

// Check returns an error when a bool in rows, bytes of values of f side by side, is neither 0 nor
// 1: bytes that come from elsewhere may be so, and Go does not say what such a bool is. The error
// names the part and the row, counted from first.
func (f *FieldSpec) Check(rows []byte, first int) error {
	if len(rows)%f.made().Stride != 0 {
		panic(fmt.Sprintf("layout: %d bytes are no whole number of values of %s, %d bytes each; "+
			"give whole rows", len(rows), f, f.Stride))
	}
	for i := range f.Parts {
		p := &f.Parts[i]
		if p.Type != "bool" {
			continue
		}
		for at := 0; at < len(rows); at += f.Stride {
			for _, b := range p.Bytes(rows[at:]) {
				if b > 1 {
					return fmt.Errorf("%s in row %d holds a bool that is %d; it can be 0 or 1",
						f.Title(*p), first+at/f.Stride, b)
				}
			}
		}
	}
	return nil
}

// Title names a part of f in messages, or with the zero Part f itself: "position.X". The one field
// of a kind that has its name is called as the kind is.
func (f *FieldSpec) Title(p Part) string {
	title := Quoted(f.made().Name)
	if k := f.Kind; k != nil && (k.Name != f.Name || len(k.Fields) > 1) {
		title = Quoted(k.Name) + "." + title
	}
	return p.Within(title)
}

// Within names p in messages, as a part of what has a title: "position.X".
func (p Part) Within(title string) string {
	switch {
	case p.Name == "":
		return title
	case p.Name[0] == '[':
		return title + Quoted(p.Name)
	}
	return title + "." + Quoted(p.Name)
}

// made returns f. It panics when f is nil, or of no type.
func (f *FieldSpec) made() *FieldSpec {
	if f == nil || len(f.Parts) == 0 || f.Stride <= 0 {
		panic(noSpec)
	}
	return f
}
