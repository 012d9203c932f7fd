package save

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// A returned is a part of the program's field that was set aside in the file.
type returned struct {
	of   int // kind of the file that has the field
	to   *layout.FieldSpec
	part *layout.Part // of to
	kind int          // of the file, that has it aside
	from int          // field of that kind
}

// canReturn reports whether all of a field was set aside.
func (l *loader) canReturn(kind string, f *layout.FieldSpec) bool {
	for i := range f.Parts {
		if _, _, ok := l.findAside(kind, f.Name, &f.Parts[i]); !ok {
			return false
		}
	}
	return true
}

// findAside looks for a part of a field among what was set aside and is not back yet.
func (l *loader) findAside(kind, field string, part *layout.Part) (q, j int, ok bool) {
	name := asideField(field, part.Name)
	for q := range l.header.kinds {
		k := &l.header.kinds[q]
		if !k.isAside() || !isAsideOf(k.Name, kind, field) {
			continue
		}
		j := slices.IndexFunc(k.Fields, func(g FileField) bool {
			return g.Name == name && g.Parts[0].Like(*part)
		})
		if j >= 0 && !l.back[[2]int{q, j}] {
			return q, j, true
		}
	}
	return 0, 0, false
}

// takeBack looks for a part of a field, which kind i of the file lacks, among what was set aside.
func (l *loader) takeBack(i int, f *layout.FieldSpec, part *layout.Part) bool {
	q, j, ok := l.findAside(l.header.kinds[i].Name, f.Name, part)
	if !ok {
		return false
	}
	if l.back == nil {
		l.back = map[[2]int]bool{}
	}
	l.back[[2]int{q, j}] = true
	l.returns = append(l.returns, returned{i, f, part, q, j})
	return true
}

// allBack reports whether a kind of the file has nothing that is not back where it was.
func (l *loader) allBack(i int) bool {
	k := &l.header.kinds[i]
	for j := range k.Fields {
		if !l.back[[2]int{i, j}] {
			return false
		}
	}
	return len(k.Fields) > 0
}

// left returns a kind of the file without what is back where it was.
func (l *loader) left(i int) *FileKind {
	k := l.header.kinds[i]
	fields := k.Fields
	k.Fields = nil
	for j := range fields {
		if !l.back[[2]int{i, j}] {
			k.Fields = append(k.Fields, fields[j])
		}
	}
	return &k
}

// readReturned reads what was set aside into the fields that it was of, object by object, and by
// rows where they are on none.
func (l *loader) readReturned() error {
	var rows []uint32
	for n := range l.returns {
		r := &l.returns[n]
		if n == 0 || r.of != l.returns[n-1].of || r.kind != l.returns[n-1].kind {
			var err error
			if rows, err = l.sameObjects(r.of, r.kind); err != nil {
				return err
			}
		}
		src, err := l.readAside(l.part(r.kind, r.from, l.header.kinds[r.kind].Fields[r.from].Name))
		if err != nil {
			return err
		}
		dst := l.columnIn(r.to)
		size := r.part.Lanes * r.part.Size()
		for row, from := range rows {
			if from != 0 {
				copy(dst[row*r.to.Stride+r.part.Offset:][:size], src[int(from-1)*size:])
			}
		}
	}
	return nil
}

// part returns a part of a kind of the file.
func (l *loader) part(kind, field int, name string) *part {
	return &l.header.parts[slices.IndexFunc(l.header.parts, func(p part) bool {
		return p.owner == ofKind && p.of == kind && p.field == field && p.name == name
	})]
}

// sameObjects returns, for each row of a kind of the file, the row plus 1 in which another kind of
// it has the same object, or 0.
func (l *loader) sameObjects(kind, other int) ([]uint32, error) {
	ours, rows, err := l.holdersNow(kind)
	if err != nil {
		return nil, err
	}
	if !l.take(4 * (l.objects + uint64(rows))) {
		return nil, wrap(ErrTooLarge, "%d rows", rows)
	}
	theirs, err := l.holders(other)
	if err != nil {
		return nil, err
	}
	byObject := make([]uint32, l.objects)
	for row := range int(l.rows[other]) {
		if o, ok := theirs.at(row); ok && uint64(o) < l.objects {
			byObject[o] = uint32(row) + 1
		}
	}
	same := make([]uint32, rows)
	for row := range same {
		o, ok := ours.at(row)
		switch {
		case ok && uint64(o) < l.objects:
			same[row] = byObject[o]
		case !ok && ours.loose(row) && uint64(row) < l.rows[other] && theirs.loose(row):
			same[row] = uint32(row) + 1
		}
	}
	return same, nil
}

// holdersNow returns the holders of a kind of the file in the world, and its rows there.
func (l *loader) holdersNow(kind int) (holders, int, error) {
	if t := l.turnOf(kind); t != nil {
		return t.holders, t.rows, nil
	}
	h, err := l.holders(kind)
	return h, int(l.rows[kind]), err
}

// holders are two parts of a kind: which object each row is on.
type holders struct{ objects, mounted, homes []byte }

func (l *loader) holders(kind int) (h holders, err error) {
	if h.objects, err = l.readAside(l.part(kind, noField, "objects")); err == nil {
		h.mounted, err = l.readAside(l.part(kind, noField, "mounted"))
	}
	if err == nil {
		h.homes, err = l.readAside(l.part(kind, noField, "homes"))
	}
	return h, err
}

const (
	onNone    = 1<<32 - 1     // a row in use, on no object
	suspended = 1 << 30       // plus the object whose values it keeps
	zeroAway  = suspended - 1 // object 0, in a row that is kept for another
)

// owner returns the object that a mounted row is on.
func (h holders) owner(row int) uint32 {
	o := little.Uint32(h.objects[4*row:])
	switch {
	case o == zeroAway:
		return 0
	case o == 0 && len(h.homes) > 0:
		if home := little.Uint32(h.homes[row/64*4:]); home != 0 {
			return uint32(row) + home - 1
		}
	}
	return o
}

// at returns the object that a row is on, or that its values are kept for.
func (h holders) at(row int) (object uint32, ok bool) {
	o := little.Uint32(h.objects[4*row:])
	if h.mountedAt(row) {
		return h.owner(row), true
	}
	return o - suspended, o&^(suspended-1) == suspended
}

// loose reports whether a row is in use on no object.
func (h holders) loose(row int) bool {
	return little.Uint32(h.objects[4*row:]) == onNone && !h.mountedAt(row)
}

// mountedAt reports whether a row is on an object.
func (h holders) mountedAt(row int) bool { return h.mounted[row/8]>>(row%8)&1 != 0 }

// used reports whether a row is in use.
func (h holders) used(row int) bool {
	_, ok := h.at(row)
	return ok || h.loose(row)
}

// fillNew gives the fields that the file lacks their defaults, in all rows. Readers that it lacks
// begin at the end of their events.
func (l *loader) fillNew() error {
	for i, k := range l.kinds {
		if k.Spec() == nil {
			continue
		}
		for _, f := range k.Fields() {
			if !slices.ContainsFunc(l.columns[i], func(c column) bool { return c.to == f }) {
				l.state = tool.FillNew(l.state, f)
				if isReader(&l.counts, k.String(), f.Name) { // it begins at the end
					copy(l.columnIn(f), l.columnIn(k.Fields()[0])[:8])
				}
			}
		}
	}
	return nil
}
