package tool

import (
	"fmt"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// Get returns the text of a field of an object, as [Text] prints it, for kinds that the program
// does not know. It finds the field by its name in errors: "rust.depth" for field depth of kind
// rust, or "rust" for a field with the name of its kind. The error wraps [systems.ErrNoKind] if the
// world has no such field, [systems.ErrAbsent], [systems.ErrDead] or [systems.ErrOutOfRange].
func Get(s systems.State, id gameobject.ID, field string) (string, error) {
	m, f, row, err := named(s, id, field)
	if err != nil {
		return "", err
	}
	return Text(f, valueIn(m, f, row)), nil
}

// Set sets a field of an object to the value of a text, as [ParseText] reads it; omitted named
// parts keep their values. Ids are written as they print. It sets a list as a whole, as [ParseList]
// reads it. It returns the errors of [Get], a [*TextError], [systems.ErrWalking] in a walk or a
// task, or [systems.ErrFull] for a list. It refuses the reference of a relation, names and global
// ids.
func Set(s systems.State, id gameobject.ID, field, text string) (systems.State, error) {
	m, f, row, err := named(s, id, field)
	switch {
	case err != nil:
		return s, err
	case Walking(s):
		return s, systems.ErrWalking
	case f.List != nil:
		elements, err := ParseList(nil, f, text, referPlainly)
		if err != nil {
			return s, inField(f, err)
		}
		return SetElements(s, f, row, elements)
	case f.Relation != nil:
		return s, fmt.Errorf("flatecs: %s is the reference of a relation, which is checked; write "+
			"it by Set of package world: %w", f, systems.ErrOther)
	case m.Kind == systems.NameKind.Spec(), m.Kind == systems.GlobalKind.Spec():
		return s, fmt.Errorf("flatecs: %s is found by its value, and has checks; write it by "+
			"SetName of package world, or SetGlobal of pack: %w", f, systems.ErrOther)
	}
	value := f.DefaultValue()
	place := valueIn(m, f, row)
	copy(value.Bytes(), place)
	if err := ParseText(value.Bytes(), f, text, referPlainly); err != nil {
		return s, inField(f, err)
	}
	return systems.Written(s, m.Kind.Handle(), func(m *manager.Manager) {
		copy(place, value.Bytes())
		m.Stamps.TouchRow(uint32(row))
	}), nil
}

// referPlainly parses an id as it prints.
func referPlainly(word string, _, _ int) (gameobject.ID, error) { return ParseGameObject(word) }

func inField(f *layout.FieldSpec, err error) error { return fmt.Errorf("flatecs: %s: %w", f, err) }

// named returns the manager and the row of a field of an object, by the field's name.
func named(
	s systems.State, id gameobject.ID, field string,
) (m *manager.Manager, f *layout.FieldSpec, row layout.Row, err error) {
	t := systems.ToolsOf(s)
	if err := t.Living(id); err != nil {
		return nil, nil, 0, err
	}
	if i, f := fieldNamed(t.Arena, field); f != nil && i < t.OnObjects() {
		m := &t.Arena.Managers[i]
		at, err := m.Get(id.Index())
		return m, f, at, err
	}
	return nil, nil, 0, noField(field)
}

// FieldNamed returns the field, of objects or of a resource, with this name in errors, such as
// "rust.depth". The error wraps [systems.ErrNoKind].
func FieldNamed(s systems.State, name string) (*layout.FieldSpec, error) {
	if _, f := fieldNamed(systems.ArenaOf(s), name); f != nil {
		return f, nil
	}
	return nil, noField(name)
}

// fieldNamed returns the field with a name, and the number of its manager.
func fieldNamed(a *manager.Arena, name string) (int, *layout.FieldSpec) {
	for i := range a.Managers {
		for _, f := range a.Managers[i].Kind.Fields {
			if f.String() == name {
				return i, f
			}
		}
	}
	return 0, nil
}

func noField(name string) error {
	return fmt.Errorf("flatecs: this world has no field %.80q: %w Write kind.field, or "+
		"the kind alone if its field has the same name", name, systems.ErrNoKind)
}
