// Package command is the record of changes to come, and how they are carried out.
//
//	command  0          1                     2            3
//	bytes    op … id    op … id │ value 16    … value 32   op … id       32 each
//	         create     put, more = 1: its value goes on in the next     dispose
//
// Spawns in a row, of one recipe and with values of the same fields, are a run: a head that names
// the fields, and the values of each spawn behind those of the one before, in as many commands as
// they fill; see run.
//
// Commands lie beside the world's bytes, in the order in which they were recorded. A creation is
// numbered, by the world or by a task, and named by an id of its own until it is carried out; what
// it became is kept until the next time, so that ids can be told and references resolved.
package command

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// First is the room that a buffer begins with, when none was counted.
const First = 64

const (
	commandSize = 32 // bytes of a command
	headSize    = 16 // bytes before its data
)

// An Op is what a command does.
type Op uint8

// What commands do.
const (
	Create Op = iota
	Spawn
	Fill // not recorded: what errors say of a value of a spawn
	Copy
	Dispose
	Add
	Remove
	Replace
	Put
	Append // to a list
)

// opNames are as errors say them.
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

// A Buffer holds commands in recording order, beside the world's bytes. It grows.
type Buffer struct {
	commands []command   // as many as fit
	base     buffer.Base // of commands
	used     int         // commands recorded
	last     openRun     // if the run that was recorded last may go on
	shapes   [shapes]shape
	refusal  string // why nothing may be recorded, or empty
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

// Refusing returns a buffer in which nothing may be recorded, and which says why.
func Refusing(why string) Buffer { return Buffer{refusal: why} }

// Frozen returns what is recorded in b, with no room for more, and why there is none.
func (b Buffer) Frozen(why string) Buffer {
	b.commands, b.refusal = b.commands[:b.used:b.used], why
	b.last.shape = none
	return b
}

// Hold makes room for n commands, also for those that there are. The error wraps manager.ErrMemory.
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

// Recorded returns how many commands are recorded, with those that their data fill.
func (b *Buffer) Recorded() int { return b.used }

// Room returns how many commands there is room for.
func (b *Buffer) Room() int { return len(b.commands) }

// next appends a command and those that hold its data, and returns its index. It ends the run.
func (b *Buffer) next(more int) int {
	at := b.used
	b.last.shape = none
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
// of a disposal that its object is alive.
func (b *Buffer) Record(op Op, kind int, id gameobject.ID, known bool) {
	at := b.next(0)
	c := &b.commands[at]
	c.op, c.known, c.kind, c.field, c.more, c.id = op, known, uint16(kind), 0, 0, id
}

// RecordRinged is Record for the creation of a member of a tree that Apply refuses, because some
// member is below itself by the relation whose manager has a place.
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

// RecordField appends a command that sets a field of the kind whose manager has a place, and
// returns where its value is to be written.
func (b *Buffer) RecordField(op Op, place int, id gameobject.ID, f *layout.FieldSpec) []byte {
	return b.recordData(op, place, id, f.Index, f.Stride)
}

// RecordAppend appends a command that adds an element to a list, and returns where to write that.
func (b *Buffer) RecordAppend(place int, id gameobject.ID, f *layout.FieldSpec) []byte {
	return b.recordData(Append, place, id, f.Index, f.List.Element.Stride)
}

func (b *Buffer) recordData(op Op, place int, id gameobject.ID, field, size int) []byte {
	n := more(size)
	at := b.next(n)
	c := &b.commands[at]
	c.op, c.known, c.id = op, false, id
	c.kind, c.field, c.more = uint16(place), uint16(field), uint16(n)
	return b.data(at, size)
}

// RecordCopy appends the creation of an object like another, and returns the id that stands for it.
func (b *Buffer) RecordCopy(id gameobject.ID) gameobject.ID {
	twin := b.Births.NewID()
	at := b.next(0)
	b.commands[at] = command{op: Copy, id: twin}
	*b.source(at) = id
	return twin
}

// source returns what the copy at a place is to be like.
func (b *Buffer) source(at int) *gameobject.ID {
	return &buffer.Span[gameobject.ID](b.base, (at*commandSize+headSize)/8, 1)[0]
}

// more returns the number of additional commands that size bytes of data need.
func more(size int) int { return (max(size, headSize) - headSize + commandSize - 1) / commandSize }

// Resettle replaces the places of kinds in all commands by those in another world of the same
// recipes. It returns one for which place returns a negative number, or -1.
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

// resettle replaces the place of a kind, and reports whether it has one.
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

// after returns the index behind a command, with its data, or behind a run.
func (b *Buffer) after(at int) int {
	if b.isRun(at) {
		return at + b.run(at).commands()
	}
	return at + 1 + int(b.commands[at].more)
}
