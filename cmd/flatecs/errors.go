package main

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/flatecs/flatecs/world"
)

// countFlags are the flags that size each kind of component.
var countFlags = map[string]string{
	"position": "--positions",
	"velocity": "--velocities",
	"fly":      "--flies",
}

// message words an error for the command line: where a count is too small, the cure is a flag.
func message(err error) string {
	var full *world.Error
	if errors.Is(err, world.ErrFull) && errors.As(err, &full) && countFlags[full.Kind] != "" {
		return fmt.Sprintf("%s: all %d rows in use; raise %s",
			full.Kind, full.Count, countFlags[full.Kind])
	}
	return err.Error()
}

// isClosedPipe tells whether the reader of stdout has gone away.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
