package failure

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// A sized error is one of writing so many bytes.
type sized struct {
	error

	bytes int64
}

func (s *sized) Unwrap() error { return s.error }

// Sized returns the error of writing a file of so many bytes: where the disk is full, the text of
// [About] says how much room there has to be. It returns nil if err is nil.
func Sized(err error, bytes int64) error {
	if err == nil {
		return nil
	}
	return &sized{err, bytes}
}

// roomFor completes the text and the fix of an error, if the disk is full.
func roomFor(err error, text, fix string) (string, string) {
	if !errors.Is(err, syscall.ENOSPC) {
		return text, fix
	}
	if all, ok := errors.AsType[*sized](err); ok {
		text += fmt.Sprintf(" for its %d bytes", all.bytes)
	}
	if !strings.Contains(fix, "make room") {
		fix = "make room, or " + fix
	}
	return text, fix
}
