package walk

import (
	"fmt"
	"iter"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/query"
)

const (
	maxTerms   = 16 // kinds whose fields one query may ask for
	maxColumns = 64 // fields that one query may ask for
	noTerm     = 31 // a term of an optional kind that the world does not have

	batchSize = manager.ListSize // rows of a gathered batch
)

// A Plan is a query with its columns found in one world.
type Plan struct {
	manager.Match
	spec     *query.Spec
	terms    []*manager.Manager // managers of the requested fields, optional ones last
	required uint32             // a bit per term
	written  uint32             // a bit per term: some field is written
	kinds    uint64             // of those fields, by MaskOf
	columns  []planColumn
	changed  []*manager.Manager
	since    bool // the query has Changed terms
	forced   bool // gather every batch
	rowWise  bool
	optional bool // the query has optional terms
	scratch  int  // bytes for a copy of every column, for up to batchSize rows
	few      few
}

// few holds short lists of a plan, to save allocations.
type few struct {
	all, terms [4]*manager.Manager
	columns    [4]planColumn
}

type planColumn struct {
	field  *layout.FieldSpec
	column *buffer.Column
	base   buffer.Base // the column's
	term   int         // of Plan.terms
	mode   query.Mode
	at     int // offset of the copy in scratch
}

// Writes reports whether some field is written.
func (p *Plan) Writes() bool { return p.written != 0 }

// WritesField reports whether a field is written.
func (p *Plan) WritesField(f *layout.FieldSpec) bool {
	for i := range p.columns {
		if c := &p.columns[i]; c.field == f && c.mode == query.Write {
			return true
		}
	}
	return false
}

// StampLists records that elements of the lists which are written were stamped, by tasks.
func (p *Plan) StampLists() {
	for i := range p.columns {
		if c := &p.columns[i]; c.mode == query.Write {
			p.terms[c.term].StampedLists()
		}
	}
}

// Fields yields the fields that are asked for, each once, and how.
func (p *Plan) Fields() iter.Seq2[*layout.FieldSpec, query.Mode] {
	return func(yield func(*layout.FieldSpec, query.Mode) bool) {
		for i := range p.columns {
			if c := &p.columns[i]; !yield(c.field, c.mode) {
				return
			}
		}
	}
}

// resolve fills in p, the plan of q.
func (p *Plan) resolve(t *kind.Table, q *query.Spec) *Plan {
	p.Match, p.spec = t.NewMatch(), q
	p.All, p.terms, p.columns = p.few.all[:0], p.few.terms[:0], p.few.columns[:0]
	for _, term := range q.Terms {
		if term.Mode != query.Optional {
			p.addTerm(t, term)
		}
	}
	p.required = 1<<len(p.terms) - 1
	for _, term := range q.Terms {
		if term.Mode == query.Optional {
			p.addTerm(t, term)
		}
	}
	p.hide(t)
	return p
}

// MatchOf returns the match of a query: its rules without its columns.
func MatchOf(t *kind.Table, q *query.Spec) manager.Match {
	p := Plan{Match: t.NewMatch(), spec: q}
	for _, term := range q.Terms {
		if term.Mode != query.Optional && term.Mode != query.Changed {
			p.addTerm(t, term)
		}
	}
	p.hide(t)
	return p.Match
}

// hide adds the rule that no term says.
func (p *Plan) hide(t *kind.Table) {
	if n := p.spec.Hides(t); n >= 0 {
		p.Forbid(&t.Managers[n])
	}
}

func (p *Plan) addTerm(t *kind.Table, term query.Term) {
	switch term.Mode {
	case query.Read, query.Write, query.Optional:
		for _, a := range term.Access {
			p.addAccess(t, a, term.Mode)
		}
	case query.With:
		p.Require(managersOf(t, term)...)
	case query.Without:
		p.Forbid(managersOf(t, term)...)
	case query.Any:
		p.RequireAny(managersOf(t, term))
	case query.Only:
		p.RequireOnly(managersOf(t, term))
	case query.HasTarget:
		p.Require(managersOf(t, term)...)
		for _, k := range term.Kinds {
			p.Held = append(p.Held, t.Relations.Referring(k.Spec().Relation))
		}
	case query.NoTarget:
		for _, m := range managersOf(t, term) {
			p.Held = append(p.Held, t.Relations.Unreferring(m.Kind.Relation))
		}
	case query.Changed:
		p.changed, p.since = append(p.changed, managersOf(t, term)...), true
	case query.RowWise:
		p.rowWise = true
	case query.Forced:
		p.forced = true
	}
}

// managersOf returns the managers of the kinds in a term, without those that the world does not
// have if the term allows it.
func managersOf(t *kind.Table, term query.Term) (found []*manager.Manager) {
	for _, k := range term.Kinds {
		if term.Mode.Needs() || t.Slot(k.Spec()) >= 0 {
			found = append(found, t.Manager(k.Spec()))
		}
	}
	return found
}

func (p *Plan) addAccess(t *kind.Table, a layout.Access, mode query.Mode) {
	if f, ok := a.(layout.AnyField); ok {
		p.addColumn(t, f.Spec(), mode)
		return
	}
	fields := a.Fields()
	if len(fields) == 0 {
		if mode == query.Optional && a == layout.Access(layout.Disabled) {
			return // says that disabled objects match
		}
		panic(fmt.Sprintf("flatecs: kind %v has no fields to read or write; ask for objects that "+
			"have it by With, or for each object of a batch by Has", a))
	}
	for _, f := range fields {
		p.addColumn(t, f, mode)
	}
}

func (p *Plan) addColumn(t *kind.Table, f *layout.FieldSpec, mode query.Mode) {
	if f.Kind == nil {
		panic(fmt.Sprintf("flatecs: field %q belongs to no kind; give it to layout.NewKind",
			f.Name))
	}
	for i := range p.columns {
		if c := &p.columns[i]; c.field == f {
			if c.mode != mode {
				panic(fmt.Sprintf("flatecs: %s: field %s is asked for by %s and by %s; keep one",
					p.spec, f, c.mode, mode))
			}
			return
		}
	}
	if mode == query.Write && f.Relation != nil {
		panic(fmt.Sprintf("flatecs: %s: %s is the reference of a relation and is checked; "+
			"read it, and write it by Set or by commands", p.spec, f))
	}
	if len(p.columns) == maxColumns {
		panic(fmt.Sprintf("flatecs: a query may ask for %d fields; split the system", maxColumns))
	}
	if mode == query.Optional && t.Slot(f.Kind) < 0 {
		p.columns = append(p.columns, planColumn{field: f, term: noTerm, mode: mode})
		return
	}
	term := p.termOf(t.Manager(f.Kind), mode)
	if mode == query.Write {
		p.written |= 1 << term
		p.kinds |= MaskOf(f.Kind)
	}
	c := &p.terms[term].Columns[f.Index]
	p.columns = append(p.columns, planColumn{f, c, c.Base, term, mode, p.scratch})
	rows := min(batchSize, p.terms[term].Cap())
	p.scratch += (rows*c.Stride + buffer.Align - 1) &^ (buffer.Align - 1)
}

// termOf returns the term of a kind, a new one when it has none yet.
func (p *Plan) termOf(m *manager.Manager, mode query.Mode) int {
	for term := range p.terms {
		if p.terms[term] == m {
			return term
		}
	}
	if len(p.terms) == maxTerms {
		panic(fmt.Sprintf("flatecs: a query may ask for fields of %d kinds; split the system",
			maxTerms))
	}
	p.terms = append(p.terms, m)
	if mode == query.Optional {
		p.optional = true
	} else {
		p.Require(m)
	}
	return len(p.terms) - 1
}

// Asks reports whether the plan asks for a field.
func (p *Plan) Asks(f *layout.FieldSpec) bool {
	for i := range p.columns {
		if p.columns[i].field == f {
			return true
		}
	}
	return false
}

// columnOf returns the index of a field among the plan's columns.
func (p *Plan) columnOf(f *layout.FieldSpec) int {
	for i := range p.columns {
		if p.columns[i].field == f {
			return i
		}
	}
	panic(unasked(f))
}

//go:noinline
func unasked(f *layout.FieldSpec) string {
	if f.Relation != nil {
		return "flatecs: " + f.String() + " is the reference of a relation and is checked; a " +
			"query reads it by Read; the function of SpawnN gets it by Column, if the recipe has it"
	}
	kind := "no kind"
	if f.Kind != nil {
		kind = f.Kind.Name
	}
	return fmt.Sprintf("flatecs: this query does not ask for field %q of kind %q; "+
		"add it to Read or Write", f.Name, kind)
}
