package systems

import (
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
)

const (
	defaultCommands = 1024
	commandSize     = 32 // bytes of a command
	headSize        = 16 // bytes of it before its data
)

// A command is one recorded change. Data that it has no room for go on in the commands after it.
type command struct {
	op    opcode
	known bool   // dispose: the object was alive when this was recorded
	kind  uint16 // place of its manager, or of the recipe
	field uint16 // of the kind
	more  uint16 // commands after this one that its data fill
	id    GameObject
	_     [commandSize - headSize]byte // data: the lanes of a field
}

// A commandBuffer holds commands in the order in which they were recorded, and the objects that
// they create. It is allocated once, beside the world's bytes: a default number when the first is
// recorded.
//
// Creations are numbered from first on, across uses of the buffer, so that the id of an earlier use
// names nothing. Number 0 is left out: its id would be nobody's.
type commandBuffer struct {
	room     int          // for so many commands; 0: the world was closed
	commands []command    // as many, or none yet
	base     buffer.Base  // of commands
	used     int          // commands recorded, also those that there was no room for
	created  []GameObject // per creation carried out; Nobody where it was refused
	lowest   uint32       // number of the first creation of all, which no other buffer comes near
	first    uint32       // number of the first creation
	recorded uint32       // creations
	done     uint32       // creations carried out, or refused
	grows    bool         // a task's: it is merged into the world's, whose room counts
}

// newCommandBuffer returns a buffer with room for n commands, or a default number.
func newCommandBuffer(n int) (b commandBuffer, err error) {
	b.lowest, b.first = 1, 1
	switch {
	case n == 0:
		b.room = defaultCommands
		return b, nil
	case n < 0 || n > min(manager.MaxRows, math.MaxInt/(commandSize+8)-buffer.Align):
		return b, &Error{Err: ErrCount, Kind: "command", Count: n}
	}
	err = b.hold(n)
	return b, err
}

// alike returns an empty buffer with as much room.
func (b *commandBuffer) alike() (c commandBuffer, err error) {
	if b.commands != nil {
		return newCommandBuffer(b.room)
	}
	return newCommandBuffer(0)
}

// hold makes room for n commands, also for those that there are.
func (b *commandBuffer) hold(n int) error {
	size := (n*commandSize + buffer.Align - 1) &^ (buffer.Align - 1)
	bytes, ok := buffer.New(size + n*8)
	if !ok {
		return &Error{Err: ErrMemory, Kind: "commands", Count: size + n*8}
	}
	c := buffer.Carver{Bytes: bytes}
	commands, created := buffer.CarveRecords[command](&c, n), buffer.Carve[GameObject](&c, n)
	copy(commands, b.commands)
	b.room, b.commands, b.created, b.base = n, commands, created, buffer.BaseOf(bytes[:size])
	return nil
}

// next appends a command and those that its data fill, and returns its place, or -1 when there is
// no room for them.
func (b *commandBuffer) next(more int) int {
	at := b.used
	if b.used += 1 + more; b.used > len(b.commands) && !b.full() {
		return -1
	}
	return at
}

// full makes room for the first command, and in a task's buffer, and reports whether there is some.
//
//go:noinline
func (b *commandBuffer) full() bool {
	n := b.room
	switch {
	case n == 0:
		panic("systems: the world of these commands was closed; record before Close")
	case b.commands != nil && !b.grows:
		return false
	}
	for b.grows && n < b.used {
		n *= 2
	}
	return b.hold(n) == nil && b.used <= n
}

// merge appends what from has recorded, and empties it. Objects that it creates get the numbers
// after b's own.
func (b *commandBuffer) merge(from *commandBuffer) {
	if from.used == 0 {
		return
	}
	shift, created := b.first+b.recorded-from.first, from.recorded
	at, room := b.used, min(from.used, len(from.commands))
	b.used += from.used
	b.recorded += from.recorded
	if (b.used <= len(b.commands) || b.full()) && room == from.used {
		copy(b.commands[at:], from.commands[:room])
		for i := at; i < b.used; i += 1 + int(b.commands[i].more) {
			c := &b.commands[i]
			if n := c.id.Index() - from.first; c.id.Generation() == 0 && n < created {
				c.id = gameobject.MakeID(c.id.Index()+shift, 0)
			}
		}
	}
	from.empty()
}

// create returns the id for the next creation.
func (b *commandBuffer) create() GameObject {
	b.recorded++
	return gameobject.MakeID(b.first+b.recorded-1, 0)
}

// add appends a command without data.
func (b *commandBuffer) add(op opcode, kind int, id GameObject, known bool) {
	if at := b.next(0); uint(at) < uint(len(b.commands)) {
		c := &b.commands[at]
		c.op, c.known, c.kind, c.field, c.more, c.id = op, known, uint16(kind), 0, 0, id
	}
}

// more returns the commands that data of size bytes fill beyond the one that they belong to.
func more(size int) int { return (max(size, headSize) - headSize + commandSize - 1) / commandSize }

// data returns the data of the command at a place.
func (b *commandBuffer) data(at, size int) []byte {
	return buffer.Span[byte](b.base, at*commandSize+headSize, size)
}

// object returns the id of the object that a command's id stands for: itself, or the object that
// was created. The generation of one that was not is 0.
func (b *commandBuffer) object(id GameObject) GameObject {
	if n := id.Index() - b.first; id.Generation() == 0 && n < b.done {
		return b.created[n]
	}
	return id
}

// made notes the object that the next creation created.
func (b *commandBuffer) made(id GameObject) {
	b.created[b.done] = id
	b.done++
}

// empty forgets everything but the numbers of creations.
func (b *commandBuffer) empty() {
	if b.first += b.recorded; b.first-b.lowest > b.span() {
		b.first = b.lowest
	}
	b.used, b.recorded, b.done = 0, 0, 0
}

// span returns from how many creations on the numbers begin again.
func (b *commandBuffer) span() uint32 {
	if b.grows {
		return taskNumbers / 2
	}
	return math.MaxUint32 / 4
}

// take makes b what from is, which has no less room.
func (b *commandBuffer) take(from *commandBuffer) {
	if from.used != 0 && b.commands == nil {
		_ = b.hold(b.room)
	}
	copy(b.commands, from.commands[:min(from.used, len(from.commands))])
	copy(b.created, from.created[:from.done])
	b.used, b.first, b.recorded, b.done = from.used, from.first, from.recorded, from.done
}
