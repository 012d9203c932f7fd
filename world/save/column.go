package save

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// A column says where the values of one of a file's fields go.
type column struct {
	from, to  *layout.FieldSpec // to nil: nowhere
	migration *Migration        // nil: none
	moves     []move            // of the parts that both have; nil: values are as they are
	dropped   []string          // parts that only the file has
	fresh     []string          // parts that only the program has
}

// A move is bytes that a value of the file and one of the program share.
type move struct{ to, from, n int }

// columnOf finds where a file's field goes: to the field of its own name, as it is or part by part,
// or by a migration.
func (l *loader) columnOf(k *FileKind, f *FileField, spec *layout.KindSpec) (column, error) {
	from, o := f.made(), l.options
	for i := range o.Migrations {
		m := &o.Migrations[i]
		if m.to == nil || m.from != k.Name+"."+f.Name || m.to.Kind != spec ||
			f.Name == m.to.Name && from.Same(m.to) {
			continue
		}
		l.used[i] = true
		if !m.source.Same(from) {
			return column{}, wrap(ErrMigration, "%s takes %s, and the file has %s", m,
				m.source.Shape(), from.Shape())
		}
		return column{from: from, to: m.to, migration: m}, nil
	}
	i := slices.IndexFunc(spec.Fields, func(g *layout.FieldSpec) bool {
		return g.Name == f.Name || len(k.Fields) == 1 && len(spec.Fields) == 1 &&
			f.Name == k.Name && g.Name == spec.Name // the field of a renamed component
	})
	if i < 0 {
		return column{from: from}, nil
	}
	c := column{from: from, to: spec.Fields[i]}
	if from.Same(c.to) {
		return c, nil
	}
	if err := c.match(k, f, o.DropFields); err != nil || c.moves != nil {
		return c, err
	}
	return column{from: from}, nil
}

// match finds the parts of the file's field among those of the program's, by their names. Parts of
// another type are refused, or others of the same name.
func (c *column) match(k *FileKind, f *FileField, keep bool) error {
	there := make(map[string]*layout.Part, len(c.from.Parts))
	for i := range c.from.Parts {
		there[c.from.Parts[i].Name] = &c.from.Parts[i]
	}
	title := k.title(f.Name)
	for i := range c.to.Parts {
		q := &c.to.Parts[i]
		p := there[q.Name]
		switch {
		case p == nil, keep && !p.Like(*q):
			c.fresh = append(c.fresh, q.Name)
			continue
		case !p.Like(*q):
			return changed(p.Within(title), p.String(), q.String(), k.Name+"."+f.Name)
		}
		delete(there, q.Name)
		c.moves = append(c.moves, move{q.Offset, p.Offset, len(p.Bytes(c.from.Default))})
	}
	if c.moves == nil && !keep {
		return changed(title, c.from.Shape(), c.to.Shape(), k.Name+"."+f.Name)
	}
	for i := range c.from.Parts {
		if name := c.from.Parts[i].Name; there[name] != nil {
			c.dropped = append(c.dropped, name)
		}
	}
	return nil
}

// changed says what a migration is needed for.
func changed(title, was, is, from string) error {
	return wrap(ErrMigration, "%s is %s in the file and %s in the program; add Migrate(%q, …) to "+
		"Options.Migrations", title, was, is, from)
}

// asIs reports whether values have the same bytes in the file and in the world.
func (c *column) asIs() bool { return c.migration == nil && c.moves == nil }

// convert makes values of the file those of the world.
func (c *column) convert(dst, src []byte) {
	if c.migration != nil {
		c.migration.convert(dst, src)
		return
	}
	for ; len(src) > 0; dst, src = dst[c.to.Stride:], src[c.from.Stride:] {
		copy(dst, c.to.Default)
		for _, m := range c.moves {
			copy(dst[m.to:][:m.n], src[m.from:])
		}
	}
}
