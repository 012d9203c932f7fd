package systems

import (
	"fmt"
	"math"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

const (
	firstCommands = 64 // room that a buffer begins with, when Counts gave none
	commandSize   = 32 // bytes of a command
	headSize      = 16 // bytes of it before its data
)

// A command is one recorded change. Data that it has no room for go on in the commands after it.
type command struct {
	op    opcode
	known bool   // dispose: the object was alive when this was recorded
	kind  uint16 // place of its manager, or of the recipe
	field uint16 // of the kind
	more  uint16 // commands after this one that its data fill
	id    GameObject
	_     [commandSize - headSize]byte // data: the value of a field
}

// A commandBuffer holds commands in the order in which they were recorded. It lies beside the
// world's bytes, and grows.
type commandBuffer struct {
	commands []command   // as many as there is room for
	base     buffer.Base // of commands
	used     int         // commands recorded
	refusal  string      // why nothing may be recorded, if so; then there is no room
	own      int         // place of its origin: 0 for the world's buffer, 1 and on for its tasks'
	births   origin      // of this buffer; a task's are the world's again when it has ended
	tasks    []origin    // of the world's buffer, per task
	floor    uint64      // tick since when columns may hold ids that were recorded
	refused  []*CommandError
}

// An origin is who numbers creations: the world, or one of its tasks. Numbers go on from one Apply
// to the next, so that an id that was kept too long names nobody.
type origin struct {
	first    uint32       // number of the first creation since the last Apply
	recorded uint32       // creations since then
	made     []GameObject // what they became: see Applied
	last     uint32       // number of the first of made
}

// newCommandBuffer returns a buffer with room for n commands.
func newCommandBuffer(n int) (b commandBuffer, err error) {
	if n < 0 || n > min(manager.MaxRows, math.MaxInt/commandSize-buffer.Align) {
		return b, &Error{Err: ErrCount, Kind: "command", Count: n}
	}
	if n > 0 {
		b.births.made = make([]GameObject, 0, n)
		err = b.hold(n)
	}
	return b, err
}

// hold makes room for n commands, also for those that there are.
func (b *commandBuffer) hold(n int) error {
	bytes, ok := buffer.New(n * commandSize)
	if !ok {
		return &Error{Err: ErrMemory, Kind: "commands", Count: n * commandSize}
	}
	c := buffer.Carver{Bytes: bytes}
	commands := buffer.CarveRecords[command](&c, n)
	copy(commands, b.commands[:b.used])
	b.commands, b.base = commands, buffer.BaseOf(bytes)
	return nil
}

// next appends a command and those that its data fill, and returns its place.
func (b *commandBuffer) next(more int) int {
	at := b.used
	if at+1+more > len(b.commands) {
		b.grow(1 + more)
	}
	b.used += 1 + more
	return at
}

// grow makes room for n more commands.
//
//go:noinline
func (b *commandBuffer) grow(n int) {
	if b.refusal != "" {
		panic(b.refusal)
	}
	err := b.hold(max(firstCommands, 2*len(b.commands), b.used+n))
	if err != nil || b.used+n > manager.MaxRows {
		panic(fmt.Sprintf("systems: there is no memory for more than %d recorded commands; "+
			"apply more often", b.used))
	}
}

// create returns the id for the next creation.
func (b *commandBuffer) create() GameObject {
	o := &b.births
	o.recorded++
	return gameobject.MakeRecorded(o.first+o.recorded-1, b.own)
}

// add appends a command without data.
func (b *commandBuffer) add(op opcode, kind int, id GameObject, known bool) {
	at := b.next(0)
	c := &b.commands[at]
	c.op, c.known, c.kind, c.field, c.more, c.id = op, known, uint16(kind), 0, 0, id
}

// more returns the commands that data of size bytes fill beyond the one that they belong to.
func more(size int) int { return (max(size, headSize) - headSize + commandSize - 1) / commandSize }

// data returns the data of the command at a place.
func (b *commandBuffer) data(at, size int) []byte {
	return buffer.Span[byte](b.base, at*commandSize+headSize, size)
}

// closed returns the buffer of a world that was closed.
func closed() commandBuffer {
	return commandBuffer{refusal: kind.Closed}
}

// frozen returns what is recorded in b, with no room for more.
func (b commandBuffer) frozen() commandBuffer {
	b.commands, b.refusal = b.commands[:b.used:b.used], snapshotOnly
	return b
}

// part returns the buffer of a task, which numbers its creations as the task of that place did
// before.
func (b *commandBuffer) part(task int) commandBuffer {
	b.tasks = longer(b.tasks, uint32(task))
	return commandBuffer{own: task + 1}
}

// append appends what a task's buffer has recorded, and empties that.
func (b *commandBuffer) append(task *commandBuffer) {
	b.tasks[task.own-1] = task.births
	if n := task.used; n != 0 {
		at := b.next(n - 1)
		copy(b.commands[at:], task.commands[:n])
		task.used = 0
	}
}

// origin returns who numbered a recorded id, or nil.
func (b *commandBuffer) origin(id GameObject) *origin {
	switch n := id.Origin(); {
	case n == 0:
		return &b.births
	case n <= len(b.tasks):
		return &b.tasks[n-1]
	}
	return nil
}

// creates reports whether there were creations since the last Apply.
func (b *commandBuffer) creates() bool {
	return b.births.recorded != 0 ||
		slices.ContainsFunc(b.tasks, func(o origin) bool { return o.recorded != 0 })
}

// find returns what became of the creation that a recorded id is of: nobody where it was refused,
// and the id itself where it is kept. One of an earlier Apply is not known.
func (b *commandBuffer) find(id GameObject) (made GameObject, known bool) {
	if o := b.origin(id); o != nil {
		if n := id.Index() - o.first; n < o.recorded {
			return o.made[n], true
		}
	}
	return gameobject.Nobody, false
}

// object returns the object that a command's id stands for: itself, or the object that was created.
func (b *commandBuffer) object(id GameObject) GameObject {
	if id.Recorded() {
		id, _ = b.find(id)
	}
	return id
}

// became notes what became of the creation that an id was recorded for.
func (b *commandBuffer) became(id, made GameObject) {
	o := b.origin(id)
	o.made[id.Index()-o.first] = made
}

// begin makes room for what creations become.
func (b *commandBuffer) begin() {
	b.refused = nil
	b.births.begin()
	for i := range b.tasks {
		b.tasks[i].begin()
	}
}

func (o *origin) begin() {
	if o.last != o.first {
		o.made, o.last = o.made[:0], o.first
	}
	if n, kept := int(o.recorded), len(o.made); n > kept {
		o.made = slices.Grow(o.made, n-kept)[:n]
		clear(o.made[kept:])
	}
}

// end forgets all commands from a place on, which are carried out. When none is left, the numbers
// of creations go on.
func (b *commandBuffer) end(tick uint64, kept int) {
	b.used = kept
	if kept != 0 {
		return
	}
	b.floor = tick
	b.births.end()
	for i := range b.tasks {
		b.tasks[i].end()
	}
}

func (o *origin) end() {
	o.first, o.recorded = o.first+o.recorded, 0
	if o.first >= 1<<31 { // ids are kept, if at all, for less than so many creations
		o.first = 0
	}
}

// empty forgets everything but the numbers of creations.
func (b *commandBuffer) empty() { b.end(0, 0) }

// take makes b what from is.
func (b *commandBuffer) take(from *commandBuffer) {
	if from.used > len(b.commands) {
		b.used = 0
		b.grow(from.used)
	}
	copy(b.commands, from.commands[:from.used])
	b.used, b.floor, b.refused = from.used, from.floor, nil
	b.births.take(&from.births)
	if n := len(from.tasks); n > len(b.tasks) {
		b.tasks = longer(b.tasks, uint32(n-1))
	}
	for i := range from.tasks {
		b.tasks[i].take(&from.tasks[i])
	}
}

func (o *origin) take(from *origin) {
	o.first, o.recorded, o.last = from.first, from.recorded, from.last
	if o.made = o.made[:0]; o.recorded != 0 {
		o.made = append(o.made, from.made...)
	}
}
