package save

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// A Migration makes the values of one field from those of a field that a file has. Make it by
// [Migrate].
type Migration struct {
	from    string // "kind.field" in the file
	to      *layout.FieldSpec
	element string // type of the file's elements
	lanes   int    // of the file's field; 0: any
	convert func(dst, src []byte, rows, lanes int)
}

// Migrate returns the migration of the field that files name from, as "kind.field", to a field that
// the program has: renamed, of another type, or with other lanes. It is used when a file has from
// with elements of From, and the field in the program has another name, type or number of lanes.
// Each row's dst, which holds the defaults, is set from its src; lanes says how many src has, 0
// takes any number.
//
// A file whose kind has another name is no matter of migrations: kinds keep their names.
func Migrate[To, From layout.Element](
	from string, lanes int, to layout.Field[To], convert func(dst []To, src []From),
) Migration {
	if convert == nil || lanes < 0 {
		panic(fmt.Sprintf("save: Migrate %s from %d lanes; give a function that converts, and 0 for "+
			"any number of lanes", from, lanes))
	}
	return Migration{
		from, to.Spec(), layout.NewField[From]("from", 1).Spec().Type, lanes,
		func(dst, src []byte, rows, lanes int) {
			d, s := layout.Elements[To](dst), layout.Elements[From](src)
			n := to.Spec().Lanes
			for i := range rows {
				convert(d[i*n:(i+1)*n:(i+1)*n], s[i*lanes:(i+1)*lanes:(i+1)*lanes])
			}
		},
	}
}

// String names the migration by what it leads from and to.
func (m Migration) String() string {
	if m.to == nil {
		return "the zero Migration"
	}
	return fmt.Sprintf("%s → %s", m.from, m.to.String())
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
			if m.element != f.Type || m.lanes != 0 && m.lanes != f.Lanes {
				return column{}, wrap(ErrMigration, "%s takes %s × %d, and the file has %s × %d", m,
					m.element, m.lanes, f.Type, f.Lanes)
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
			"program; add Migrate(%q, …) to Options.Migrations", from, f.Type, f.Lanes, g.Type,
			g.Lanes, from)
	}
	return column{spec.Fields[i], nil}, nil
}

// is reports whether a file's field has the name and shape of a declared one.
func (f *FileField) is(g *layout.FieldSpec) bool {
	return f.Name == g.Name && f.Type == g.Type && f.Lanes == g.Lanes
}
