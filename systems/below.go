package systems

import (
	"errors"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// GameObject names a game object (an entity elsewhere). The zero GameObject is nobody.
type GameObject = gameobject.ID

// A Row is the number of a component within its kind.
type Row = layout.Row

// A Kind is a kind of component, or a mark.
type Kind = layout.Kind

// MaxTick is the last tick: a world that has come to it stays there.
const MaxTick = manager.MaxTick

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
var errByteOrder = errors.New("systems: a world's bytes are little-endian, and this machine is not")

// ErrWalking is the error of what may not be done while a walk is open, or in a task: changes of
// structure, and looking up by id a field that the walk writes.
var ErrWalking = errors.New("systems: a walk is open; end it first, or record the change with " +
	"Commands, as a task always does; reach what is written through batches")

// An Error says what was refused, of which kind, to whom, and how to cure it.
type Error = manager.Error
