package manager

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Errors of this package. They come wrapped in an [Error]; test for them with errors.Is.
//
//nolint:revive,staticcheck // the first are sentences, as users of other libraries know them
var (
	ErrFull      = errors.New("Too many components in existence.")
	ErrTwice     = errors.New("Component added to same entity more than once.")
	ErrAbsent    = errors.New("Retrieving non-existent component.")
	ErrRemove    = error(new(removing)) // wraps ErrAbsent
	ErrNoKind    = errors.New("Component not registered before use.")
	ErrKindTwice = errors.New("Registering component type more than once.")
	ErrCount     = errors.New("the count is out of range")
	ErrMemory    = errors.New("there is not enough memory")
	ErrBytes     = errors.New("there are too few bytes")
	ErrKinds     = errors.New("there are too many kinds")
)

// removing is the error of removing what is absent.
type removing struct{}

func (*removing) Error() string { return "Removing non-existent component." }

func (*removing) Unwrap() error { return ErrAbsent }

// An Error says which call was refused: the kind, the object, the counts and the cure.
type Error struct {
	Err   error         // one of the errors of this package or of gameobject
	Kind  string        // the kind of component, or "game object"
	ID    gameobject.ID // the object, or 0: nobody
	Count int           // rows of the kind, or objects, in this world; or the refused count
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Error names the kind, the object, the counts and the cure.
func (e *Error) Error() string {
	kind := layout.Quoted(e.Kind)
	switch {
	case errors.Is(e.Err, ErrFull):
		return fmt.Sprintf("flatecs: %s: all %d rows in use; raise %s", kind, e.Count,
			e.counted())
	case errors.Is(e.Err, gameobject.ErrTooMany):
		return fmt.Sprintf("flatecs: game object: all %d in use; raise Counts.GameObjects: %v",
			e.Count, e.Err)
	case errors.Is(e.Err, gameobject.ErrOutOfRange):
		return fmt.Sprintf("flatecs: game object %v: this world has %d; "+
			"use an id that it returned: %v",
			e.ID, e.Count, e.Err)
	case errors.Is(e.Err, gameobject.ErrDead) && e.ID.Recorded():
		return e.notCreated()
	case errors.Is(e.Err, gameobject.ErrDead):
		return fmt.Sprintf("flatecs: game object %v was disposed, or is of another world; "+
			"use the id that create returned, and drop it at dispose", e.ID)
	case errors.Is(e.Err, ErrNoKind):
		return fmt.Sprintf("flatecs: %s: %v Add its Count to Counts.Kinds.", kind, e.Err)
	case errors.Is(e.Err, ErrKindTwice):
		return fmt.Sprintf("flatecs: %s: %v Count each kind once, and give each a name of its own.",
			kind, e.Err)
	case errors.Is(e.Err, ErrCount):
		return fmt.Sprintf("flatecs: %s: a count of %d is not between 0 and %d", kind, e.Count,
			MaxRows)
	case errors.Is(e.Err, ErrBytes):
		return fmt.Sprintf("flatecs: %s: %v: %d are handed in; hand in as many as Size says, "+
			"from a multiple of 64 on", kind, e.Err, e.Count)
	case errors.Is(e.Err, ErrKinds):
		return fmt.Sprintf("flatecs: %d kinds or recipes are counted; "+
			"%d are the most that a world can have", e.Count, maxKinds)
	case errors.Is(e.Err, ErrMemory):
		return fmt.Sprintf("flatecs: %s: %v: %d bytes are more than this machine has "+
			"for this program; lower the counts", kind, e.Err, e.Count)
	}
	return fmt.Sprintf("flatecs: %s of game object %v: %v %s", kind, e.ID, e.Err, cure(e.Err))
}

// notCreated says what an id stands for that is of no object yet.
func (e *Error) notCreated() string {
	if e.ID.Origin() == gameobject.Members {
		return fmt.Sprintf("flatecs: %v stands for member %d of a tree; give it to the Values of "+
			"a Tree alone", e.ID, e.ID.Index())
	}
	return fmt.Sprintf("flatecs: %v stands for a recorded creation; call Apply and use the id "+
		"that Applied returns, or record this too", e.ID)
}

// counted names the count that sizes e.Kind.
func (e *Error) counted() string {
	if e.Kind == "name" {
		return "Counts.Names"
	}
	if e.Kind == "global" {
		return "Counts.Globals"
	}
	return fmt.Sprintf("its Count in Counts.Kinds "+
		"(a large enough count at creation is all that %s needs)",
		layout.Quoted(e.Kind))
}

func cure(err error) string {
	if errors.Is(err, ErrTwice) {
		return "Remove it first, or set its values."
	}
	return "Ask with Has first, or add it."
}

//go:noinline
func (m *Manager) refuse(err error, object uint32) error {
	id := gameobject.MakeID(object, 0)
	if m.Objects != nil {
		id = m.Objects.At(object)
	}
	return &Error{err, m.Kind.Name, id, len(m.objects)}
}
