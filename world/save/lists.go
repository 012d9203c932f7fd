package save

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
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

// noList says that a field looks like a list only.
func noList(k *FileKind, f *FileField) error {
	return wrap(ErrImpossible, "%s is no list: its elements or free runs are not those of one",
		k.title(f.Name))
}

// isList reports whether a field of the file is a list.
func (h *header) isList(k *FileKind, f *FileField) bool {
	rows, free := tool.ListKinds(k.listName(f))
	return slices.Equal(f.Parts, run.Parts) && h.hasKind(rows) && h.hasKind(free)
}

// ofList returns the kind and field whose elements or free runs a kind of the file has, or nil.
func (h *header) ofList(k *FileKind) (*FileKind, *FileField) {
	for i := range h.kinds {
		of := &h.kinds[i]
		for j := range of.Fields {
			f := &of.Fields[j]
			rows, free := tool.ListKinds(of.listName(f))
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

// declare declares the kinds of a list, whose field is number j of kind i, and returns that. It is
// no list if the others are not those of one. rows are those that the kinds have.
func (h *header) declare(i, j int, rows []uint64) (*layout.FieldSpec, error) {
	k := &h.kinds[i]
	elements, free := tool.ListKinds(k.listName(&k.Fields[j]))
	var counts []layout.Count
	for place, at := range [...]int{i, h.indexOf(elements), h.indexOf(free)} {
		d := h.kinds[at].described()
		declared, err := d.Declare(place)
		if err != nil {
			return nil, damaged("%v", err)
		}
		counts = append(counts, layout.Count{Kind: declared, Rows: int(rows[at])})
	}
	tool.LinkLists(counts)
	return counts[0].Kind.Fields()[j], nil
}

// indexOf returns the index of a kind, or -1.
func (h *header) indexOf(kind string) int {
	return slices.IndexFunc(h.kinds, func(k FileKind) bool { return k.Name == kind })
}

// checkLists finds out how the lists of kind i come, and refuses those that cannot.
func (l *loader) checkLists(i int, name string) error {
	k := &l.header.kinds[i]
	c, ok := l.known[name]
	if !ok {
		return nil // it is kept, with its lists
	}
	for j := range k.Fields {
		to, err := l.checkList(k, &k.Fields[j], c.Kind.Spec())
		if err == nil && to != nil {
			err = l.relay(i, j, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// linkLists makes lists of those that were kept.
func (l *loader) linkLists() error {
	tool.LinkLists(l.counts.Kinds)
	for i := range l.header.kinds {
		k, spec := &l.header.kinds[i], l.kinds[i].Spec()
		if spec == nil || spec.Place == 0 {
			continue
		}
		for j := range k.Fields {
			if to := l.columns[i][j].to; l.header.isList(k, &k.Fields[j]) && to.List == nil {
				return noList(k, &k.Fields[j])
			}
		}
	}
	return nil
}

// checkList returns the list that a list of the file becomes, or nil if it becomes none.
func (l *loader) checkList(
	k *FileKind, f *FileField, spec *layout.KindSpec,
) (to *layout.FieldSpec, err error) {
	title := k.title(f.Name)
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
		return nil, nil
	case !isList:
		return nil, wrap(ErrSchema, "%s is a list in the program and not in the file; give it "+
			"another name, or Drop(%q)", title, k.Name+"."+f.Name)
	case !wanted:
		return nil, wrap(ErrSchema, "%s is a list in the file and not in the program; declare it, "+
			"or Drop(%q)", title, k.Name+"."+f.Name)
	case to.String() != k.listName(f):
		return nil, wrap(ErrSchema, "%s is a list, and is called %s in the program; lists keep "+
			"their names: give it the old one, or Drop(%q)", title, to, k.Name+"."+f.Name)
	}
	return to, nil
}
