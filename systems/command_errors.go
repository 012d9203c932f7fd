package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
)

// A CommandError says which recorded command [Apply] refused, and why.
type CommandError struct {
	Err     error      // most often an [Error]
	Command string     // what it was: "create", "spawn", "dispose", "add", "remove", "set" or "put"
	Number  int        // of the command since the last Apply, from 0
	ID      GameObject // as recorded; Nobody for create and spawn
	Kind    string     // of component, or the recipe; empty for create and dispose
}

// Unwrap returns e.Err.
func (e *CommandError) Unwrap() error { return e.Err }

// Error names the command and the object, and says what e.Err says.
func (e *CommandError) Error() string {
	return fmt.Sprintf("systems: command %d, %s%s%s: %v",
		e.Number, e.Command, e.kind(), e.object(), e.Err)
}

func (e *CommandError) kind() string {
	if e.Kind == "" {
		return ""
	}
	return " " + layout.Quoted(e.Kind)
}

func (e *CommandError) object() string {
	switch {
	case e.ID == 0:
		return ""
	case e.ID.Generation() == 0:
		return fmt.Sprintf(", created game object %d", e.ID.Index())
	}
	return fmt.Sprintf(", game object %+v", e.ID)
}

// errNotCreated is the error of a command on an id of [Commands.Create] that names no object.
var errNotCreated = fmt.Errorf(
	"systems: its creation was refused, or is of an earlier Apply; record it again: %w", ErrDead)

// An OverflowError is the error of [Apply] when more was recorded than there is room for. It wraps
// [ErrFull].
type OverflowError struct {
	Recorded int // commands, in the measure of Counts.Commands
	Room     int // Counts.Commands
}

// Unwrap returns [ErrFull].
func (e *OverflowError) Unwrap() error { return ErrFull }

// Error names the counts and the cure.
func (e *OverflowError) Error() string {
	return fmt.Sprintf("systems: %d commands recorded, room for %d, none carried out; "+
		"raise Counts.Commands to %[1]d, or apply more often", e.Recorded, e.Room)
}
