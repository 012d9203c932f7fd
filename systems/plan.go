package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

const (
	maxTerms  = 16 // kinds whose fields one query may ask for
	batchSize = 64 // rows of a gathered batch
)

// A plan is a query with its columns found in one world.
type plan struct {
	query   *querySpec
	terms   []*manager.Manager // whose fields are asked for
	columns []planColumn
	with    []*manager.Manager
	without []*manager.Manager
	any     []*manager.Manager
	anyOf   bool // there is an Any term, even of no kinds
	bare    bool // no term asks for a kind: objects without components match too
	scratch int  // bytes of one gathered batch
}

type planColumn struct {
	field  *layout.FieldSpec
	column *buffer.Column
	term   int // of plan.terms
	write  bool
	at     int // of the gathered copy, in scratch
}

// planOf returns the plan of q, which is made at the first walk.
func (j *job) planOf(q *querySpec) *plan {
	if int(q.number) < len(j.plans) {
		if p := j.plans[q.number]; p != nil {
			return p
		}
	}
	return j.resolve(q)
}

//go:noinline
func (j *job) resolve(q *querySpec) *plan {
	p := &plan{query: q}
	for _, t := range q.terms {
		switch t.mode {
		case read, write:
			for _, a := range t.access {
				p.addAll(j, a.Fields(), t.mode == write)
			}
		case with:
			p.with = append(p.with, j.findAll(t.kinds)...)
		case without:
			p.without = append(p.without, j.findAll(t.kinds)...)
		case anyOf:
			p.any, p.anyOf = append(p.any, j.findAll(t.kinds)...), true
		}
	}
	p.bare = len(p.terms) == 0 && len(p.with) == 0 && !p.anyOf
	if more := int(q.number) + 1 - len(j.plans); more > 0 {
		j.plans = append(j.plans, make([]*plan, more)...)
	}
	j.plans[q.number] = p
	for i := range j.walks {
		if w := &j.walks[i]; len(w.scratch) < p.scratch {
			w.scratch, _ = buffer.New(p.scratch)
		}
	}
	return p
}

func (j *job) findAll(kinds []Kind) (found []*manager.Manager) {
	for _, k := range kinds {
		found = append(found, j.find(k.Spec()))
	}
	return found
}

func (p *plan) addAll(j *job, fields []*layout.FieldSpec, write bool) {
	if len(fields) == 0 {
		panic("systems: a kind without fields has nothing to read or write; ask for it by With")
	}
	for _, f := range fields {
		p.add(j, f, write)
	}
}

func (p *plan) add(j *job, f *layout.FieldSpec, write bool) {
	if f.Kind == nil {
		panic(fmt.Sprintf("systems: field %q belongs to no kind; give it to layout.NewKind", f.Name))
	}
	m := j.find(f.Kind)
	t := 0
	for t < len(p.terms) && p.terms[t] != m {
		t++
	}
	if t == maxTerms {
		panic(fmt.Sprintf("systems: a query may ask for fields of %d kinds; split the system", maxTerms))
	}
	if t == len(p.terms) {
		p.terms = append(p.terms, m)
	}
	for i := range p.columns {
		if p.columns[i].field == f {
			panic(fmt.Sprintf("systems: field %q of kind %q is asked for twice; keep one", f.Name, f.Kind.Name))
		}
	}
	c := &m.Columns[f.Index]
	p.columns = append(p.columns, planColumn{f, c, t, write, p.scratch})
	p.scratch += (batchSize*c.Stride + buffer.Align - 1) &^ (buffer.Align - 1)
}

// column returns the place of a field among the plan's columns.
func (p *plan) column(f *layout.FieldSpec) int {
	for i := range p.columns {
		if p.columns[i].field == f {
			return i
		}
	}
	return p.missing(f)
}

//go:noinline
func (p *plan) missing(f *layout.FieldSpec) int {
	kind := "no kind"
	if f.Kind != nil {
		kind = f.Kind.Name
	}
	panic(fmt.Sprintf("systems: this query does not ask for field %q of kind %q; add it to Read or Write", f.Name, kind))
}

// group returns the blocks of a group that may match, and those of which all objects do, in long
// runs.
func (p *plan) group(g int) (some, whole uint64) {
	some, whole = ^uint64(0), ^uint64(0)
	for _, m := range p.terms {
		some &= m.Groups[g].Any
		whole &= m.Groups[g].Whole
	}
	for _, m := range p.with {
		some &= m.Groups[g].Any
		whole &= m.Groups[g].Whole
	}
	for _, m := range p.without {
		whole &^= m.Groups[g].Any
	}
	if p.anyOf {
		var a, w uint64
		for _, m := range p.any {
			a |= m.Groups[g].Any
			w |= m.Groups[g].Whole
		}
		some, whole = some&a, whole&w
	}
	if p.bare {
		whole = 0
	}
	return some, whole
}

// match returns the objects of a block that match, and those of them that are not in lockstep.
func (p *plan) match(k uint32, alive uint64) (m, odd uint64) {
	m = alive
	for _, t := range p.terms {
		b := &t.Blocks[k]
		m &= b.Present
		odd |= b.Odd
	}
	for _, t := range p.with {
		m &= t.Blocks[k].Present
	}
	for _, t := range p.without {
		m &^= t.Blocks[k].Present
	}
	if p.anyOf {
		var a uint64
		for _, t := range p.any {
			a |= t.Blocks[k].Present
		}
		m &= a
	}
	return m, odd & m
}
