package memory

import (
	"errors"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// Errors of this package. They are wrapped; test for them with errors.Is.
var (
	ErrFormat   = errors.New("the memory holds no world")           // or a damaged head
	ErrVersion  = errors.New("the memory has a newer version")      // than this package
	ErrOther    = errors.New("the memory holds a world of another") // fingerprint than the counts
	ErrUsed     = errors.New("the memory holds a world already")    // in CreateState, NewSnapshot
	ErrReadOnly = systems.ErrReadOnly                               // the panic value of writes
	ErrBytes    = systems.ErrBytes                                  // too few, or Go values
)

func wrap(err error, format string, args ...any) error {
	return failure.Wrap("memory", err, "hand in all bytes of a world", format, args...)
}
