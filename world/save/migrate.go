package save

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// A Migration converts or drops a field, a part or a kind in a file that the program changed or
// removed. Create it by [Migrate], [MigrateKind] or [Drop].
//
// A migration that finds nothing is listed in [Report.Unused], so programs can keep their
// migrations for all older files. It is an error if the file also lacks the target and contains a
// similar name that the program lacks, because the name is misspelt then. It is also an error if
// values of the source would be left behind, because their kind does not become the target's kind.
type Migration struct {
	from    string            // in the file: "kind.field", or "kind" of MigrateKind
	source  *layout.FieldSpec // the type that the file must have
	to      *layout.FieldSpec // of Migrate
	convert func(dst, src []byte)
	kind    *layout.KindSpec // of MigrateKind
	drop    bool
}

// Migrate returns the migration to a field that was renamed or changed its type. from is the name
// in the file, as "kind.field", and From is the type at that time, compared by the names and
// elements of its parts. The migration applies if the file contains from with values of type From,
// and the program's field has another name or type. It panics like [layout.NewField] if From is not
// flat.
//
// Adding fields to a struct needs no migration: see [Read]. If the kind was renamed, too, from
// contains its name in the file; see [MigrateKind].
func Migrate[To, From any](from string, to layout.Field[To], convert func(From) To) Migration {
	if convert == nil {
		panic("save: Migrate of " + layout.Quoted(from) + " without a function; give one")
	}
	source := layout.NewField[From]("from")
	return Migration{
		from: from, source: source.Spec(), to: to.Spec(),
		convert: func(dst, src []byte) {
			d, s := to.Rows(dst), source.Rows(src)
			for i, v := range s {
				d[i] = convert(v)
			}
		},
	}
}

// MigrateKind returns the migration to a kind that was renamed; from is its name in the file. It
// applies if the file has no kind of the new name. Fields are found by their names, except the
// field of a [layout.NewComponent], which has the name of its kind. to may also be a field of the
// kind, such as a field of a resource, or of events, whose readers keep their positions. It panics
// if to is nil or belongs to no kind.
func MigrateKind(from string, to layout.AnyKind) Migration {
	spec := declared(to)
	if spec == nil {
		panic("save: MigrateKind of " + layout.Quoted(from) + " to no kind; declare one")
	}
	return Migration{from: from, kind: spec}
}

// declared returns the declaration of k, or nil if there is none.
func declared(k layout.AnyKind) (spec *layout.KindSpec) {
	defer func() { _ = recover() }() // of a nil pointer, a zero field
	return k.Kind().Spec()
}

// Drop returns a migration that omits what the program lacks: a field as "kind.field", a part of
// one as "kind.field.Part", or a "kind". The values are lost. Events are dropped with the positions
// of their readers.
func Drop(from string) Migration { return Migration{from: from, drop: true} }

// String describes the migration.
func (m Migration) String() string {
	switch {
	case m.drop:
		return failure.Legible(m.from) + " → nothing"
	case m.kind != nil:
		return fmt.Sprintf("%s → %s", failure.Legible(m.from), layout.Quoted(m.kind.Name))
	case m.to == nil:
		return "the zero Migration"
	case m.to.Kind == nil:
		return fmt.Sprintf("%s → %s", failure.Legible(m.from), layout.Quoted(m.to.Name))
	}
	return fmt.Sprintf("%s → %s.%s", failure.Legible(m.from), layout.Quoted(m.to.Kind.Name),
		layout.Quoted(m.to.Name))
}

// checkMigrations refuses migrations to what the world does not have.
func (l *loader) checkMigrations() error {
	l.used = make([]bool, len(l.options.Migrations))
	for i := range l.options.Migrations {
		m := &l.options.Migrations[i]
		kind := m.kind
		switch {
		case m.drop:
			continue
		case m.to != nil:
			kind = m.to.Kind
		case kind == nil:
			return wrap(ErrMigration, "number %d of Options.Migrations is the zero Migration; "+
				"make it by Migrate, MigrateKind or Drop", i)
		}
		switch {
		case kind == nil:
			return wrap(ErrMigration, "%s: the field has no kind; name it in NewKind", m)
		case l.known[kind.Name].Kind.Spec() != kind:
			return wrap(ErrMigration, "%s: the counts have no such kind %s; add it to Counts, or "+
				"leave out the migration", m, layout.Quoted(kind.Name))
		}
	}
	return nil
}

// nameOf returns the program's name of a kind of the file.
func (l *loader) nameOf(i int) string {
	name := l.header.kinds[i].Name
	for n := range l.options.Migrations {
		m := &l.options.Migrations[n]
		if m.kind == nil || l.header.hasKind(m.kind.Name) {
			continue
		}
		if to := systems.ReadersOf + m.kind.Name; systems.ReadersOf+m.from == name &&
			l.known[to].Kind.Spec() != nil {
			return to // the readers of events go along
		}
		if m.from != name {
			continue
		}
		if !l.used[n] {
			l.used[n] = true
			l.report.Migrated = append(l.report.Migrated, m.String())
		}
		return m.kind.Name
	}
	return name
}

func (h *header) hasKind(name string) bool { return h.indexOf(name) >= 0 }

// drops reports whether a migration drops what has one of these names in the file.
func (l *loader) drops(names ...string) bool {
	for n := range l.options.Migrations {
		m := &l.options.Migrations[n]
		for _, name := range names {
			if m.drop && m.from == name {
				l.used[n] = true
				return true
			}
		}
	}
	return false
}

// checkUnused reports the migrations that move nothing, and refuses those whose values would stay
// behind and those that are misspelt.
func (l *loader) checkUnused() error {
	unknown := l.unknown // to the program
	for i := range l.lost {
		unknown = append(unknown, l.lost[i].name)
	}
	for i := range l.header.kinds {
		k := &l.header.kinds[i]
		if l.kinds[i].Spec() != nil && l.known[l.nameOf(i)].Kind.Spec() == nil {
			unknown = append(unknown, k.Name)
		}
	}
	for n, used := range l.used {
		if used {
			continue
		}
		m := &l.options.Migrations[n]
		l.report.Unused = append(l.report.Unused, m.String())
		has, err := m.in(l)
		at := slices.IndexFunc(unknown, func(name string) bool { return near(m.from, name) })
		if err == nil && !has && at >= 0 {
			err = wrap(ErrMigration, "%s: the file has no %s; it has %s, which the program lacks: "+
				"correct the name, or leave out the migration", m, failure.Legible(m.from),
				failure.Legible(unknown[at]))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// in reports whether a file has what an unused migration leads from or to. It refuses the migration
// if a kind with values does not become that of its target.
func (m *Migration) in(l *loader) (has bool, err error) {
	goal := m.kind
	if m.to != nil {
		goal = m.to.Kind
	}
	behind := ""
	for i := range l.header.kinds {
		k, to := &l.header.kinds[i], l.nameOf(i)
		from := m.kind != nil && k.Name == m.from || slices.ContainsFunc(k.Fields,
			func(f FileField) bool { return m.to != nil && k.Name+"."+f.Name == m.from })
		switch {
		case goal == nil: // of Drop
		case to == goal.Name:
			has = has || from || m.kind != nil || slices.ContainsFunc(l.columns[i],
				func(c column) bool { return c.to == m.to })
		case from && l.rows[i] > 0 && l.kinds[i].Spec() != nil:
			behind = k.Name
		}
	}
	if behind == "" || has && l.known[behind].Kind.Spec() != nil {
		return has, nil
	}
	return has, wrap(ErrMigration, "%s: the file's %s does not become %s, and its values would "+
		"stay behind; add MigrateKind if the file has no %[3]s, or Drop(%[4]q)", m,
		failure.Legible(behind), layout.Quoted(goal.Name), behind)
}

// near reports whether one name may be another one, misspelt: a third of the letters differs.
func near(name, other string) bool {
	kind, field, _ := strings.Cut(name, ".")
	of, otherField, _ := strings.Cut(other, ".")
	if kind == of {
		name, other = field, otherField
	}
	return 3*tool.Distance(name, other) <= len(other)+2
}
