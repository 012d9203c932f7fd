package query

import (
	"github.com/flatecs/flatecs/layout"
)

// Uses reports whether p reads or writes a field, or asks for the changes of its kind.
func (p *Plan) Uses(f *layout.FieldSpec) bool {
	for _, m := range p.Changed {
		if m.Kind == f.Kind {
			return true
		}
	}
	return p.Asks(f)
}

// Meeting returns a field that one of two plans writes and the other one uses, or nil.
func Meeting(p, q *Plan) *layout.FieldSpec {
	if f := p.writesIn(q); f != nil {
		return f
	}
	return q.writesIn(p)
}

// writesIn returns a field that p writes and q uses, or nil.
func (p *Plan) writesIn(q *Plan) *layout.FieldSpec {
	for i := range p.Columns {
		if c := &p.Columns[i]; c.Mode == Write && q.Uses(c.Field) {
			return c.Field
		}
	}
	return nil
}
