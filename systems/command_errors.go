package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
)

// An ApplyError lists the recorded commands that [Apply] refused. errors.Is and errors.As search
// all of them.
type ApplyError struct {
	Recorded int             // number of commands
	Refused  []*CommandError // in recording order
}

// Unwrap returns the error of each refused command.
func (e *ApplyError) Unwrap() []error {
	if e == nil {
		return nil
	}
	list := make([]error, len(e.Refused))
	for i, r := range e.Refused {
		list[i] = r
	}
	return list
}

// Error says how many commands were refused, and describes the first.
func (e *ApplyError) Error() string {
	if e == nil || len(e.Refused) == 0 {
		return "flatecs: no recorded command was refused"
	}
	return fmt.Sprintf("flatecs: %d of %d recorded commands refused; the first is %s",
		len(e.Refused), e.Recorded, e.Refused[0].text())
}

// A CommandError describes one recorded command that [Apply] refused.
type CommandError struct {
	Err     error      // most often an [Error]
	Command string     // "create", "spawn", "copy", "dispose", "add", "remove", "replace" or "put"
	Number  int        // number of the command since the last Apply, from 0
	ID      GameObject // as recorded; Nobody for create, spawn and copy
	Kind    string     // the kind, or the recipe; empty for create, copy and dispose
	Kept    bool       // still recorded; see ApplyKeeping
}

// Unwrap returns e.Err.
func (e *CommandError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Error names the command and the object, and includes the text of e.Err.
func (e *CommandError) Error() string { return "flatecs: " + e.text() }

func (e *CommandError) text() string {
	if e == nil {
		return "no recorded command was refused"
	}
	return fmt.Sprintf("command %d, %s%s%s: %s", e.Number, e.Command, e.kind(), e.object(),
		bare(e.Err))
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
	case e.ID.Recorded():
		return fmt.Sprintf(", created game object %d", e.ID.Index())
	}
	return fmt.Sprintf(", game object %v", e.ID)
}

// errNotCreated is the error of a command on a recorded id that names no object.
var errNotCreated = fmt.Errorf(
	"flatecs: its creation was refused, or is of an earlier Apply; record it again: %w", ErrDead)
