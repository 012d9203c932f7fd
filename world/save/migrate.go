package save

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
)

// A Migration says what becomes of a field, a part or a kind in a file that the program does not
// have so any more. Make it by [Migrate], [MigrateKind] or [Drop].
type Migration struct {
	from    string            // in the file: "kind.field", or "kind" of MigrateKind
	source  *layout.FieldSpec // the type that the file must have
	to      *layout.FieldSpec // of Migrate
	convert func(dst, src []byte)
	kind    *layout.KindSpec // of MigrateKind
	drop    bool
}

// Migrate returns the migration to a field of the program that was renamed or changed its type.
// from is the name in the file, as "kind.field", and From is the type at that time, compared by the
// names and elements of its parts. The migration is used if a file has from with values of From,
// and the program's field has another name or type. It panics like [layout.NewField] if From is not
// flat.
//
// Adding fields to a struct needs no migration: see [Read]. Where a kind was renamed, too, from
// has its name in the file; see [MigrateKind].
func Migrate[To, From any](from string, to layout.Field[To], convert func(From) To) Migration {
	if convert == nil {
		panic("save: Migrate " + from + " without a function; give one that converts")
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

// MigrateKind returns the migration to a kind of the program that was renamed; from is its name in
// the file. It is used if the file has no kind of the new name. The fields are found by their
// names, but for that of a [layout.NewComponent], which is called as its kind is. to may also be a
// field of the kind, such as one of a resource. It panics if to is nil or of no kind.
func MigrateKind(from string, to layout.AnyKind) Migration {
	spec := declared(to)
	if spec == nil {
		panic("save: MigrateKind " + from + " to no kind; give one that is declared")
	}
	return Migration{from: from, kind: spec}
}

// declared returns the declaration of k, or nil if there is none.
func declared(k layout.AnyKind) (spec *layout.KindSpec) {
	defer func() { _ = recover() }() // of a nil pointer, a zero field
	return k.Kind().Spec()
}

// Drop returns a migration that leaves out what the program does not have any more: a field as
// "kind.field", a part of one as "kind.field.Part", or a "kind". The values are lost.
func Drop(from string) Migration { return Migration{from: from, drop: true} }

// String describes the migration.
func (m Migration) String() string {
	switch {
	case m.drop:
		return legible(m.from) + " → nothing"
	case m.kind != nil:
		return fmt.Sprintf("%s → %s", legible(m.from), layout.Quoted(m.kind.Name))
	case m.to == nil:
		return "the zero Migration"
	case m.to.Kind == nil:
		return fmt.Sprintf("%s → %s", legible(m.from), layout.Quoted(m.to.Name))
	}
	return fmt.Sprintf("%s → %s.%s", legible(m.from), layout.Quoted(m.to.Kind.Name),
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
			return wrap(ErrMigration, "%s: the field belongs to no kind; give it to "+
				"layout.NewKind", m)
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
		if m.kind == nil || m.from != name || l.header.hasKind(m.kind.Name) {
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

// dropsAside reports whether a migration drops a field that was set aside.
func (l *loader) dropsAside(k *FileKind) bool {
	for n := range l.options.Migrations {
		m := &l.options.Migrations[n]
		for at := range m.from {
			if m.drop && m.from[at] == '.' && k.isAside() &&
				isAsideOf(k.Name, m.from[:at], m.from[at+1:]) {
				l.used[n] = true
				return true
			}
		}
	}
	return false
}

// reportUnused tells which migrations were not for this file.
func (l *loader) reportUnused() {
	for n, used := range l.used {
		if !used {
			l.report.Unused = append(l.report.Unused, l.options.Migrations[n].String())
		}
	}
}
