package walk

import (
	"iter"

	"github.com/flatecs/flatecs/layout"
)

// Used yields the fields that p asks for, and those of the kinds whose changes it asks for.
func (p *Plan) Used() iter.Seq[*layout.FieldSpec] {
	return func(yield func(*layout.FieldSpec) bool) {
		for i := range p.columns {
			if !yield(p.columns[i].field) {
				return
			}
		}
		for _, m := range p.changed {
			for _, f := range m.Kind.Fields {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// Meeting returns a field that one of two plans writes and the other one uses, or nil.
func Meeting(p, q *Plan) *layout.FieldSpec {
	for f := range p.Used() {
		for g := range q.Used() {
			if f == g && (p.WritesField(f) || q.WritesField(f)) {
				return f
			}
		}
	}
	return nil
}
