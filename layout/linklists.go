package layout

import (
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
)

// LinkList turns f, a field of a foreign kind, into a list if rows and free hold its elements and
// free runs: see [FieldSpec.ListKinds]. Call it before any world has the kinds.
func (f *FieldSpec) LinkList(rows, free *KindSpec) {
	isRun := slices.Equal(f.mustBeDeclared().Parts, specOf("run", reflect.TypeFor[Run]()).Parts)
	if isRun && f.Zero && rows != nil && free != nil {
		f.List = listOf(rows, free)
		f.ownRows()
	}
}

// ownRows records in the two kinds of a list that they belong to f.
func (f *FieldSpec) ownRows() {
	if f.List != nil {
		f.List.Rows.Of, f.List.Free.Of = f, f
	}
}

// listOf returns the list whose elements and free runs two foreign kinds hold, or nil.
func listOf(rows, free *KindSpec) *ListSpec {
	if len(rows.Fields) != 2 || len(free.Fields) != 1 {
		return nil
	}
	elements, owner, first := rows.Fields[0], rows.Fields[1], free.Fields[0]
	if !isNumbers(owner, 1) || !isNumbers(first, listSizes) || !elements.Zero || !owner.Zero ||
		!zeros(first.Default[:4*listChunk]) {
		return nil
	}
	chunk := int(binary.LittleEndian.Uint32(first.Default[4*listChunk:]))
	one := elementParts(elements.Parts, chunk)
	if one == nil {
		return nil
	}
	e := &FieldSpec{Name: "element", Zero: true}
	e.setParts(one)
	e.Default = make([]byte, e.Stride)
	text := elements.Name == textName
	if !text && elements.Name != elementsName {
		return nil
	}
	if chunk != chunkOf(e) || text && !slices.Equal(one, []Part{{Type: "uint8", Lanes: 1}}) {
		return nil
	}
	return &ListSpec{
		Element: e, Chunk: chunk, Text: text, Rows: rows, Free: free, open: openList,
	}
}

// isNumbers reports whether a field is n consecutive uint32.
func isNumbers(f *FieldSpec, n int) bool {
	return slices.Equal(f.Parts, []Part{{Type: "uint32", Lanes: n}})
}

// elementParts returns the parts of one element if rows are n equal elements, or nil.
func elementParts(rows []Part, n int) []Part {
	if n < 1 || len(rows)%n != 0 && len(rows) != 1 {
		return nil
	}
	var one []Part
	if len(rows) == 1 && rows[0].Name == "" {
		one = slices.Clone(rows)
		if one[0].Lanes /= n; one[0].Lanes == 0 {
			return nil
		}
	} else {
		for _, p := range rows[:len(rows)/n] {
			rest, ok := strings.CutPrefix(p.Name, "[0]")
			if !ok {
				return nil
			}
			p.Name = strings.TrimPrefix(rest, ".")
			one = append(one, p)
		}
	}
	if !slices.Equal(repeated(slices.Clone(one), n), rows) {
		return nil
	}
	return one
}
