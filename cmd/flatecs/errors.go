package main

import (
	"errors"
	"fmt"
	"strings"
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
	refused, ok := errors.AsType[*world.Error](err)
	if !ok {
		return err.Error()
	}
	if flag := countFlags[refused.Kind]; flag != "" && errors.Is(err, world.ErrFull) {
		return fmt.Sprintf("%s: all %d rows in use; raise %s", refused.Kind, refused.Count, flag)
	}
	return strings.TrimPrefix(refused.Error(), "manager: ")
}

// isClosedPipe tells whether the reader of stdout has gone away.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
