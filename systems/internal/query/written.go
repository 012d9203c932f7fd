package query

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// Written lists the fields that parallel tasks may write, with the number of the writer.
type Written struct {
	Kinds uint64 // their kinds, by MaskOf
	list  []written
}

type written struct {
	field *layout.FieldSpec
	by    int // or Several
}

// Several stands for more than one writer.
const Several = -1

// MakeWritten returns a Written with room for fields fields; more fields allocate.
func MakeWritten(fields int) Written { return Written{list: make([]written, 0, fields)} }

// Clear removes all fields.
func (w *Written) Clear() { w.Kinds, w.list = 0, w.list[:0] }

// Add adds the fields that a plan writes.
func (w *Written) Add(p *Plan, by int) {
	w.Kinds |= p.Kinds
	for i := range p.Columns {
		if c := &p.Columns[i]; c.Mode == Write {
			w.add(c.Field, by)
		}
	}
}

func (w *Written) add(f *layout.FieldSpec, by int) {
	for i := range w.list {
		if x := &w.list[i]; x.field == f {
			if x.by != by {
				x.by = Several
			}
			return
		}
	}
	w.list = append(w.list, written{f, by})
}

// Kind reports whether w has a field of a kind.
func (w *Written) Kind(k *layout.KindSpec) bool {
	if w.Kinds&MaskOf(k) == 0 {
		return false
	}
	return slices.ContainsFunc(w.list, func(x written) bool { return x.field.Kind == k })
}

// Meets reports whether the plan of writer by uses a field that another writer writes.
func (w *Written) Meets(p *Plan, by int) bool {
	return slices.ContainsFunc(w.list, func(x written) bool {
		return x.by != by && p.Uses(x.field)
	})
}

// By returns the writer of a field, and whether the field has a writer.
func (w *Written) By(f *layout.FieldSpec) (by int, ok bool) {
	if w.Kinds&MaskOf(f.Kind) == 0 {
		return 0, false
	}
	for i := range w.list {
		if x := &w.list[i]; x.field == f {
			return x.by, true
		}
	}
	return 0, false
}
