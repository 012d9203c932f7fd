package save

import "github.com/flatecs/flatecs/layout"

// A column says where the values of one field of the file go.
type column struct {
	from, to  *layout.FieldSpec // to nil: dropped
	migration *Migration        // nil: none
	moves     []move            // of the common parts; nil: values are copied as a whole
	dropped   []string          // parts that only the file has
	fresh     []string          // parts that only the program has
}

// A move is a run of bytes that is copied from a value of the file to a value of the program.
type move struct{ to, from, n int }

// match pairs the parts of the file's field with the program's parts of the same names. It refuses
// a part whose type differs, and a field without common parts.
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

// changed returns the error of a field that needs a migration, because its type changed.
func changed(title, was, is, from string) error {
	return wrap(ErrMigration, "%s is %s in the file and %s in the program; add Migrate(%q, …) to "+
		"Options.Migrations", title, was, is, from)
}

// isVerbatim reports whether values have the same bytes in the file and in the world.
func (c *column) isVerbatim() bool { return c.migration == nil && c.moves == nil }

// convert converts values of the file to values of the world.
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
