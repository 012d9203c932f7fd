package systems

import (
	"errors"
	"strings"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
)

// Errors of the layers below. They come wrapped in an [Error]; test for them with errors.Is.
var (
	ErrTooMany    = gameobject.ErrTooMany    // all game objects are in use
	ErrOutOfRange = gameobject.ErrOutOfRange // an id whose index this world does not have
	ErrDead       = gameobject.ErrDead       // an id that was disposed, or is of another world
	ErrFull       = manager.ErrFull          // all rows of a kind are in use
	ErrTwice      = manager.ErrTwice         // a second component of a kind on one object
	ErrAbsent     = manager.ErrAbsent        // the object has no such component
	ErrRemove     = manager.ErrRemove        // the object has no such component to remove
	ErrNoKind     = manager.ErrNoKind        // the world has no such kind
	ErrKindTwice  = manager.ErrKindTwice     // a kind, or a kind's name, is counted twice
	ErrCount      = manager.ErrCount         // a count is negative or too large
	ErrMemory     = manager.ErrMemory        // the counts ask for more bytes than there are
	ErrKinds      = manager.ErrKinds         // more kinds or recipes than a world can have
)

// errByteOrder is the error of a machine whose numbers are stored high byte first.
var errByteOrder = errors.New("flatecs: a world's bytes are little-endian, and this machine is not")

// ErrWalking is the error of what may not be done while a walk is open, or in a task: changes of
// structure, and looking up by id a field that the walk writes.
var ErrWalking = errors.New("flatecs: a walk is open; end it first, or record the change with " +
	"Commands, as a task always does; reach what is written through batches")

// A placedError is an error in the text of another one, which says "flatecs: " once.
type placedError struct {
	text string
	err  error
}

func (e *placedError) Error() string { return e.text }
func (e *placedError) Unwrap() error { return e.err }

// placed returns an error that wraps err, names the place where it arose, and ends in the cure.
func placed(place string, err error, cure string) error {
	return &placedError{prefix + place + ": " + bare(err) + cure, err}
}

// prefix begins every error and panic of the functions that a program calls through world.
const prefix = "flatecs: "

// bare returns the text of an error that may begin with prefix, without it.
func bare(err error) string {
	if err == nil {
		return "<nil>"
	}
	return strings.TrimPrefix(err.Error(), prefix)
}

// An Error says what was refused, of which kind, to whom, and how to cure it.
type Error = manager.Error
