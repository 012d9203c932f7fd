package save

import (
	"fmt"

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
// From, and the field in the program has another name or type. From is a type as the program had it
// then, by the names and the elements of its parts. It panics where [layout.NewField] does for a
// From that no field can have.
//
// A struct that has gained fields, or lost some, needs none: see [Read].
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
