package query

import (
	"fmt"
	"iter"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

// Bounds of a query.
const (
	MaxTerms   = 16 // kinds whose fields one query may ask for
	MaxColumns = 64 // fields that one query may ask for
	noTerm     = 31 // a term of an optional kind that the world does not have
)

// BatchSize is the most rows of a batch whose columns are copies.
const BatchSize = manager.ListSize

// A Plan is a query with its columns found in one world.
//
//	query     Read(pace), Write(place), Without(frozen)
//	Terms     pace, place       a manager each
//	Columns   pace, place.at    a field each
//	Match     all of, none of   by package manager
type Plan struct {
	Match    manager.Match
	Terms    []*manager.Manager // managers of the requested fields, optional ones last
	Required uint32             // a bit per term
	Written  uint32             // a bit per term: some field is written
	Kinds    uint64             // of those fields, by MaskOf
	Columns  []Column
	Changed  []*manager.Manager
	Since    bool // the query has Changed terms
	Forced   bool // gather every batch
	RowWise  bool
	Optional bool // the query has optional terms
	Scratch  int  // bytes for a copy of every column, for up to BatchSize rows
	spec     *Spec
	few      few
}

// few holds short lists of a plan, to save allocations.
type few struct {
	all, terms [4]*manager.Manager
	columns    [4]Column
}

// A Column is a field that a plan asks for, with its place in the world.
type Column struct {
	Field *layout.FieldSpec
	Rows  *buffer.Column // nil: an optional field that the world does not have
	Base  buffer.Base    // of the rows
	Term  int            // of Plan.Terms
	Mode  Mode
	Copy  int // where a batch's copy of it begins, in scratch
}

// MaskOf returns the bit of a kind in Writes.
func MaskOf(k *layout.KindSpec) uint64 { return manager.MaskOf(k.Number) }

// Text returns the query of a plan as Go code.
func Text(p *Plan) string { return p.spec.String() }

// Writes reports whether the plan writes a field.
func (p *Plan) Writes() bool { return p.Written != 0 }

// WritesField reports whether the plan writes field f.
func (p *Plan) WritesField(f *layout.FieldSpec) bool {
	c := find(p.Columns, f)
	return c != nil && c.Mode == Write
}

// StampLists records that tasks stamped elements of the lists that the plan writes.
func (p *Plan) StampLists() {
	for i := range p.Columns {
		if c := &p.Columns[i]; c.Mode == Write {
			manager.StampedLists(p.Terms[c.Term])
		}
	}
}

// Fields yields the fields that the plan asks for, each once, with their modes.
func (p *Plan) Fields() iter.Seq2[*layout.FieldSpec, Mode] {
	return func(yield func(*layout.FieldSpec, Mode) bool) {
		for i := range p.Columns {
			if c := &p.Columns[i]; !yield(c.Field, c.Mode) {
				return
			}
		}
	}
}

// resolve fills in p, the plan of q.
func (p *Plan) resolve(t *kind.Table, q *Spec) *Plan {
	p.Match, p.spec = t.Arena.NewMatch(), q
	p.Match.All, p.Terms, p.Columns = p.few.all[:0], p.few.terms[:0], p.few.columns[:0]
	for _, term := range q.Terms {
		if term.Mode != Optional {
			p.addTerm(t, term)
		}
	}
	p.Required = 1<<len(p.Terms) - 1
	for _, term := range q.Terms {
		if term.Mode == Optional {
			p.addTerm(t, term)
		}
	}
	p.hide(t)
	return p
}

// MatchOf returns the match of a query: its rules without its columns.
func MatchOf(t *kind.Table, q *Spec) manager.Match {
	p := Plan{Match: t.Arena.NewMatch(), spec: q}
	for _, term := range q.Terms {
		if term.Mode != Optional && term.Mode != Changed {
			p.addTerm(t, term)
		}
	}
	p.hide(t)
	return p.Match
}

// hide adds the implicit rule that disabled objects do not match.
func (p *Plan) hide(t *kind.Table) {
	if n := p.spec.Hides(t.Arena); n >= 0 {
		p.Match.Forbid(&t.Arena.Managers[n])
	}
}

func (p *Plan) addTerm(t *kind.Table, term Term) {
	found := managersOf(t, term)
	switch term.Mode {
	case Read, Write, Optional:
		for _, a := range term.Access {
			p.addAccess(t, a, term.Mode)
		}
	case With, HasTarget:
		p.Match.Require(found...)
	case Without:
		p.Match.Forbid(found...)
	case Any:
		p.Match.RequireAny(found)
	case Only:
		p.Match.RequireOnly(found)
	case Changed:
		p.Changed, p.Since = append(p.Changed, found...), true
	case RowWise:
		p.RowWise = true
	case Forced:
		p.Forced = true
	}
	for _, m := range found {
		switch term.Mode {
		case HasTarget:
			p.Match.Held = append(p.Match.Held, t.Relations.Referring(m.Kind.Relation))
		case NoTarget:
			p.Match.Held = append(p.Match.Held, t.Relations.Unreferring(m.Kind.Relation))
		}
	}
}

// managersOf returns the managers of the kinds in a term. It skips kinds that the world does not
// have if the term allows it.
func managersOf(t *kind.Table, term Term) (found []*manager.Manager) {
	for _, k := range term.Kinds {
		if term.Mode.Needs() || t.Arena.Slot(k.Spec()) >= 0 {
			found = append(found, t.Manager(k.Spec()))
		}
	}
	return found
}

func (p *Plan) addAccess(t *kind.Table, a layout.Access, mode Mode) {
	if f, ok := a.(layout.AnyField); ok {
		p.addColumn(t, f.Spec(), mode)
		return
	}
	for _, f := range a.Fields() { // layout.Disabled has none: disabled objects match
		p.addColumn(t, f, mode)
	}
}

func (p *Plan) addColumn(t *kind.Table, f *layout.FieldSpec, mode Mode) {
	if f.Kind == nil {
		panic(fmt.Sprintf("flatecs: field %q belongs to no kind; give it to layout.NewKind",
			f.Name))
	}
	if c := find(p.Columns, f); c != nil {
		if c.Mode != mode {
			panic(fmt.Sprintf("flatecs: %s: field %s is asked for by %s and by %s; keep one",
				p.spec, f, c.Mode, mode))
		}
		return
	}
	if mode == Write && f.Relation != nil {
		panic(fmt.Sprintf("flatecs: %s: %s is the reference of a relation and is checked; "+
			"read it, and write it by Set or by commands", p.spec, f))
	}
	if len(p.Columns) == MaxColumns {
		panic(fmt.Sprintf("flatecs: a query may ask for %d fields; split the system", MaxColumns))
	}
	if mode == Optional && t.Arena.Slot(f.Kind) < 0 {
		p.Columns = append(p.Columns, Column{Field: f, Term: noTerm, Mode: mode})
		return
	}
	term := p.termOf(t.Manager(f.Kind), mode)
	if mode == Write {
		p.Written |= 1 << term
		p.Kinds |= MaskOf(f.Kind)
	}
	c := &p.Terms[term].Data.Columns[f.Index]
	p.Columns = append(p.Columns, Column{f, c, c.Base, term, mode, p.Scratch})
	rows := min(BatchSize, p.Terms[term].Rows.Cap())
	p.Scratch += (rows*c.Stride + buffer.Align - 1) &^ (buffer.Align - 1)
}

// termOf returns the term of a kind, adding a term if there is none yet.
func (p *Plan) termOf(m *manager.Manager, mode Mode) int {
	for term := range p.Terms {
		if p.Terms[term] == m {
			return term
		}
	}
	if len(p.Terms) == MaxTerms {
		panic(fmt.Sprintf("flatecs: a query may ask for fields of %d kinds; split the system",
			MaxTerms))
	}
	p.Terms = append(p.Terms, m)
	if mode == Optional {
		p.Optional = true
	} else {
		p.Match.Require(m)
	}
	return len(p.Terms) - 1
}

// Asks reports whether the plan asks for a field.
func (p *Plan) Asks(f *layout.FieldSpec) bool { return find(p.Columns, f) != nil }

// find returns a field among columns, or nil.
func find(columns []Column, f *layout.FieldSpec) *Column {
	for i := range columns {
		if columns[i].Field == f {
			return &columns[i]
		}
	}
	return nil
}

// ColumnOf returns the index of a field among the plan's columns.
func (p *Plan) ColumnOf(f *layout.FieldSpec) int {
	for i := range p.Columns {
		if p.Columns[i].Field == f {
			return i
		}
	}
	panic(Unasked(f))
}

// Unasked returns the text for a field that a query does not ask for.
//
//go:noinline
func Unasked(f *layout.FieldSpec) string {
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
