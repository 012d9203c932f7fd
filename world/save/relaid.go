package save

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// A relaid is the lists of a field whose elements are others in the program. They are read beside
// the world, and given to the lists, empty at first, when all else is there.
type relaid struct {
	kind, rows, free int // of the file: the lists', and those of their elements and free runs
	from, to         *layout.FieldSpec
	each             column // of an element

	lists  FileList
	owners []byte // of the rows
}

// ofResources is the owner of rows with elements of a resource's list: see docs/FORMAT.md.
const ofResources = 1 << 30

// relay notes that the lists of a field of the file are relaid, if their elements have changed.
func (l *loader) relay(kind, field int, to *layout.FieldSpec) error {
	k := &l.header.kinds[kind]
	f := &k.Fields[field]
	from, err := l.header.declare(kind, field, l.rows)
	switch {
	case err != nil:
		return err
	case from.List == nil:
		return noList(k, f)
	case from.List.Text != to.List.Text:
		return wrap(ErrSchema, "%s is a text in one of the file and the program; give it another "+
			"name, or Drop(%q)", k.title(f.Name), k.Name+"."+f.Name)
	case from.List.Element.Same(to.List.Element):
		return nil
	}
	rows, free := tool.ListKinds(k.listName(f))
	r := relaid{
		kind: kind, rows: l.header.indexOf(rows), free: l.header.indexOf(free), from: from, to: to,
		each: column{from: from.List.Element, to: to.List.Element},
	}
	name, title := k.Name+"."+f.Name, k.title(f.Name)
	if r.each.match(k, f, false) != nil {
		return wrap(ErrMigration, "the elements of %s are %s in the file and %s in the program; "+
			"give the list another name, or Drop(%q)", title, r.each.from.Shape(),
			r.each.to.Shape(), name)
	}
	for _, p := range r.each.dropped {
		part := layout.Part{Name: p}
		if l.drops(part.Within(name)) || l.dropsUnknown(part.Within(name)) {
			l.report.Dropped = append(l.report.Dropped, part.Within(title))
			continue
		}
		l.lost = append(l.lost, lost{
			part.Within(name), name, r.each.from.Shape(), nearest(p, r.each.fresh),
		})
	}
	for _, p := range r.each.fresh {
		part := layout.Part{Name: p}
		l.report.New = append(l.report.New, part.Within(title))
	}
	l.relaid = append(l.relaid, r)
	return nil
}

// isRelaid reports whether a kind of the file has elements or free runs of lists that are relaid.
func (l *loader) isRelaid(kind int) bool {
	return slices.ContainsFunc(l.relaid, func(r relaid) bool {
		return r.rows == kind || r.free == kind
	})
}

// readRelaid reads what lists are relaid from, and leaves those of the world empty.
func (l *loader) readRelaid() (err error) {
	for i := range l.relaid {
		r := &l.relaid[i]
		fields := r.from.List.Rows.Fields
		r.lists.spec, r.lists.Element = r.from, fileField(r.from.List.Element)
		elements := l.part(r.rows, 0, fields[0].Name)
		if r.lists.rows, err = l.readApart(elements); err != nil {
			return err
		}
		owners := l.part(r.rows, 1, fields[1].Name)
		if r.owners, err = l.readApart(owners); err != nil {
			return err
		}
		runs := l.columnIn(r.to)[:int(l.rows[r.kind])*r.to.Stride]
		if !l.take(uint64(len(runs))) {
			return wrap(ErrTooLarge, "%d bytes of lists", len(runs))
		}
		r.lists.runs = slices.Clone(runs)
		clear(runs)
	}
	return nil
}

// fillRelaid gives the lists that are relaid their elements.
func (l *loader) fillRelaid() error {
	for i := range l.relaid {
		r := &l.relaid[i]
		for row := range len(r.lists.runs) / r.to.Stride {
			elements, err := l.relaidElements(r, row)
			if err != nil {
				return err
			}
			if len(elements) == 0 {
				continue
			}
			l.state, err = tool.SetElements(l.state, r.to, layout.Row(row), elements)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// relaidElements returns the elements of a list as those of the program.
func (l *loader) relaidElements(r *relaid, row int) ([]byte, error) {
	src := r.lists.At(row)
	first := uint64(little.Uint32(r.lists.runs[row*r.to.Stride:]))
	length := uint64(little.Uint32(r.lists.runs[row*r.to.Stride+8:]))
	if length == 0 {
		return nil, nil
	}
	use, id := tool.RowUseOf(l.state, r.to.Kind.Handle(), layout.Row(row))
	owner := id.Index()
	if use == tool.RowLoose {
		owner = ofResources
	}
	title, chunk := layout.Quoted(r.to.String()), uint64(r.from.List.Chunk)
	if src == nil || use == tool.RowUnused {
		return nil, wrap(ErrImpossible, "%s: no list has %d rows from %d on", title, length, first)
	}
	for of := first; of < first+(length+chunk-1)/chunk; of++ {
		if has := little.Uint32(r.owners[4*of:]); has != owner {
			return nil, wrap(ErrImpossible, "%s: list of object %d has row %d", title, owner, has)
		}
	}
	if err := r.each.from.Check(src, 0); err != nil {
		return nil, wrap(ErrImpossible, "%s: %v", title, err)
	}
	dst := make([]byte, len(src)/r.each.from.Stride*r.each.to.Stride)
	r.each.convert(dst, src)
	return dst, nil
}
