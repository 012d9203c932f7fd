package save

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// A list of the file has two kinds beside its own. They come with it, or not at all.

// run is what the field of a list is made of.
var run = layout.NewTextField("run").Spec()

// listName returns the name by which the kinds of a list are called.
func (k *FileKind) listName(f *FileField) string {
	if k.Name == f.Name {
		return k.Name
	}
	return k.Name + "." + f.Name
}

// isList reports whether a field of the file is a list.
func (h *header) isList(k *FileKind, f *FileField) bool {
	rows, free := layout.ListKinds(k.listName(f))
	return slices.Equal(f.Parts, run.Parts) && h.hasKind(rows) && h.hasKind(free)
}

// ofList returns the kind and field whose elements or free runs a kind of the file has, or nil.
func (h *header) ofList(k *FileKind) (*FileKind, *FileField) {
	for i := range h.kinds {
		of := &h.kinds[i]
		for j := range of.Fields {
			f := &of.Fields[j]
			rows, free := layout.ListKinds(of.listName(f))
			if (k.Name == rows || k.Name == free) && h.isList(of, f) {
				return of, f
			}
		}
	}
	return nil, nil
}

// dropsList reports whether a kind has the elements or free runs of a list that is dropped.
func (l *loader) dropsList(k *FileKind) bool {
	of, f := l.header.ofList(k)
	return of != nil && l.drops(of.Name, of.Name+"."+f.Name)
}

// checkLists refuses lists of a kind, which has a name in the program, that would not come as they
// are.
func (l *loader) checkLists(k *FileKind, name string) error {
	if _, ok := l.known[name]; !ok {
		return nil // it is kept, with its lists
	}
	for j := range k.Fields {
		if err := l.checkList(k, &k.Fields[j], l.known[name].Kind.Spec()); err != nil {
			return err
		}
	}
	return nil
}

// linkLists makes lists of those that were kept.
func (l *loader) linkLists() error {
	layout.LinkLists(l.counts.Kinds)
	for i := range l.header.kinds {
		k, spec := &l.header.kinds[i], l.kinds[i].Spec()
		if spec == nil || spec.Place == 0 {
			continue
		}
		for j := range k.Fields {
			if to := l.columns[i][j].to; l.header.isList(k, &k.Fields[j]) && to.List == nil {
				return wrap(ErrImpossible, "%s is no list: its elements or free runs are not those of "+
					"one", k.title(k.Fields[j].Name))
			}
		}
	}
	return nil
}

func (l *loader) checkList(k *FileKind, f *FileField, spec *layout.KindSpec) error {
	title := k.title(f.Name)
	var to *layout.FieldSpec
	if spec != nil {
		for _, g := range spec.Fields {
			if g.Name == f.Name || len(k.Fields) == 1 && len(spec.Fields) == 1 {
				to = g
			}
		}
	}
	isList, wanted := l.header.isList(k, f), to != nil && to.List != nil
	switch {
	case !isList && !wanted, l.drops(k.Name, k.Name+"."+f.Name):
		return nil
	case !isList:
		return wrap(ErrSchema, "%s is a list in the program and not in the file; give it another "+
			"name, or Drop(%q)", title, k.Name+"."+f.Name)
	case !wanted:
		return wrap(ErrSchema, "%s is a list in the file and not in the program; declare it, or "+
			"Drop(%q)", title, k.Name+"."+f.Name)
	case to.String() != k.listName(f):
		return wrap(ErrSchema, "%s is a list, and is called %s in the program; lists keep their "+
			"names: give it the old one, or Drop(%q)", title, to, k.Name+"."+f.Name)
	}
	_, free := layout.ListKinds(k.listName(f))
	if n := l.header.chunkIn(free); n != uint32(to.List.Chunk) {
		return wrap(ErrSchema, "%s has %d elements in 64 bytes in the file, and %d in the "+
			"program; give it another name, or elements of about the same size, or Drop(%q)", title,
			n, to.List.Chunk, k.Name+"."+f.Name)
	}
	return nil
}

// chunkIn returns how many elements are in a row, as the kind of free runs says.
func (h *header) chunkIn(free string) uint32 {
	for i := range h.kinds {
		if k := &h.kinds[i]; k.Name == free && len(k.Fields) == 1 &&
			len(k.Fields[0].Default) == 4*layout.ListSizes {
			return little.Uint32(k.Fields[0].Default[4*layout.ListChunk:])
		}
	}
	return 0
}
