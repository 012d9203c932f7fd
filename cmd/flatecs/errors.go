package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"unicode"

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
		return strings.TrimPrefix(err.Error(), "flatecs: ")
	}
	if flag := countFlags[refused.Kind]; flag != "" && errors.Is(err, world.ErrFull) {
		return fmt.Sprintf("%s: all %d rows in use; raise %s", refused.Kind, refused.Count, flag)
	}
	return strings.TrimPrefix(refused.Error(), "flatecs: ")
}

// printable returns lines of text with what does not print written as in Go's strings.
func printable(lines string) string {
	var b strings.Builder
	for _, r := range lines {
		if r == '\n' || unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// isClosedPipe tells whether the reader of stdout has gone away.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
