package systems

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/kind"
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
	ErrDead       = gameobject.ErrDead       // the id was disposed, or belongs to another world
	ErrFull       = manager.ErrFull          // all rows of a kind are in use
	ErrTwice      = manager.ErrTwice         // the object has a component of the kind already
	ErrAbsent     = manager.ErrAbsent        // the object does not have the component
	ErrRemove     = manager.ErrRemove        // ErrAbsent of a component to be removed
	ErrNoKind     = manager.ErrNoKind        // the world does not have the kind
	ErrKindTwice  = manager.ErrKindTwice     // a kind, or a name of kinds or recipes, twice
	ErrCount      = manager.ErrCount         // a count is negative or too large
	ErrMemory     = manager.ErrMemory        // the counts need more memory than there is
	ErrKinds      = manager.ErrKinds         // more kinds or recipes than allowed
	ErrBytes      = manager.ErrBytes         // the caller's bytes are too few
	ErrRing       = kin.ErrRing              // a reference of a tree would close a ring
	ErrReferred   = kin.ErrReferred          // others refer to an object by a layout.Refuse
	ErrWalking    = errWalking               // an open walk, or a task, forbids the call
)

// errWalking is the error of a change of structure, and of access by id to a field that the walk
// writes. The error that wraps it names the call and the query.
var errWalking = errors.New("flatecs: a walk is open; end it first, or record the change with " +
	"Commands, as a task always does; access written fields through batches")

// errByteOrder is the error on big-endian machines.
var errByteOrder = errors.New("flatecs: worlds are little-endian, and this machine is big-endian")

// ErrOther is the error for a snapshot or world with different counts, kinds, recipes or watchers.
var ErrOther = errors.New("it belongs to a world with other counts")

// An Error describes a refused call: the kind, the object, the counts and the fix.
type Error = manager.Error

// A placedError wraps an error without repeating its prefix.
type placedError struct {
	text string
	err  error
}

func (e *placedError) Error() string { return e.text }

func (e *placedError) Unwrap() error { return e.err }

// placed returns an error that wraps err, names the place, and ends in the fix.
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

// A PanicError is the panic value of [RunTasks] after a panic in a task.
type PanicError struct {
	Name  string // of the system, from Task.Names, or "task 3"
	Value any    // of the panic
	Stack string // of the goroutine, from where it panicked
}

// Error returns the text of Cause and, below it, the stack, as a crashing program prints them.
func (p *PanicError) Error() string {
	if p == nil {
		return p.Cause()
	}
	return p.Cause() + "\n\n" + p.Stack
}

// Cause describes the panic, and its system, in one line.
func (p *PanicError) Cause() string {
	if p == nil {
		return "flatecs: no task panicked"
	}
	text := fmt.Sprint(p.Value)
	if inner, ok := p.Value.(*PanicError); ok {
		text = inner.Cause()
	}
	return "flatecs: " + p.Name + ": " + strings.TrimPrefix(text, "flatecs: ")
}

// Unwrap returns the value of the panic if that is an error, or else nil.
func (p *PanicError) Unwrap() error {
	if p == nil {
		return nil
	}
	err, _ := p.Value.(error)
	return err
}

// PanicOf describes a recovered panic by the name of the function that panicked, the value, and the
// stack. If value is a [PanicError], the stack is that of value. Call it in the function that
// recovers.
func PanicOf(name string, value any) *PanicError {
	if inner, ok := value.(*PanicError); ok {
		return &PanicError{Name: name, Value: value, Stack: inner.Stack}
	}
	return &PanicError{Name: name, Value: value, Stack: StackOfPanic()}
}

// StackOfPanic returns the stack of the goroutine at its panic, without the calls made since. Call
// it in the function that recovers.
func StackOfPanic() string {
	const most = 64 << 10
	text := make([]byte, most)
	stack := string(text[:runtime.Stack(text, false)])
	if _, below, ok := strings.Cut(stack, "\npanic("); ok {
		if lines := strings.SplitN(below, "\n", 3); len(lines) == 3 {
			return lines[2] // without the call of panic and its place
		}
	}
	return stack
}

// FindRing returns a member of a ring of references, if there is a ring. above returns the thing to
// which a thing refers, if any; climbed is scratch, with an entry per thing. Calls that write
// several references of a relation at once use FindRing.
func FindRing(climbed []uint32, above func(thing uint32) (uint32, bool)) (thing uint32, ok bool) {
	if above == nil {
		panic("flatecs: FindRing with a nil function; pass one that returns what a thing refers to")
	}
	return kin.FindRing(climbed, above)
}

// specOf returns the declaration of a kind, or the kind of a field.
func specOf(k layout.AnyKind) *layout.KindSpec {
	if k, ok := k.(Kind); ok { // the fast path for a Kind
		return k.Spec()
	}
	return kind.Of(k)
}

// inRow returns a pointer to a field in an existing row.
func inRow[T any](m *manager.Manager, f layout.Field[T], row Row) *T {
	return buffer.At[T](m.Data.Columns[f.Spec().Index].Base, int(row))
}
