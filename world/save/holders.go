package save

import (
	"slices"

	"github.com/flatecs/flatecs/systems/tool"
)

// part returns a part of a kind of the file.
func (l *loader) part(kind, field int, name string) *part {
	return &l.header.parts[slices.IndexFunc(l.header.parts, func(p part) bool {
		return p.owner == ofKind && p.of == kind && p.field == field && p.name == name
	})]
}

// holders are two parts of a kind: which object each row is on.
type holders struct{ objects, mounted, homes []byte }

func (l *loader) holders(kind int) (h holders, err error) {
	if h.objects, err = l.readApart(l.part(kind, noField, "objects")); err == nil {
		h.mounted, err = l.readApart(l.part(kind, noField, "mounted"))
	}
	if err == nil {
		h.homes, err = l.readApart(l.part(kind, noField, "homes"))
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
