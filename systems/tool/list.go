package tool

import (
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// ParseList parses a list as printed by [Text], with any number of spaces where Text prints one,
// and appends its elements to dst. All parts of an element are required, so it appends at most 8
// bytes per byte of the text. refer is as in [ParseText]; at is the offset behind the initial
// contents of dst. The error is a [*TextError]; then dst is returned unchanged. It panics if f is
// not a list.
func ParseList(
	dst []byte, f *layout.FieldSpec, text string,
	refer func(word string, at, offset int) (systems.GameObject, error),
) ([]byte, error) {
	switch {
	case f == nil || f.List == nil:
		panic("flatecs: ParseList of a field that is not a list; call ParseText")
	case refer == nil:
		panic("flatecs: ParseList with a nil function; pass one that finds ids")
	}
	p := parser{text: text, whole: true}
	b := dst
	p.space()
	if f.List.Text {
		b = append(b, p.string(f)...)
	} else {
		b = p.elements(b, f, refer)
	}
	if err := p.end(f); err != nil {
		return dst, err
	}
	return b, nil
}

// string reads a text in quotes.
func (p *parser) string(f *layout.FieldSpec) string {
	if p.at == len(p.text) || p.text[p.at] != '"' {
		p.fail("%s is a text; write it in quotes", f.Title(layout.Part{}))
		return ""
	}
	at := p.at
	s := p.quoted()
	if !utf8.ValidString(s) {
		p.at = at
		p.fail("the text is not UTF-8; encode it")
	}
	return s
}

// elements reads elements in brackets, and appends them.
func (p *parser) elements(
	b []byte, f *layout.FieldSpec,
	refer func(word string, at, offset int) (systems.GameObject, error),
) []byte {
	if !p.skip('[') {
		p.fail("%s is a list; write its elements in brackets, with spaces between",
			f.Title(layout.Part{}))
		return b
	}
	first, e := len(b), f.List.Element
	for p.space(); p.err == nil && !p.skip(']'); p.space() {
		if p.at == len(p.text) {
			p.fail("a bracket is open; close it by ]")
			break
		}
		n := len(b)
		b = extend(b, e.Stride)
		p.value = b[n:]
		clear(p.value)
		p.refer = func(word string, at, offset int) (systems.GameObject, error) {
			return refer(word, at, n-first+offset)
		}
		before := p.at
		p.record(e)
		if p.at == before {
			p.fail("an element is missing")
		}
	}
	return b
}

// valueIn returns the value of a field in a row, in place: its bytes, or the elements of a list.
func valueIn(m *manager.Manager, f *layout.FieldSpec, row layout.Row) []byte {
	if h := manager.HeapOf(m, f); h != nil {
		return h.ElementsIn(m, row)
	}
	return m.Data.Columns[f.Index].Bytes[int(row)*f.Stride:][:f.Stride:f.Stride]
}

// Elements returns the elements of the list in a row of a kind, in place. It panics if f is not a
// list, if the world does not have its kind, or if the row is not in use.
func Elements(s systems.State, f *layout.FieldSpec, row layout.Row) []byte {
	m, h := listsOf("Elements", s, f, row)
	return h.ElementsIn(m, row)
}

// SetElements sets the elements of the list in a row of a kind. The error wraps [systems.ErrFull].
// It panics like [Elements], if the bytes are not a whole number of elements, in a walk, and in a
// task.
func SetElements(
	s systems.State, f *layout.FieldSpec, row layout.Row, elements []byte,
) (systems.State, error) {
	m, h := listsOf("SetElements", s, f, row)
	checkValue("SetElements", f, elements)
	if err := h.CheckElements(m, row, elements); err != nil {
		return s, err
	}
	return systems.Written(s, f.Kind.Handle(), func(m *manager.Manager) {
		_ = h.SetElements(m, row, elements) // there is room
	}), nil
}

// listsOf returns the place of the list in a row.
func listsOf(
	who string, s systems.State, f *layout.FieldSpec, row layout.Row,
) (*manager.Manager, *manager.Heap) {
	checkList(who, f)
	m := of(s, f.Kind.Handle())
	if use, _ := m.Rows.Use(row); use == RowUnused {
		panic("flatecs: " + who + " in a row of " + f.Kind.Name + " that is not in use; see " +
			"RowUseOf")
	}
	return m, manager.HeapOf(m, f)
}

func checkList(who string, f *layout.FieldSpec) {
	if f == nil || f.List == nil || f.Kind == nil {
		panic("flatecs: " + who + " of a field that is no list of a kind; give the Spec of one")
	}
}

// ListKinds returns the names of a list's kinds in a world: see [layout.ListSpec].
func ListKinds(list string) (rows, free string) {
	return (&layout.FieldSpec{Name: list}).ListKinds()
}

// LinkLists turns fields of a world's foreign kinds into lists if other kinds of counts hold their
// elements and free runs. It skips incomplete sets. Call it before any world has the kinds.
func LinkLists(counts []layout.Count) {
	named := map[string]layout.Count{}
	for _, c := range counts {
		if k := c.Kind.Spec(); k != nil && k.Place != 0 {
			named[k.Name] = c
		}
	}
	for _, c := range named {
		for _, f := range c.Kind.Fields() {
			rows, free := f.ListKinds()
			if r, q := named[rows], named[free]; q.Rows > 0 && !r.Packed && !q.Packed {
				f.LinkList(r.Kind.Spec(), q.Kind.Spec())
			}
		}
	}
}
