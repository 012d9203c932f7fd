package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

const noCommands = "flatecs: the zero Commands belong to no world; get them by Record"

// Commands records changes of structure for [Apply] to carry out, also while a walk is open.
// Recording does not check ids. Apply refuses commands on objects that are dead by then, and
// commands that refer to a dead object by a relation; the error wraps [ErrDead]. [Counts] gives the
// initial room of the buffer, which grows when needed. The methods panic if the world does not have
// the kind. A Commands is valid as long as its world, and belongs to one goroutine.
//
// The ids that Create, Spawn and Copy return stand for objects that Apply will create. Until then
// they can be used in commands, and wherever a [GameObject] can be stored: in fields, resources and
// events. Apply replaces them there by the real ids, or by nobody if the creation was refused; a
// command that refers by a relation to an object whose creation was refused is refused too. It
// does not replace ids in Go variables, or ids written through a [View]; use [Applied] for those.
type Commands struct{ job *job }

// Record returns the commands of a world. The State s stays valid.
func Record(s State) Commands { return Commands{s.use()} }

// Create records the creation of an object without components.
func (c Commands) Create() GameObject {
	b := &c.open().records.commands
	id := b.Births.NewID()
	b.Record(command.Create, 0, id, false)
	return id
}

// Spawn records the creation of an object by a recipe, with values that replace the recipe's. It
// panics if the world does not know the recipe, or if a value belongs to a list, or to a kind that
// the recipe lacks: append to lists by package list. If a value refers to a dead object by a
// relation, Apply refuses the whole command.
func (c Commands) Spawn(r Recipe, values ...layout.FieldValue) GameObject {
	p := c.open().world.pools.of(r)
	return c.job.records.commands.Spawn(p, values)
}

// Copy records the creation of a copy of id, as it is when Apply runs.
func (c Commands) Copy(id GameObject) GameObject { return c.open().records.commands.RecordCopy(id) }

// Dispose records the disposal of an object with all its components and marks. An object that is
// disposed before Apply runs is no error.
func (c Commands) Dispose(id GameObject) {
	known := c.open().finding.isAlive(id) || id.Recorded()
	c.job.records.commands.Record(command.Dispose, 0, id, known)
}

// Add records the addition of a component or a mark.
func (c Commands) Add(id GameObject, k layout.AnyKind) {
	c.open().records.record(command.Add, id, k)
}

// Remove records the removal of a component or a mark.
func (c Commands) Remove(id GameObject, k layout.AnyKind) {
	c.open().records.record(command.Remove, id, k)
}

// Put records a new value for a field of an object. If the object does not have the field's kind,
// Apply adds the kind first. It panics if the world does not have the kind. The values of a
// [layout.Values] kind are not fields: set them after Apply.
func Put[T any](c Commands, id GameObject, f layout.Field[T], value T) {
	place := c.open().records.recordField(command.Put, id, f.Spec())
	*buffer.At[T](buffer.BaseOf(place), 0) = value
}

// Dispose records the disposal of object i of b; see [Commands.Dispose]. It panics like [Batch.ID].
func (b Batch) Dispose(i int) {
	b.recorder().records.commands.Record(command.Dispose, 0, b.ID(i), true)
}

// Spawn records the creation of an object; see [Commands.Spawn].
func (b Batch) Spawn(r Recipe, values ...layout.FieldValue) GameObject {
	return Commands{b.recorder()}.Spawn(r, values...)
}

// Add records the addition of a component or a mark to object i of b; see [Commands.Add]. It panics
// like [Batch.ID].
func (b Batch) Add(i int, k layout.AnyKind) { b.recorder().records.record(command.Add, b.ID(i), k) }

// Remove records the removal of a component or a mark from object i of b; see [Commands.Remove]. It
// panics like [Batch.ID].
func (b Batch) Remove(i int, k layout.AnyKind) {
	b.recorder().records.record(command.Remove, b.ID(i), k)
}

// Records are the commands that a goroutine records.
type records struct {
	commands command.Buffer
	kinds    *kind.Table
	parent   layout.FieldValue // of the seed being recorded
	unfilled []byte            // of the values of its recipe's kinds, in commands
}

// open returns the world of c. It panics if c is the zero Commands.
func (c Commands) open() *job {
	if c.job == nil {
		panic(noCommands)
	}
	return c.job
}

// recorder returns the world whose commands b records. It panics if b is the zero Batch, or was
// used after its turn.
func (b Batch) recorder() *job {
	b.open()
	return b.job
}

func (r *records) record(op command.Op, id GameObject, k layout.AnyKind) {
	r.commands.Record(op, r.kinds.Place(specOf(k)), id, false)
}

// recordField records a command that sets a field, and returns the place to write its value.
func (r *records) recordField(op command.Op, id GameObject, f *layout.FieldSpec) []byte {
	if f.Kind == nil {
		panicLoose(f)
	}
	return r.commands.RecordField(op, r.kinds.Place(f.Kind), id, f)
}

//go:noinline
func panicLoose(f *layout.FieldSpec) {
	panic("flatecs: field " + f.Name + " belongs to no kind; give it to layout.NewKind")
}

// Apply carries out the commands recorded since the last Apply, in order, and empties the buffer.
// Runs of similar commands are carried out block by block. A command that is refused changes
// nothing, and the others are still carried out; the error is an [ApplyError]. Ids that commands
// returned are replaced by the ids of the created objects, wherever they were stored. After the
// disposal of an object, every later command about the object or with a reference to it is refused
// with [ErrDead], except a second disposal, which does nothing. Objects that others refer to by a
// relation are disposed last, by the [layout.Policy] of the relation. While a walk is open, Apply
// changes and drops nothing: the error wraps [ErrWalking].
func Apply(s State) (State, error) { return apply(s, false) }

// ApplyKeeping is [Apply] for a world that can be enlarged: commands that are refused because the
// world is full stay recorded, and so do commands about the objects they would have created. The
// next Apply carries them out, in this world or in a [Resized] one.
func ApplyKeeping(s State) (State, error) { return apply(s, true) }

func apply(s State, keeping bool) (State, error) {
	j := s.use()
	if j.fixed() {
		return s, whileWalking(j)
	}
	w := &j.world
	recorded, refusals := j.records.commands.Apply(w.arena, w.pools.counted, w.kin, keeping)
	if len(refusals) == 0 {
		return s.reshaped(), nil
	}
	e := &ApplyError{Recorded: recorded, Refused: make([]*CommandError, len(refusals))}
	for i, r := range refusals {
		e.Refused[i] = (*CommandError)(r)
	}
	return s.reshaped(), e
}

// Applied returns the object that the last [Apply] created for a recorded id. The error wraps
// [ErrDead] if the creation was refused, or was not part of the last Apply, or if [Restore], a file
// or a delta replaced the world's bytes since.
func Applied(s State, id GameObject) (GameObject, error) {
	j := s.look()
	if made, ok := j.world.recorded.Births.Made(id); ok {
		return made, nil
	}
	if !id.Recorded() {
		return gameobject.Nobody, &placedError{prefix + id.String() + " stands for no recorded " +
			"creation; give an id that a recorded Create, Spawn or Copy returned", ErrDead}
	}
	return gameobject.Nobody, &placedError{prefix + fateOf(j.world.recorded, id), ErrDead}
}

// fateOf describes the result of the creation that a recorded id stands for.
//
//go:noinline
func fateOf(c *command.Buffer, id GameObject) string {
	text := id.String() + " stands for a recorded creation"
	switch made, ok := c.Births.Made(id); {
	case ok:
		return text + ", " + made.String() + " since Apply; use the id that Applied returns"
	case command.Waits(&c.Births, id):
		return text + ", and Apply was not called yet; call it, and use the id that Applied returns"
	}
	return text + " that was refused, or was not part of the last Apply; record it again"
}

// An ApplyError lists the recorded commands that [Apply] refused. errors.Is and errors.As search
// all of them.
type ApplyError struct {
	Recorded int             // number of commands
	Refused  []*CommandError // in recording order
}

// Unwrap returns the error of each refused command.
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

// Error says how many commands were refused, and describes the first.
func (e *ApplyError) Error() string {
	if e == nil || len(e.Refused) == 0 {
		return "flatecs: no recorded command was refused"
	}
	return fmt.Sprintf("flatecs: %d of %d recorded commands refused; the first is %s",
		len(e.Refused), e.Recorded, e.Refused[0].text())
}

// A CommandError describes one recorded command that [Apply] refused.
type CommandError struct {
	Err     error      // most often an [Error]
	Command string     // "create", "spawn", "spawn with", "copy", "dispose", "add" and so on
	Number  int        // number of the command since the last Apply, from 0
	ID      GameObject // as recorded; 0, nobody, for create, spawn and copy
	Kind    string     // the kind, or for "spawn" the recipe; empty for create, copy and dispose
	Kept    bool       // still recorded; see ApplyKeeping
}

// Unwrap returns e.Err.
func (e *CommandError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Error names the command and the object, and includes the text of e.Err.
func (e *CommandError) Error() string { return "flatecs: " + e.text() }

func (e *CommandError) text() string {
	if e == nil {
		return "no recorded command was refused"
	}
	return fmt.Sprintf("command %d, %s%s%s: %s", e.Number, e.Command, e.kind(), e.object(),
		bare(e.Err))
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
