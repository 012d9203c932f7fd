package systems

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// Commands records changes of structure for [Apply] to carry out, also while a walk is open. It
// does not check ids when recording; Apply refuses dead ones. The buffer has the room that [Counts]
// gives, and grows when needed. The methods panic if the world does not have the kind. A Commands
// is valid as long as its world, and belongs to one goroutine.
//
// The ids that Create, Spawn and Copy return stand for objects that Apply will create. Until then
// they can be used in commands, and wherever a [GameObject] can be stored: in fields, resources and
// events. Apply replaces them there by the real ids, or by nobody if the creation was refused. It
// does not replace ids in Go variables, or ids written through a [View]; use [Applied] for those.
type Commands struct{ job *job }

// Record returns the commands of a world. Neither Record nor recording uses s up.
func Record(s State) Commands { return Commands{s.use()} }

// Create records the creation of an object without components.
func (c Commands) Create() GameObject {
	b := &c.open().commands
	id := b.create()
	b.add(opCreate, 0, id, false)
	return id
}

// Spawn records the creation of an object by a recipe, with other first values for some fields. It
// panics if the world does not know the recipe, or if a value is of a kind that the recipe lacks.
func (c Commands) Spawn(r Recipe, values ...layout.FieldValue) GameObject {
	p := c.open().pool(r)
	b := &c.job.commands
	id := b.create()
	b.add(opSpawn, p.number-1, id, false)
	for i := range values {
		v := &values[i]
		p.fills(r, v) // panics if not
		at := c.job.recordField(opFill, id, v.Field)
		copy(b.data(at, v.Field.Stride), v.Bytes())
	}
	return id
}

// Copy records the creation of an object with the kinds, marks and values that another object has
// when the command is carried out.
func (c Commands) Copy(id GameObject) GameObject {
	b := &c.open().commands
	twin := b.create()
	at := b.next(0)
	b.commands[at] = command{op: opCopy, id: twin}
	buffer.Span[GameObject](b.base, (at*commandSize+headSize)/8, 1)[0] = id
	return twin
}

// Dispose records the disposal of an object with all its components and marks. It is no error if
// the object is alive now but is disposed before the command is carried out.
func (c Commands) Dispose(id GameObject) {
	known := id.Recorded() || c.open().Objects.Alive(id)
	c.job.commands.add(opDispose, 0, id, known)
}

// Add records that a component is created and mounted, or the object marked, as by [Add].
func (c Commands) Add(id GameObject, k Kind) { c.open().record(opAdd, id, k) }

// Remove records that a component or mark is removed, as by [Remove].
func (c Commands) Remove(id GameObject, k Kind) { c.open().record(opRemove, id, k) }

// Put records that a field of an object is set. If the object does not have the field's kind, it is
// added first. It panics if the world does not have the kind. The values of a [layout.Values] kind
// are not fields: set them after Apply.
func Put[T any](c Commands, id GameObject, f layout.Field[T], value T) {
	recordValue(c.open(), opPut, id, f.Spec(), value)
}

// Replace is [Put] for an object that has the component. If it does not, [Apply] refuses the
// command with an error that wraps [ErrAbsent].
func Replace[T any](c Commands, id GameObject, f layout.Field[T], value T) {
	recordValue(c.open(), opReplace, id, f.Spec(), value)
}

// Dispose records the disposal of object i of b; see [Commands.Dispose]. It panics like [Batch.ID].
func (b Batch) Dispose(i int) { b.open().job.commands.add(opDispose, 0, b.ID(i), true) }

// Spawn records the creation of an object; see [Commands.Spawn].
func (b Batch) Spawn(r Recipe, values ...layout.FieldValue) GameObject {
	return Commands{b.open().job}.Spawn(r, values...)
}

// Add records that object i of b gets a component or a mark; see [Commands.Add]. It panics like
// [Batch.ID].
func (b Batch) Add(i int, k Kind) { b.open().job.record(opAdd, b.ID(i), k) }

// Remove records that object i of b loses a component or a mark; see [Commands.Remove]. It panics
// like [Batch.ID].
func (b Batch) Remove(i int, k Kind) { b.open().job.record(opRemove, b.ID(i), k) }

func (j *job) record(op opcode, id GameObject, k Kind) {
	j.commands.add(op, j.slot(k.Spec()), id, false)
}

func recordValue[T any](j *job, op opcode, id GameObject, f *layout.FieldSpec, value T) {
	if f.Kind == nil {
		refuseLoose(f)
	}
	at := j.recordField(op, id, f)
	*buffer.At[T](buffer.BaseOf(j.commands.data(at, f.Stride)), 0) = value
}

// recordField records a command that sets a field, and returns its index. The caller writes the
// data.
func (j *job) recordField(op opcode, id GameObject, f *layout.FieldSpec) (at int) {
	slot, n := j.slot(f.Kind), more(f.Stride)
	b := &j.commands
	at = b.next(n)
	c := &b.commands[at]
	c.op, c.known, c.id = op, false, id
	c.kind, c.field, c.more = uint16(slot), uint16(f.Index), uint16(n)
	return at
}

// slot returns the index of a kind's manager. It panics if the world does not have the kind.
func (j *job) slot(k *layout.KindSpec) int {
	slot := j.Slot(k)
	if uint(slot) >= uint(j.root().kinds) {
		panic(j.unknown(k))
	}
	return slot
}

//go:noinline
func refuseLoose(f *layout.FieldSpec) {
	panic("flatecs: field " + f.Name + " belongs to no kind; give it to layout.NewKind")
}
