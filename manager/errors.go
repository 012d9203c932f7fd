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
	ErrRemove    = error(&PlainError{"Removing non-existent component.", ErrAbsent})
	ErrNoKind    = errors.New("Component not registered before use.")
	ErrKindTwice = errors.New("Registering component type more than once.")
	ErrCount     = errors.New("the count is out of range")
	ErrMemory    = errors.New("there is not enough memory")
	ErrBytes     = errors.New("there are too few bytes")
	ErrKinds     = errors.New("there are too many kinds")
	ErrBeside    = error(&PlainError{"is on no object; reach a resource of Counts.Resources " +
		"by Resource and SetResource, and events by Send and Receive", ErrNoKind})
)

// ClashOf returns an error that names two kinds with the same name. It wraps ErrKindTwice.
func ClashOf(one, other *layout.KindSpec) *PlainError {
	return &PlainError{"flatecs: " + layout.Quoted(one.Name) + ": " + ErrKindTwice.Error() + " " +
		one.Clash(other), ErrKindTwice}
}

// A PlainError is an error that wraps another error and has the whole text.
type PlainError struct {
	Text string
	Of   error
}

func (s *PlainError) Error() string { return s.Text }

// Unwrap returns s.Of.
func (s *PlainError) Unwrap() error { return s.Of }

// An Error describes a refused call: the kind, the object, the counts and the fix.
type Error struct {
	Err   error         // one of the errors of this package or of gameobject
	Kind  string        // the kind of component, or "game object"
	ID    gameobject.ID // the object, or 0: nobody
	Count int           // rows of the kind, or objects, in this world; or the refused count
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// The sentences of errors, with the kind, the count, the id, the cause, the count that sizes the
// kind, the most kinds, and the most rows.
var sentences = [...]struct {
	err  *error
	text string
}{
	{&ErrFull, "%[1]s: all %[2]d rows in use; raise %[5]s"},
	{&gameobject.ErrTooMany, "game object: %[4]v All %[2]d are in use; raise Counts.GameObjects"},
	{&gameobject.ErrOutOfRange, "game object %[3]v: %[4]v This world has %[2]d; " +
		"use an id that it returned"},
	{&gameobject.ErrDead, "game object %[3]v was disposed, or belongs to another world; " +
		"ask Alive first"},
	{&ErrBeside, "%[1]s %[4]v"},
	{&ErrNoKind, "this world has no kind %[1]s: %[4]v Name it in Counts.Kinds."},
	{&ErrKindTwice, "%[1]s: %[4]v Count each kind once."},
	{&ErrCount, "%[1]s: a count of %[2]d is not between 0 and %[7]d; give one that is"},
	{&ErrBytes, "%[1]s: %[4]v: %[2]d are handed in; hand in as many as Size says, " +
		"from a multiple of 64 on"},
	{&ErrKinds, "Counts names %[2]d kinds or recipes; name %[6]d at most"},
	{&ErrMemory, "%[1]s: %[4]v: %[2]d bytes are more than this machine has " +
		"for this program; lower the counts"},
	{&ErrTwice, "%[1]s of game object %[3]v: %[4]v Remove it first, or set its values."},
}

// Error names the kind, the object, the counts and the fix.
func (e *Error) Error() string {
	if (e.ID.Recorded() || e.ID == 0) && errors.Is(e.Err, gameobject.ErrDead) {
		return e.noObject()
	}
	text := "%[1]s of game object %[3]v: %[4]v Ask with Has first, or add it."
	for i := range sentences {
		if s := &sentences[i]; errors.Is(e.Err, *s.err) {
			text = s.text
			break
		}
	}
	return fmt.Sprintf("flatecs: "+text, layout.Quoted(e.Kind), e.Count, e.ID, e.Err,
		e.counted(), maxKinds, MaxRows)
}

// noObject describes an id that is never the id of an object.
func (e *Error) noObject() string {
	switch {
	case e.ID == 0:
		return "flatecs: game object Nobody, the zero id, was never created; use one that was"
	case e.ID.Origin() == gameobject.Members:
		return fmt.Sprintf("flatecs: %v stands for member %d of a tree; give it to the Values of "+
			"a Tree alone", e.ID, e.ID.Index())
	}
	return fmt.Sprintf("flatecs: %v stands for a recorded creation; call Apply, and use the id "+
		"that Applied returns", e.ID)
}

// counted names the count that sizes e.Kind.
func (e *Error) counted() string {
	if e.Kind == "name" {
		return "Counts.Names"
	}
	if e.Kind == "global" {
		return "Counts.Globals"
	}
	return "its Count in Counts.Kinds at creation"
}

//go:noinline
func refuse(m *Manager, err error, object uint32) error {
	return refusal(m, err, m.Objects.At(object))
}

func refusal(m *Manager, err error, id gameobject.ID) error {
	if m.Kind.Beside != "" {
		err = ErrBeside
	}
	return &Error{err, m.Kind.Name, id, m.Rows.Cap()}
}
