package save

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// A Migration converts or drops a field, a part or a kind in a file that the program changed or
// removed. Create it by [Migrate], [MigrateKind] or [Drop].
//
// A migration that finds nothing is listed in [Report.Unused], so programs can keep their
// migrations for all older files. It is an error if the file also lacks the target and contains a
// similar name that the program lacks, because the name must then be misspelt. It is also an error
// if values of the source would be lost because their kind does not become the target's kind.
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
	defer func() { _ = recover() }() // a nil pointer or a zero field
	return k.Kind().Spec()
}

// Drop returns a migration that omits data that the program lacks: a field as "kind.field", a part
// of one as "kind.field.Part", or a "kind". The values are lost. Events are dropped with the
// positions of their readers.
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

// goal returns the program's kind that m leads to, or nil.
func (m *Migration) goal() *layout.KindSpec {
	if m.to != nil {
		return m.to.Kind
	}
	return m.kind
}
