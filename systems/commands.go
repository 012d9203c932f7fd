package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/command"
)

const noCommands = "systems: the zero Commands are of no world; get them by Record"

// Commands records changes of structure, also while a walk is open, for [Apply] to carry out. It
// records what it is told about ids as they are: a dead one is refused by Apply. The buffer grows
// as it is needed, from the room that [Counts] gives. The methods panic when the world has no such
// kind. A Commands is valid as long as its world, and belongs to one goroutine.
//
// The ids that Create, Spawn and Copy return stand for objects that Apply creates. Until then they
// serve in commands and wherever a [GameObject] can be put: in fields, resources and events. Apply
// puts the real id in their place, or nobody where the creation was refused. Go variables, and what
// is written through a [View], stay as they are: [Applied] tells the real id.
type Commands struct{ job *job }

// Record returns the commands of a world. It does not use s up, and neither does recording.
func Record(s State) Commands { return Commands{s.use()} }

// Create records that an object is to be created, without components.
func (c Commands) Create() GameObject {
	b := &c.open().commands
	id := b.NewID()
	b.Record(command.Create, 0, id, false)
	return id
}

// Spawn records that an object is to be created with all that a recipe says, and with other first
// values of its fields. It panics when the world does not know the recipe, and when a value is of
// a kind that the recipe lacks.
func (c Commands) Spawn(r Recipe, values ...layout.FieldValue) GameObject {
	p := c.open().pool(r)
	b := &c.job.commands
	id := b.NewID()
	b.Record(command.Spawn, p.Place, id, false)
	for i := range values {
		v := &values[i]
		p.CheckFills(v) // or panics
		copy(c.job.recordField(command.Fill, id, v.Field), v.Bytes())
	}
	return id
}

// Copy records that an object is to be created with the kinds, marks and values that another has
// when this is carried out.
func (c Commands) Copy(id GameObject) GameObject { return c.open().commands.RecordCopy(id) }

// Dispose records that an object is to be disposed with every component and mark that it has. One
// that is alive now and gone by then, by an earlier command for instance, is no error.
func (c Commands) Dispose(id GameObject) {
	known := id.Recorded() || c.open().Objects.Alive(id)
	c.job.commands.Record(command.Dispose, 0, id, known)
}

// Add records that a component is to be created and mounted, or the object marked, as [Add] does.
func (c Commands) Add(id GameObject, k Kind) { c.open().record(command.Add, id, k) }

// Remove records that a component is to be disposed, or a mark taken away, as [Remove] does.
func (c Commands) Remove(id GameObject, k Kind) { c.open().record(command.Remove, id, k) }

// Put records that a field of an object is to be set; if the object has no component of the field's
// kind, one is added first. It panics when the world has no such kind. The values of a
// [layout.Values] kind are no field: set them after Apply.
func Put[T any](c Commands, id GameObject, f layout.Field[T], value T) {
	recordValue(c.open(), command.Put, id, f.Spec(), value)
}

// Replace is [Put] for an object that has the component; one that has none is refused by [Apply],
// with an error that wraps [ErrAbsent].
func Replace[T any](c Commands, id GameObject, f layout.Field[T], value T) {
	recordValue(c.open(), command.Replace, id, f.Spec(), value)
}

// Dispose records that object i of b is to be disposed; see [Commands.Dispose]. It panics where
// [Batch.ID] does.
func (b Batch) Dispose(i int) { b.recorder().commands.Record(command.Dispose, 0, b.ID(i), true) }

// Spawn records that an object is to be created; see [Commands.Spawn].
func (b Batch) Spawn(r Recipe, values ...layout.FieldValue) GameObject {
	return Commands{b.recorder()}.Spawn(r, values...)
}

// Add records that object i of b is to get a component or a mark; see [Commands.Add]. It panics
// where [Batch.ID] does.
func (b Batch) Add(i int, k Kind) { b.recorder().record(command.Add, b.ID(i), k) }

// Remove records that object i of b is to lose a component or a mark; see [Commands.Remove]. It
// panics where [Batch.ID] does.
func (b Batch) Remove(i int, k Kind) { b.recorder().record(command.Remove, b.ID(i), k) }

// open returns the world that c is of. It panics when c are the zero Commands.
func (c Commands) open() *job {
	if c.job == nil {
		panic(noCommands)
	}
	return c.job
}

// recorder returns the world whose commands b records. It panics when b is the zero Batch.
func (b Batch) recorder() *job {
	b.open()
	return b.job
}

func (j *job) record(op command.Op, id GameObject, k Kind) {
	j.commands.Record(op, j.Place(k.Spec()), id, false)
}

func recordValue[T any](j *job, op command.Op, id GameObject, f *layout.FieldSpec, value T) {
	*buffer.At[T](buffer.BaseOf(j.recordField(op, id, f)), 0) = value
}

// recordField records a command that sets a field, and returns where its value is to be written.
func (j *job) recordField(op command.Op, id GameObject, f *layout.FieldSpec) []byte {
	if f.Kind == nil {
		panicLoose(f)
	}
	return j.commands.RecordField(op, j.Place(f.Kind), id, f)
}

//go:noinline
func panicLoose(f *layout.FieldSpec) {
	panic("systems: field " + f.Name + " belongs to no kind; give it to layout.NewKind")
}

// Apply carries out what was recorded since the last Apply, in that order, and forgets it. Like
// commands in a row are carried out block by block. A command that is refused changes nothing, and
// the others go on: the error is an [ApplyError]. Ids that the commands handed out become those of
// the objects that were created, wherever they were put. While a walk is open, nothing is carried
// out and nothing forgotten: the error wraps [ErrWalking].
func Apply(s State) (State, error) { return apply(s, false) }

// ApplyKeeping is [Apply] for a world that can be enlarged: what is refused for want of room stays
// recorded, with what was recorded about objects that were to be created then. It is carried out by
// the next Apply, in this world or in a [Resized] one.
func ApplyKeeping(s State) (State, error) { return apply(s, true) }

func apply(s State, keeping bool) (State, error) {
	j := s.use()
	if j.fixed() {
		return s, ErrWalking
	}
	recorded, refusals := j.commands.Apply(j.Arena, j.pools.counted, keeping)
	if len(refusals) == 0 {
		return s.done(), nil
	}
	e := &ApplyError{Recorded: recorded, Refused: make([]*CommandError, len(refusals))}
	for i, r := range refusals {
		e.Refused[i] = (*CommandError)(r)
	}
	return s.done(), e
}

// Applied returns the object that the last [Apply] created for an id that was recorded. The error
// wraps [ErrDead] when its creation was refused, or is not of the last Apply.
func Applied(s State, id GameObject) (GameObject, error) {
	j := s.look()
	if made, ok := j.root().commands.Made(id); ok {
		return made, nil
	}
	return gameobject.Nobody, j.refuse(id)
}

// An ApplyError says which recorded commands [Apply] refused. errors.Is and errors.As look through
// all of them.
type ApplyError struct {
	Recorded int             // commands that there were
	Refused  []*CommandError // in the order in which they were recorded
}

// Unwrap returns the error of each command that was refused.
func (e *ApplyError) Unwrap() []error {
	if e == nil {
		return nil
	}
	list := make([]error, len(e.Refused))
	for i, r := range e.Refused {
		list[i] = r
	}
	return list
}

// Error says how many commands were refused, and names the first.
func (e *ApplyError) Error() string {
	if e == nil || len(e.Refused) == 0 {
		return "systems: no recorded command was refused"
	}
	return fmt.Sprintf("systems: %d of %d recorded commands refused; the first is %s",
		len(e.Refused), e.Recorded, e.Refused[0].text())
}

// A CommandError says which recorded command [Apply] refused, and why.
type CommandError struct {
	Err     error      // most often an [Error]
	Command string     // "create", "spawn", "copy", "dispose", "add", "remove", "replace" or "put"
	Number  int        // of the command since the last Apply, from 0
	ID      GameObject // as recorded; Nobody for create, spawn and copy
	Kind    string     // of component, or the recipe; empty for create, copy and dispose
	Kept    bool       // it is still recorded; see ApplyKeeping
}

// Unwrap returns e.Err.
func (e *CommandError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Error names the command and the object, and says what e.Err says.
func (e *CommandError) Error() string { return "systems: " + e.text() }

func (e *CommandError) text() string {
	if e == nil {
		return "no recorded command was refused"
	}
	return fmt.Sprintf("command %d, %s%s%s: %v", e.Number, e.Command, e.kind(), e.object(), e.Err)
}

func (e *CommandError) kind() string {
	if e.Kind == "" {
		return ""
	}
	return " " + layout.Quoted(e.Kind)
}

func (e *CommandError) object() string {
	switch {
	case e.ID == 0:
		return ""
	case e.ID.Recorded():
		return fmt.Sprintf(", created game object %d", e.ID.Index())
	}
	return fmt.Sprintf(", game object %v", e.ID)
}
