package systems

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

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
	id := b.create()
	b.add(opCreate, 0, id, false)
	return id
}

// Spawn records that an object is to be created with all that a recipe says, and with other first
// values of its fields. It panics when the world does not know the recipe, and when a value is of
// a kind that the recipe lacks.
func (c Commands) Spawn(r Recipe, values ...layout.FieldValue) GameObject {
	p := c.open().pool(r)
	b := &c.job.commands
	id := b.create()
	b.add(opSpawn, p.number-1, id, false)
	for i := range values {
		v := &values[i]
		p.fills(r, v) // or panics
		at := c.job.recordField(opFill, id, v.Field)
		copy(b.data(at, v.Field.Stride), v.Bytes())
	}
	return id
}

// Copy records that an object is to be created with the kinds, marks and values that another has
// when this is carried out.
func (c Commands) Copy(id GameObject) GameObject {
	b := &c.open().commands
	twin := b.create()
	at := b.next(0)
	b.commands[at] = command{op: opCopy, id: twin}
	buffer.Span[GameObject](b.base, (at*commandSize+headSize)/8, 1)[0] = id
	return twin
}

// Dispose records that an object is to be disposed with every component and mark that it has. One
// that is alive now and gone by then, by an earlier command for instance, is no error.
func (c Commands) Dispose(id GameObject) {
	known := id.Recorded() || c.open().Objects.Alive(id)
	c.job.commands.add(opDispose, 0, id, known)
}

// Add records that a component is to be created and mounted, or the object marked, as [Add] does.
func (c Commands) Add(id GameObject, k Kind) { c.open().record(opAdd, id, k) }

// Remove records that a component is to be disposed, or a mark taken away, as [Remove] does.
func (c Commands) Remove(id GameObject, k Kind) { c.open().record(opRemove, id, k) }

// Put records that a field of an object is to be set; if the object has no component of the field's
// kind, one is added first. It panics when the world has no such kind. The values of a
// [layout.Values] kind are no field: set them after Apply.
func Put[T any](c Commands, id GameObject, f layout.Field[T], value T) {
	recordValue(c.open(), opPut, id, f.Spec(), value)
}

// Replace is [Put] for an object that has the component; one that has none is refused by [Apply],
// with an error that wraps [ErrAbsent].
func Replace[T any](c Commands, id GameObject, f layout.Field[T], value T) {
	recordValue(c.open(), opReplace, id, f.Spec(), value)
}

// Dispose records that object i of b is to be disposed; see [Commands.Dispose]. It panics where
// [Batch.ID] does.
func (b Batch) Dispose(i int) { b.recorder().commands.add(opDispose, 0, b.ID(i), true) }

// Spawn records that an object is to be created; see [Commands.Spawn].
func (b Batch) Spawn(r Recipe, values ...layout.FieldValue) GameObject {
	return Commands{b.recorder()}.Spawn(r, values...)
}

// Add records that object i of b is to get a component or a mark; see [Commands.Add]. It panics
// where [Batch.ID] does.
func (b Batch) Add(i int, k Kind) { b.recorder().record(opAdd, b.ID(i), k) }

// Remove records that object i of b is to lose a component or a mark; see [Commands.Remove]. It
// panics where [Batch.ID] does.
func (b Batch) Remove(i int, k Kind) { b.recorder().record(opRemove, b.ID(i), k) }

// recorder returns the world whose commands b records. It panics when b is the zero Batch.
func (b Batch) recorder() *job {
	b.open()
	return b.job
}

func (j *job) record(op opcode, id GameObject, k Kind) {
	j.commands.add(op, j.Place(k.Spec()), id, false)
}

func recordValue[T any](j *job, op opcode, id GameObject, f *layout.FieldSpec, value T) {
	if f.Kind == nil {
		refuseLoose(f)
	}
	at := j.recordField(op, id, f)
	*buffer.At[T](buffer.BaseOf(j.commands.data(at, f.Stride)), 0) = value
}

// recordField records a command that sets a field, and returns its place. Its data are to be
// written.
func (j *job) recordField(op opcode, id GameObject, f *layout.FieldSpec) (at int) {
	slot, n := j.Place(f.Kind), more(f.Stride)
	b := &j.commands
	at = b.next(n)
	c := &b.commands[at]
	c.op, c.known, c.id = op, false, id
	c.kind, c.field, c.more = uint16(slot), uint16(f.Index), uint16(n)
	return at
}

//go:noinline
func refuseLoose(f *layout.FieldSpec) {
	panic("systems: field " + f.Name + " belongs to no kind; give it to layout.NewKind")
}
