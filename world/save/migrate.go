package save

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
)

// A Migration computes a field from another field, or another type, in a file. Make it by
// [Migrate].
type Migration struct {
	from    string            // "kind.field" in the file
	source  *layout.FieldSpec // the type that the file must have
	to      *layout.FieldSpec
	convert func(dst, src []byte)
}

// Migrate returns the migration to a field of the program that was renamed or changed its type.
// from is the name in the file, as "kind.field", and From is the type at that time, compared by the
// names and elements of its parts. The migration is used if a file has from with values of From,
// and the program's field has another name or type. It panics like [layout.NewField] if From is not
// flat.
//
// Adding or removing fields of a struct needs no migration: see [Read].
//
// Kinds cannot be renamed.
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

// String describes the migration.
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
