package save

import "github.com/flatecs/flatecs/layout"

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

// match finds the parts of the file's field among those of the program's, by their names. Parts of
// another type are refused, or others of the same name.
func (c *column) match(k *FileKind, f *layout.FieldSpec, keep bool) error {
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
