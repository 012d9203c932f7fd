// Package command records future changes, and carries them out.
//
//	command  0          1                     2            3
//	bytes    op … id    op … id │ value 16    … value 32   op … id       32 each
//	         create     put, more = 1: its value continues in the next     dispose
//
// Consecutive spawns of one recipe with values for the same fields are a run: a head that names the
// fields, followed by the values of each spawn, in as many commands as they fill; see run.
//
// Commands are outside the world's bytes, in the order of recording. A creation is numbered, by the
// world or by a task, and has an id of its own until it is carried out. The result is kept until
// the next Apply, so that ids can be looked up and references resolved.
package command

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// First is the initial room of a buffer without a count.
const First = 64

const (
	commandSize = 32 // bytes of a command
	headSize    = 16 // bytes before its data
)

// An Op is the operation of a command.
type Op uint8

// The operations of commands.
const (
	Create Op = iota
	Spawn
	Fill // not recorded: stands for a value of a spawn in errors
	Copy
	Dispose
	Add
	Remove
	Replace
	Put
	Append // to a list
)

// opNames are the names of operations in errors.
var opNames = [...]string{
	Create: "create", Spawn: "spawn", Fill: "spawn with", Copy: "copy",
	Dispose: "dispose", Add: "add", Remove: "remove", Replace: "replace", Put: "put",
	Append: "append",
}

// A command is one recorded change. If its data do not fit, they continue in the commands after it.
type command struct {
	op    Op
	known bool   // dispose: the object was alive then; create, spawn: see RecordRinged
	kind  uint16 // index of its manager, or of the recipe
	field uint16 // of the kind
	more  uint16 // number of commands after this one that hold its data
	id    gameobject.ID
	_     [commandSize - headSize]byte // data: the value of a field
}

// A Buffer holds commands in recording order, outside the world's bytes. It grows.
type Buffer struct {
	commands []command   // the room for commands
	base     buffer.Base // of commands
	used     int         // commands recorded
	last     openRun     // the last recorded run, if it can be continued
	shapes   [shapes]shape
	refusal  string             // why nothing may be recorded, or empty
	Leaving  *structure.Leaving // scratch of streaks, or nil: most worlds never need it
	Births   Births
	floor    uint64 // tick since which columns may hold recorded ids
}

// New returns a buffer with room for n commands. The error wraps ErrCount or ErrMemory.
func New(n int) (b Buffer, err error) {
	if n < 0 || n > min(manager.MaxRows, math.MaxInt/commandSize-buffer.Align) {
		return b, &manager.Error{Err: manager.ErrCount, Kind: "command", Count: n}
	}
	if n > 0 {
		if err = b.Hold(n); err == nil {
			b.Births.here.made = make([]gameobject.ID, 0, n)
		}
	}
	return b, err
}

// Refusing returns a buffer that refuses to record, and says why.
func Refusing(why string) Buffer { return Buffer{refusal: why} }

// Frozen returns the commands of b in a buffer without room for more; why explains it.
func (b Buffer) Frozen(why string) Buffer {
	b.commands, b.refusal = b.commands[:b.used:b.used], why
	b.last.left = 0
	return b
}

// Hold allocates room for n commands, including the recorded ones. The error wraps
// manager.ErrMemory.
func (b *Buffer) Hold(n int) error {
	bytes, ok := buffer.New(n * commandSize)
	if !ok {
		return &manager.Error{Err: manager.ErrMemory, Kind: "commands", Count: n * commandSize}
	}
	c := buffer.Carver{Bytes: bytes}
	commands := buffer.CarveRecords[command](&c, n)
	copy(commands, b.commands[:b.used])
	b.commands, b.base = commands, buffer.BaseOf(bytes)
	return nil
}

// Recorded returns the number of recorded commands, including commands that hold data.
func (b *Buffer) Recorded() int { return b.used }

// Room returns the number of commands for which there is room.
func (b *Buffer) Room() int { return len(b.commands) }

// next appends a command and the commands that hold its data, and returns its index. It ends the
// run.
func (b *Buffer) next(more int) int {
	at := b.used
	b.last.left = 0
	if at+1+more > len(b.commands) {
		b.grow(1 + more)
	}
	b.used += 1 + more
	return at
}

// grow makes room for n more commands.
//
//go:noinline
func (b *Buffer) grow(n int) {
	if b.refusal != "" {
		panic(b.refusal)
	}
	err := b.Hold(max(First, 2*len(b.commands), b.used+n))
	if err != nil || b.used+n > manager.MaxRows {
		panic(fmt.Sprintf("flatecs: there is no memory for more than %d recorded commands; "+
			"apply more often", b.used))
	}
}

// Record appends a command without data: kind is the place of a manager, or of a recipe; known says
// that the object of a disposal is alive.
func (b *Buffer) Record(op Op, kind int, id gameobject.ID, known bool) {
	at := b.used // an inlined copy of next: hot path
	if at >= len(b.commands) {
		b.grow(1)
	}
	b.used, b.last.left = at+1, 0
	c := &b.commands[at]
	c.op, c.known, c.kind, c.field, c.more, c.id = op, known, uint16(kind), 0, 0, id
}

// RecordRinged is Record for the creation of a member of a tree that Apply refuses, because member
// is below itself by the relation of the manager at place.
func (b *Buffer) RecordRinged(op Op, kind int, id gameobject.ID, place int, member uint32) {
	b.Record(op, kind, id, true)
	c := &b.commands[b.used-1]
	c.field = uint16(place)
	*b.ringed(b.used - 1) = member
}

// ringed returns the member that is below itself.
func (b *Buffer) ringed(at int) *uint32 {
	return &buffer.Span[uint32](b.base, (at*commandSize+headSize)/4, 1)[0]
}

// RecordField appends a command that sets a field of the kind of the manager at place, and returns
// the bytes for its value.
func (b *Buffer) RecordField(op Op, place int, id gameobject.ID, f *layout.FieldSpec) []byte {
	return b.recordData(op, place, id, f.Index, f.Stride)
}

// RecordAppend appends a command that adds an element to a list, and returns the bytes for the
// element.
func (b *Buffer) RecordAppend(place int, id gameobject.ID, f *layout.FieldSpec) []byte {
	return b.recordData(Append, place, id, f.Index, f.List.Element.Stride)
}

func (b *Buffer) recordData(op Op, place int, id gameobject.ID, field, size int) []byte {
	at, end := b.used, b.used+1+more(size) // an inlined copy of next, as in Record
	if end > len(b.commands) {
		b.grow(end - at)
	}
	b.used, b.last.left = end, 0
	c := &b.commands[at]
	c.op, c.known, c.id = op, false, id
	c.kind, c.field, c.more = uint16(place), uint16(field), uint16(end-at-1)
	return b.data(at, size)
}

// RecordCopy appends the creation of a copy of an object, and returns its recorded id.
func (b *Buffer) RecordCopy(id gameobject.ID) gameobject.ID {
	twin := b.Births.NewID()
	at := b.next(0)
	b.commands[at] = command{op: Copy, id: twin}
	*b.source(at) = id
	return twin
}

// source returns the object to copy of the command at an index.
func (b *Buffer) source(at int) *gameobject.ID {
	return &buffer.Span[gameobject.ID](b.base, (at*commandSize+headSize)/8, 1)[0]
}

// more returns the number of additional commands that size bytes of data need.
func more(size int) int { return (max(size, headSize) - headSize + commandSize - 1) / commandSize }

// Resettle replaces the places of kinds in all commands by their places in another world with the
// same recipes. It returns a kind for which place returns a negative number, or -1.
func (b *Buffer) Resettle(place func(int) int, recipes []uint16) (lacking int) {
	for at := 0; at < b.used; at = b.after(at) {
		c := &b.commands[at]
		if c.op == Spawn {
			c.kind = recipes[c.kind] - 1
		}
		switch {
		case b.isRun(at):
			for i := range b.setters(at) {
				if s := &b.setters(at)[i]; !resettle(&s.place, place) {
					return int(s.place)
				}
			}
		case c.op > Dispose && !resettle(&c.kind, place):
			return int(c.kind)
		}
	}
	return -1
}

// resettle replaces the place of a kind, and reports whether the other world has the kind.
func resettle(kind *uint16, place func(int) int) bool {
	to := place(int(*kind))
	if to >= 0 {
		*kind = uint16(to)
	}
	return to >= 0
}

// data returns the data of the command at an index.
func (b *Buffer) data(at, size int) []byte {
	return buffer.Span[byte](b.base, at*commandSize+headSize, size)
}

// what returns all of a command but its id and its data.
func (b *Buffer) what(at int) uint64 { return *buffer.At[uint64](b.base, at*commandSize/8) }

// after returns the index behind a command and its data, or behind a run.
func (b *Buffer) after(at int) int {
	if b.isRun(at) {
		return at + b.run(at).commands()
	}
	return at + 1 + int(b.commands[at].more)
}
