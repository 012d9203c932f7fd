package layout

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A Part is a run of equal elements in each value of a field: a [3]float32 is one unnamed part of
// three lanes; a struct has the parts of its fields. The parts of a field follow each other without
// gaps.
type Part struct {
	Name   string // path in the value, as in Go: "", "X", "Pos.X", "Guns[3].Ammo"
	Type   string // of the elements: "float32", "bool", "float16", "id" of a game object, …
	Lanes  int    // number of elements
	Offset int    // of the first element in the value, in bytes
}

// An element is the meaning of a [Part.Type].
type element struct {
	size int          // bytes
	kind reflect.Kind // of Go
}

// elementNamed returns the element with a name, or the zero element. It is on the hot path of
// tools, and a switch takes a third of the time of a map.
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

// Size returns the size of an element of p in bytes, or 0 if there is no such element.
func (p Part) Size() int { return elementNamed(p.Type).size }

// Bytes returns the bytes of p in a value, in place. It panics if value is too short.
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

// String returns the type of the elements of p and their number: "float32 × 3".
func (p Part) String() string { return fmt.Sprintf("%s × %d", p.Type, p.Lanes) }

// Like reports whether the elements of two parts are stored alike: an id like a uint64, and a
// float16 like a uint16.
func (p Part) Like(q Part) bool {
	return p.Lanes == q.Lanes && elementNamed(p.Type).kind == elementNamed(q.Type).kind
}

// end returns the offset behind the last of parts, in bytes.
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

// setParts sets the parts of f, and what is derived from them.
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

// Flat returns the element type of all parts of f, and the number of elements per value, or "" if
// the parts differ. Named types are reported as their Go types: an id as uint64, a float16 as
// uint16.
func (f *FieldSpec) Flat() (elements string, lanes int) {
	if f.mustBeDeclared().element == reflect.Invalid {
		return "", 0
	}
	name := f.element.String()
	return name, f.Stride / elementNamed(name).size
}

// Shape describes the type of f: "float32 × 3", or with named parts "X float32 × 1, Y float32 × 1".
func (f *FieldSpec) Shape() string {
	const most = 16
	var s strings.Builder
	for i, p := range f.mustBeDeclared().Parts {
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

// Same reports whether values of f and g have the same bytes with the same meaning: their parts are
// equal, or one is an array of the single element type of the other.
func (f *FieldSpec) Same(g *FieldSpec) bool {
	if slices.EqualFunc(f.mustBeDeclared().Parts, g.mustBeDeclared().Parts, func(p, q Part) bool {
		return p.Name == q.Name && p.Like(q)
	}) {
		return true
	}
	array := f.Parts[0].Name == "" || g.Parts[0].Name == ""
	return array && f.element != reflect.Invalid && f.element == g.element && f.Stride == g.Stride
}

// Check returns an error if a bool in rows, which are bytes of consecutive values of f, is neither
// 0 nor 1. Go does not define the value of such a bool, so bytes from outside the program must be
// checked. The error names the part and the row, counted from first.
func (f *FieldSpec) Check(rows []byte, first int) error {
	if len(rows)%f.mustBeDeclared().Stride != 0 {
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

// Title names a part of f in messages, such as "position.X", or f itself if p is the zero Part. If
// a kind's only field has the name of the kind, the name is not repeated.
func (f *FieldSpec) Title(p Part) string {
	title := Quoted(f.mustBeDeclared().Name)
	if k := f.Kind; k != nil && (k.Name != f.Name || len(k.Fields) > 1) {
		title = Quoted(k.Name) + "." + title
	}
	return p.Within(title)
}

// Within names p in messages, after the title of its owner: "position.X".
func (p Part) Within(title string) string {
	switch {
	case p.Name == "":
		return title
	case p.Name[0] == '[':
		return title + Quoted(p.Name)
	}
	return title + "." + Quoted(p.Name)
}

// mustBeDeclared returns f. It panics if f is nil, or has no parts.
func (f *FieldSpec) mustBeDeclared() *FieldSpec {
	if f == nil || len(f.Parts) == 0 || f.Stride <= 0 {
		panic(noSpec)
	}
	return f
}
