package save

import (
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

// matchKinds pairs each kind of the file with a kind of the program, or keeps it.
func (m *matcher) matchKinds() error {
	p, h := m.plan, m.plan.header
	if !p.into.spare && h.hasRandom() {
		p.into.counts.Random = true // the numbers come from the file
	}
	_, counted, err := p.into.counts.Room()
	if err != nil {
		return err
	}
	m.known = map[string]layout.Count{}
	for _, c := range counted {
		m.known[c.Kind.String()] = c
		c.Kind.Fields() // panics for the zero Kind
		m.place = max(m.place, c.Kind.Spec().Place)
	}
	if err := m.checkMigrations(); err != nil {
		return err
	}
	p.kinds = make([]kindPlan, len(h.kinds))
	for i := range p.kinds {
		k := &p.kinds[i]
		k.from, k.rows = &h.kinds[i], int(p.used.rows[i])
		k.name = m.nameOf(k.from)
		c, ok := m.known[k.name]
		if !ok {
			continue // kept together with its lists
		}
		if err := m.matchLists(i, c); err != nil {
			return err
		}
		if !p.isRelaid(i) {
			if err := m.match(k, c); err != nil {
				return err
			}
		}
	}
	for i := range p.kinds {
		if k := &p.kinds[i]; k.kind.Spec() == nil && k.turned.Spec() == nil && !p.isRelaid(i) {
			if err := m.matchOther(k); err != nil {
				return err
			}
		}
	}
	if err := p.linkLists(); err != nil {
		return err
	}
	for _, c := range counted {
		name := c.Kind.String()
		if !slices.ContainsFunc(p.kinds, func(k kindPlan) bool { return k.name == name }) {
			p.report.New = append(p.report.New, layout.Quoted(name))
		}
	}
	if err := m.checkUnused(); err != nil {
		return err
	}
	return m.refuseLost()
}

// matchOther keeps a kind that the program lacks, unless the kind is useless.
func (m *matcher) matchOther(of *kindPlan) (err error) {
	p, k := m.plan, of.from
	c, ok := m.known[k.Name] // the spare world has it
	switch {
	case !ok && (p.header.roles.last[k.Name] || m.dropsList(k) ||
		m.drops(k.Name, strings.TrimPrefix(k.Name, systems.ReadersOf))):
		p.report.Dropped = append(p.report.Dropped, layout.Quoted(k.Name))
		return nil
	case !ok:
		if c, err = m.keep(k, of.rows); err != nil {
			return err
		}
		p.report.Kept = append(p.report.Kept, layout.Quoted(k.Name))
	}
	return m.match(of, c)
}

// keep declares a kind that the program lacks, with room for its rows in the file.
func (m *matcher) keep(k *FileKind, rows int) (c layout.Count, err error) {
	p := m.plan
	if n := k.bytes(uint64(rows), p.used.objects); !p.budget.take(n) {
		return c, wrap(ErrTooLarge, "%s takes %d bytes, after %d that the program lacks take %d; "+
			"count kinds that may be large", layout.Quoted(k.Name), n, m.place, p.budget.taken)
	}
	described := k.described()
	if c.Kind, err = described.Declare(m.place); err != nil {
		return c, damaged("%v", err)
	}
	switch {
	case k.ByBlock:
		c.Free, c.ByBlock = true, true
	case !k.Mark:
		c.Rows = rows
	}
	c.Packed = k.Packed
	p.into.counts.Kinds = append(p.into.counts.Kinds, c)
	p.counted[c.Kind] = c
	m.place++
	return c, nil
}

// match plans where the values of a kind of the file go.
func (m *matcher) match(of *kindPlan, c layout.Count) error {
	k, spec, p := of.from, c.Kind.Spec(), m.plan
	if err := p.checkEvents(of, c); err != nil {
		return err
	}
	if k.Mark != spec.Mark || k.Values != (spec.Values != nil) {
		return m.turn(of, c.Kind)
	}
	if k.Packed != (c.Packed && !spec.Mark) {
		return wrap(ErrSchema, "%s is packed in one of the file and the counts; set Packed as "+
			"it was", layout.Quoted(k.Name))
	}
	of.kind = c.Kind
	set := make([]bool, len(spec.Fields))
	lost := len(m.lost)
	for j, f := range k.Fields {
		to, err := m.columnOf(k, j, spec)
		if err != nil {
			return err
		}
		if to.to != nil {
			p.reportParts(k.title(to.to.Name), to.fresh)
		}
		m.lose(of, f, &to)
		of.columns = append(of.columns, to)
		switch {
		case to.to == nil:
			continue
		case set[to.to.Index]:
			return wrap(ErrMigration, "%s: two of the file's fields become %s; drop a migration",
				k.title(f.Name), layout.Quoted(to.to.Name))
		case to.migration != nil:
			p.report.Migrated = append(p.report.Migrated, to.migration.String())
		}
		if !to.isVerbatim() || !slices.Equal(to.to.Default, f.Default) {
			of.reset = true
		}
		set[to.to.Index] = true
	}
	var fresh []string
	for j, f := range spec.Fields {
		switch {
		case set[j]:
		case p.into.hasReader(c.Kind.String(), f.Name):
			p.report.New = append(p.report.New, k.reader(f.Name))
		default:
			fresh = append(fresh, f.Name)
			p.report.New = append(p.report.New, k.title(f.Name))
		}
	}
	m.suggest(lost, k, fresh)
	return nil
}

// columnOf finds where a field of the file goes: to the field of the same name, as a whole or part
// by part, or through a migration.
func (m *matcher) columnOf(k *FileKind, field int, spec *layout.KindSpec) (column, error) {
	o, f := m.options, k.Fields[field]
	for i := range o.Migrations {
		by := &o.Migrations[i]
		if by.to == nil || by.from != k.Name+"."+f.Name || by.to.Kind != spec ||
			f.Name == by.to.Name && f.Same(by.to) {
			continue
		}
		m.found[i] = true
		if !by.source.Same(f) {
			return column{}, wrap(ErrMigration, "%s takes %s, and the file has %s", by,
				by.source.Shape(), f.Shape())
		}
		return column{from: f, to: by.to, migration: by}, nil
	}
	is := func(g *layout.FieldSpec) bool {
		return g.Name == f.Name || len(k.Fields) == 1 && len(spec.Fields) == 1 &&
			f.Name == k.Name && g.Name == spec.Name // the field of a renamed component
	}
	i := field // as usual
	if i >= len(spec.Fields) || !is(spec.Fields[i]) {
		i = slices.IndexFunc(spec.Fields, is)
	}
	if i < 0 {
		return column{from: f}, nil
	}
	c := column{from: f, to: spec.Fields[i]}
	if f.Same(c.to) {
		return c, nil
	}
	if err := c.match(k, f, o.DropFields); err != nil || c.moves != nil {
		return c, err
	}
	return column{from: f}, nil
}

// turn gives the objects of a kind of the file a kind of another sort, with default values. The
// sorts are marks, kinds with fields, and kinds of Go values. The old values are lost: they are
// dropped, or the file is refused.
func (m *matcher) turn(of *kindPlan, to layout.Kind) error {
	p, k, spec := m.plan, of.from, to.Spec()
	if !k.Mark && !m.options.DropFields {
		return otherSort(k, sortOf(k.Mark, k.Values), sortOf(spec.Mark, spec.Values != nil))
	}
	of.turned = to
	of.columns = make([]column, len(k.Fields))
	for j, f := range k.Fields {
		of.columns[j].from = f
		m.lose(of, f, &of.columns[j])
	}
	for _, f := range spec.Fields {
		p.report.New = append(p.report.New, k.title(f.Name))
	}
	if k.Values {
		p.report.Dropped = append(p.report.Dropped, layout.Quoted(k.Name))
	}
	return nil
}

// matchLists pairs the lists of kind i with the lists of the program's kind, and refuses lists that
// cannot be converted.
func (m *matcher) matchLists(i int, c layout.Count) error {
	k := &m.plan.header.kinds[i]
	for j, f := range k.Fields {
		to, err := m.listOf(k, f, c.Kind.Spec())
		if err == nil && to != nil {
			err = m.relay(i, j, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listOf returns the list of the program that a list of the file is read into, or nil.
func (m *matcher) listOf(
	k *FileKind, f *layout.FieldSpec, spec *layout.KindSpec,
) (to *layout.FieldSpec, err error) {
	title := k.title(f.Name)
	for _, g := range spec.Fields {
		if g.Name == f.Name || len(k.Fields) == 1 && len(spec.Fields) == 1 {
			to = g
		}
	}
	isList, wanted := m.plan.header.isList(k, f), to != nil && to.List != nil
	switch {
	case !isList && !wanted, m.drops(k.Name, k.Name+"."+f.Name):
		return nil, nil
	case !isList:
		return nil, wrap(ErrSchema, "%s is a list in the program and not in the file; give it "+
			"another name, or Drop(%q)", title, k.Name+"."+f.Name)
	case !wanted:
		return nil, wrap(ErrSchema, "%s is a list in the file and not in the program; declare it, "+
			"or Drop(%q)", title, k.Name+"."+f.Name)
	case to.String() != k.listName(f):
		return nil, wrap(ErrSchema, "%s is a list, and is called %s in the program; lists keep "+
			"their names: give it the old one, or Drop(%q)", title, to, k.Name+"."+f.Name)
	}
	return to, nil
}

// relay plans to read the lists of a field element by element if the element type has changed.
func (m *matcher) relay(kind, field int, to *layout.FieldSpec) error {
	p, h := m.plan, m.plan.header
	k := &h.kinds[kind]
	f := k.Fields[field]
	from, err := h.declare(kind, field, p.used.rows)
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
		kind: kind, rows: h.indexOf(rows), free: h.indexOf(free), from: from, to: to,
		each: column{from: from.List.Element, to: to.List.Element},
	}
	if r.each.match(k, f, false) != nil {
		return wrap(ErrMigration, "the elements of %s are %s in the file and %s in the program; "+
			"give the list another name, or Drop(%q)", k.title(f.Name), r.each.from.Shape(),
			r.each.to.Shape(), k.Name+"."+f.Name)
	}
	m.loseParts(k, f, &r.each, func(string) string { return r.each.from.Shape() })
	p.reportParts(k.title(f.Name), r.each.fresh)
	p.relaid = append(p.relaid, r)
	return nil
}

// linkLists declares the lists of kept kinds.
func (p *plan) linkLists() error {
	tool.LinkLists(p.into.counts.Kinds)
	for i := range p.kinds {
		of := &p.kinds[i]
		k := of.from
		if spec := of.kind.Spec(); spec == nil || spec.Place == 0 {
			continue
		}
		for j, f := range k.Fields {
			to := of.columns[j].to
			if to != nil && to.List == nil && p.header.isList(k, f) {
				return noList(k, f)
			}
		}
	}
	return nil
}
