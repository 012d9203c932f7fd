package save

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// A FileList is the lists of a field in a file.
type FileList struct {
	Element FileField // the type of the elements
	IsText  bool      // the elements are the bytes of texts

	spec       *layout.FieldSpec
	runs, rows []byte
}

// List returns the lists of a field; ok is false if the field is not a list. The bytes are in
// place, or decompressed copies. The error is that of [File.Bytes].
func (f *File) List(kind, field string) (l FileList, ok bool, err error) {
	if l.runs, _, err = f.Bytes(kind, field); err != nil {
		return l, false, err
	}
	k := &f.header.kinds[f.kind(kind)]
	j := slices.IndexFunc(k.Fields, func(g FileField) bool { return g.Name == field })
	if !f.header.isList(k, &k.Fields[j]) {
		return l, false, nil
	}
	l.spec, err = f.header.declare(f.kind(kind), j, f.rows)
	if err != nil || l.spec.List == nil {
		return l, false, err
	}
	list := l.spec.List
	l.Element, l.IsText = fileField(list.Element), list.Text
	rows, _ := tool.ListKinds(k.listName(&k.Fields[j]))
	l.rows, _, err = f.Bytes(rows, list.Rows.Fields[0].Name)
	return l, err == nil, err
}

// OfList reports whether a kind stores the elements or free runs of a list of another kind.
func (f *File) OfList(kind string) bool {
	k := f.kind(kind)
	if k < 0 {
		return false
	}
	of, _ := f.header.ofList(&f.header.kinds[k])
	return of != nil
}

// At returns the elements of the list in a row of the kind, or nil if they are not in the file; see
// [File.Verify].
func (l *FileList) At(row int) []byte {
	const size = 12 // bytes of a layout.Run
	if l == nil || l.spec == nil || row < 0 || row >= len(l.runs)/size {
		return nil
	}
	run := l.runs[row*size:]
	stride := uint64(l.Element.Stride)
	from := uint64(little.Uint32(run)) * uint64(l.spec.List.Chunk) * stride
	n := uint64(little.Uint32(run[8:])) * stride
	if from > uint64(len(l.rows)) || n > uint64(len(l.rows))-from {
		return nil
	}
	return l.rows[from:][:n:n]
}

// Text formats the list in a row of the kind, as [tool.Text] does.
func (l *FileList) Text(row int) string {
	if l == nil || l.spec == nil {
		panic("save: this FileList belongs to no file; take one of File.List")
	}
	return tool.Text(l.spec, l.At(row))
}
