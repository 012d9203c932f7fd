package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"github.com/flatecs/flatecs/world"
)

// countFlags are the flags that size each kind of component.
var countFlags = map[string]string{
	"position": "--positions", "velocity": "--velocities", "fly": "--flies",
}

// message words an error for the command line: flags size kinds, and no system call is named.
func message(err error) string {
	text := strings.TrimPrefix(err.Error(), "flatecs: ")
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.Replace(text, at.Op+" "+at.Path, cmp.Or(at.Path, `""`), 1)
	}
	refused, ok := errors.AsType[*world.Error](err)
	if ok && countFlags[refused.Kind] != "" && errors.Is(err, world.ErrFull) {
		return fmt.Sprintf("%s: all %d rows in use; raise %s", refused.Kind, refused.Count,
			countFlags[refused.Kind])
	}
	return text
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
