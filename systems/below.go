package systems

import (
	"errors"
	"strings"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kin"
)

// GameObject is the id of a game object (an entity elsewhere). The zero GameObject is [Nobody].
type GameObject = gameobject.ID

// Nobody is the zero [GameObject]: a reference to it refers to no object.
const Nobody = gameobject.Nobody

// A Row is the number of a component within its kind.
type Row = layout.Row

// A Kind is a kind of component, or a mark.
type Kind = layout.Kind

// MaxTick is the last tick. A world stays at it.
const MaxTick = manager.MaxTick

// Errors of this package. They come wrapped in an [Error]; test for them with errors.Is.
var (
	ErrTooMany    = gameobject.ErrTooMany    // all game objects are in use
	ErrOutOfRange = gameobject.ErrOutOfRange // the index of the id is beyond this world's
	ErrDead       = gameobject.ErrDead       // the id was disposed, or is of another world
	ErrFull       = manager.ErrFull          // all rows of a kind are in use
	ErrTwice      = manager.ErrTwice         // the object has a component of the kind already
	ErrAbsent     = manager.ErrAbsent        // the object does not have the component
	ErrRemove     = manager.ErrRemove        // ErrAbsent of a component to be removed
	ErrNoKind     = manager.ErrNoKind        // the world does not have the kind
	ErrKindTwice  = manager.ErrKindTwice     // a kind, or a kind's name, is counted twice
	ErrCount      = manager.ErrCount         // a count is negative or too large
	ErrMemory     = manager.ErrMemory        // the counts need more memory than there is
	ErrKinds      = manager.ErrKinds         // more kinds or recipes than allowed
	ErrBytes      = manager.ErrBytes         // bytes that are handed in are too few
	ErrRing       = kin.ErrRing              // a reference of a tree would close a ring
	ErrReferred   = kin.ErrReferred          // others refer to an object by a layout.Refuse
)

// errByteOrder is the error on a big-endian machine.
var errByteOrder = errors.New("flatecs: worlds are little-endian, and this machine is big-endian")

// ErrWalking is the error of a call that is not allowed while a walk is open, or in a task: a
// change of structure, or access by id to a field that the walk writes.
var ErrWalking = errors.New("flatecs: a walk is open; end it first, or record the change with " +
	"Commands, as a task always does; reach what is written through batches")

// A placedError wraps an error without repeating its prefix.
type placedError struct {
	text string
	err  error
}

func (e *placedError) Error() string { return e.text }
func (e *placedError) Unwrap() error { return e.err }

// placed returns an error that wraps err, names the place, and ends in the cure.
func placed(place string, err error, cure string) error {
	return &placedError{prefix + place + ": " + bare(err) + cure, err}
}

// prefix begins every error and panic of the functions that a program calls through world.
const prefix = "flatecs: "

// bare returns the text of an error without prefix.
func bare(err error) string {
	if err == nil {
		return "<nil>"
	}
	return strings.TrimPrefix(err.Error(), prefix)
}

// FindRing returns one of the things of a ring, if there is a ring: above returns what a thing
// refers to, if it refers to one of them. climbed is scratch, an entry per thing. Relations are
// asked by it wherever several references are written at once.
func FindRing(climbed []uint32, above func(thing uint32) (uint32, bool)) (thing uint32, ok bool) {
	if above == nil {
		panic("flatecs: FindRing without a function; give one that returns what a thing refers to")
	}
	return kin.FindRing(climbed, above)
}

// An Error says which call was refused: the kind, the object, the counts and the cure.
type Error = manager.Error
