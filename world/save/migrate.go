package save

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// A Migration makes the values of one field from those of a field that a file has. Make it by
// [Migrate].
type Migration struct {
	from    string            // "kind.field" in the file
	source  *layout.FieldSpec // what the file's values have to be
	to      *layout.FieldSpec
	convert func(dst, src []byte)
}

// Migrate returns the migration of the field that files name from, as "kind.field", to a field that
// the program has: renamed, or of another type. It is used when a file has from with values of
// From, and the field in the program has another name or type. It panics where [layout.NewField]
// does for a From that no field can have.
//
// A file whose kind has another name is no matter of migrations: kinds keep their names.
func Migrate[To, From any](from string, to layout.Field[To], convert func(From) To) Migration {
	if convert == nil {
		panic("save: Migrate " + from + " without a function; give one that converts")
	}
	source := layout.NewField[From]("from")
	return Migration{from, source.Spec(), to.Spec(), func(dst, src []byte) {
		d, s := to.Rows(dst), source.Rows(src)
		for i, v := range s {
			d[i] = convert(v)
		}
	}}
}

// String names the migration by what it leads from and to.
func (m Migration) String() string {
	switch {
	case m.to == nil:
		return "the zero Migration"
	case m.to.Kind == nil:
		return fmt.Sprintf("%s → %s", legible(m.from), layout.Quoted(m.to.Name))
	}
	return fmt.Sprintf("%s → %s.%s", legible(m.from), layout.Quoted(m.to.Kind.Name),
		layout.Quoted(m.to.Name))
}

// A column says where the values of one of a file's fields go.
type column struct {
	to        *layout.FieldSpec // nil: nowhere
	migration *Migration        // nil: as they are
}

// columnOf finds where a file's field goes: to the field of its own name and shape, or by a
// migration.
func (o *Options) columnOf(k *FileKind, f *FileField, spec *layout.KindSpec) (column, error) {
	from := k.Name + "." + f.Name
	for i := range o.Migrations {
		m := &o.Migrations[i]
		if m.from == from && m.to.Kind == spec && !f.is(m.to) {
			if m.source.Type != f.Type || m.source.Lanes != f.Lanes {
				return column{}, wrap(ErrMigration, "%s takes %s × %d, and the file has %s × %d", m,
					m.source.Type, m.source.Lanes, f.Type, f.Lanes)
			}
			return column{m.to, m}, nil
		}
	}
	i := slices.IndexFunc(spec.Fields, func(g *layout.FieldSpec) bool { return g.Name == f.Name })
	switch {
	case i < 0:
		return column{}, nil
	case !f.is(spec.Fields[i]):
		g := spec.Fields[i]
		return column{}, wrap(ErrMigration, "%s is %s × %d in the file and %s × %d in the "+
			"program; add Migrate(%q, …) to Options.Migrations", k.title(f.Name), f.Type,
			f.Lanes, g.Type,
			g.Lanes, from)
	}
	return column{spec.Fields[i], nil}, nil
}

// is reports whether a file's field has the name and shape of a declared one.
func (f *FileField) is(g *layout.FieldSpec) bool {
	return f.Name == g.Name && f.Type == g.Type && f.Lanes == g.Lanes
}
