package systems

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

const (
	maxTerms   = 16 // kinds whose fields one query may ask for
	maxColumns = 64 // fields that one query may ask for
	noTerm     = 31 // a term of an optional kind that the world does not have

	batchSize = manager.ListSize // rows of a gathered batch
	maxHoles  = 64               // rows of a row-wise run that are restored
)

// A plan is a query with its columns resolved in one world.
type plan struct {
	manager.Match
	spec     *querySpec
	terms    []*manager.Manager // managers of the requested fields, optional ones last
	required uint32             // a bit per term
	written  uint32             // a bit per term: some field is written
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
	term   int         // of plan.terms
	mode   mode
	at     int // offset of the copy in scratch
}

// plans are the plans of a world, by the numbers of their queries. Readers add to them
// concurrently: the list is replaced, never changed.
type plans struct {
	list   atomic.Pointer[[]*plan]
	making sync.Mutex
}

// planOf returns the plan of q, which is made on first use in a world.
func (j *job) planOf(q *querySpec) *plan {
	if j.whole != nil {
		j.allows(q)
		j = j.whole
	}
	if q == nil {
		Query{q}.declared() // panics if q is zero
	}
	if list := j.plans.list.Load(); list != nil && int(q.number) < len(*list) {
		if p := (*list)[q.number]; p != nil {
			return p
		}
	}
	if err := j.plan([]Query{{q}}); err != nil {
		panic(err.Error())
	}
	return j.planOf(q)
}

// plan makes the plans of queries. The error wraps [ErrNoKind] or errContradiction.
//
//go:noinline
func (j *job) plan(queries []Query) error {
	j.plans.making.Lock()
	defer j.plans.making.Unlock()
	var list []*plan
	if old := j.plans.list.Load(); old != nil {
		list = slices.Clone(*old)
	}
	made := make([]plan, len(queries))
	for i, q := range queries {
		spec := q.declared()
		if err := j.check(spec); err != nil {
			return fmt.Errorf("flatecs: %s: %w", q, err)
		}
		if list = longer(list, spec.number); list[spec.number] == nil {
			list[spec.number] = j.resolve(spec, &made[i])
		}
	}
	j.plans.list.Store(&list)
	return nil
}

// errContradiction is the error of a query that no object can match.
var errContradiction = errors.New("its terms contradict each other; leave one out")

// check returns nil if a world has the kinds that a query requires, and the terms do not contradict
// each other.
func (j *job) check(q *querySpec) error {
	m, err := j.matcher(q)
	//nolint:errorlint // it comes as it is, and errors.As would make a program for browsers larger
	if unknown, ok := err.(*Error); ok {
		return fmt.Errorf("this world has no kind %s; add its Count to Counts.Kinds: %w",
			unknown.Kind, unknown.Err)
	}
	if err != nil {
		return err
	}
	for _, some := range m.some {
		if some.Len() > 0 && some.SubsetOf(m.none) {
			return errContradiction
		}
	}
	for _, only := range m.only {
		m.all.Add(only)
	}
	for _, only := range m.only {
		if !m.all.SubsetOf(only) {
			return errContradiction
		}
	}
	if m.all.Intersects(m.none) {
		return errContradiction
	}
	return nil
}

// resolve fills in p, the plan of q.
func (j *job) resolve(q *querySpec, p *plan) *plan {
	p.Match, p.spec = j.NewMatch(), q
	p.All, p.terms, p.columns = p.few.all[:0], p.few.terms[:0], p.few.columns[:0]
	for _, t := range q.terms {
		if t.mode != optional {
			p.addTerm(j, t)
		}
	}
	p.required = 1<<len(p.terms) - 1
	for _, t := range q.terms {
		if t.mode == optional {
			p.addTerm(j, t)
		}
	}
	return p
}

func (p *plan) addTerm(j *job, t Term) {
	switch t.mode {
	case read, write, optional:
		for _, a := range t.access {
			p.addAccess(j, a, t.mode)
		}
	case with:
		p.Require(j.findAll(t)...)
	case without:
		p.Forbid(j.findAll(t)...)
	case anyOf:
		p.RequireAny(j.findAll(t))
	case only:
		p.RequireOnly(j.findAll(t))
	case changed:
		p.changed, p.since = append(p.changed, j.findAll(t)...), true
	case rowWise:
		p.rowWise = true
	case forced:
		p.forced = true
	}
}

// findAll returns the managers of the kinds in a term, without those that the world does not have
// if the term allows it.
func (j *job) findAll(t Term) (found []*manager.Manager) {
	for _, k := range t.kinds {
		if t.mode.needs() || j.Slot(k.Spec()) >= 0 {
			found = append(found, j.find(k.Spec()))
		}
	}
	return found
}

func (p *plan) addAccess(j *job, a layout.Access, m mode) {
	if f, ok := a.(layout.AnyField); ok {
		p.addColumn(j, f.Spec(), m)
		return
	}
	fields := a.Fields()
	if len(fields) == 0 {
		panic(fmt.Sprintf("flatecs: kind %v has no fields to read or write; ask for objects that "+
			"have it by With, or for each object of a batch by Has", a))
	}
	for _, f := range fields {
		p.addColumn(j, f, m)
	}
}

func (p *plan) addColumn(j *job, f *layout.FieldSpec, m mode) {
	if f.Kind == nil {
		panic(fmt.Sprintf("flatecs: field %q belongs to no kind; give it to layout.NewKind",
			f.Name))
	}
	for i := range p.columns {
		if c := &p.columns[i]; c.field == f {
			if c.mode != m {
				panic(fmt.Sprintf("flatecs: %s: field %s is asked for by %s and by %s; keep one",
					Query{p.spec}, f, modeNames[c.mode], modeNames[m]))
			}
			return
		}
	}
	if len(p.columns) == maxColumns {
		panic(fmt.Sprintf("flatecs: a query may ask for %d fields; split the system", maxColumns))
	}
	if m == optional && j.Slot(f.Kind) < 0 {
		p.columns = append(p.columns, planColumn{field: f, term: noTerm, mode: m})
		return
	}
	t := p.addManager(j.find(f.Kind), m)
	if m == write {
		p.written |= 1 << t
	}
	c := &p.terms[t].Columns[f.Index]
	p.columns = append(p.columns, planColumn{f, c, c.Base, t, m, p.scratch})
	rows := min(batchSize, p.terms[t].Cap())
	p.scratch += (rows*c.Stride + buffer.Align - 1) &^ (buffer.Align - 1)
}

// addManager returns the term of a kind.
func (p *plan) addManager(m *manager.Manager, mode mode) int {
	for t := range p.terms {
		if p.terms[t] == m {
			return t
		}
	}
	if len(p.terms) == maxTerms {
		panic(fmt.Sprintf("flatecs: a query may ask for fields of %d kinds; split the system",
			maxTerms))
	}
	p.terms = append(p.terms, m)
	if mode == optional {
		p.optional = true
	} else {
		p.Require(m)
	}
	return len(p.terms) - 1
}

// column returns the index of a field among the plan's columns.
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
	panic(fmt.Sprintf("flatecs: this query does not ask for field %q of kind %q; "+
		"add it to Read or Write",
		f.Name, kind))
}
