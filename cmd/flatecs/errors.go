package main

import (
	"cmp"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"syscall"
	"unicode"
)

// message formats an error for the command line, without names of system calls.
func message(err error) string {
	text := strings.TrimPrefix(err.Error(), "flatecs: ")
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.Replace(text, at.Op+" "+at.Path, cmp.Or(at.Path, `""`), 1)
	}
	if errors.Is(err, syscall.ENOSPC) && !strings.Contains(text, "; ") {
		text += "; make room there, and run the command again"
	}
	return text
}

// printable returns lines of text with unprintable characters escaped as in Go strings.
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

// isClosedPipe reports whether the reader of stdout has closed it.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
