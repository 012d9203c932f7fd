package systems

import (
	"fmt"
	"math"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
)

const (
	firstCommands = 64 // initial room if Counts gives none
	commandSize   = 32 // bytes of a command
	headSize      = 16 // bytes before its data
)

// A command is one recorded change. If its data do not fit, they continue in the commands after it.
type command struct {
	op    opcode
	known bool   // dispose: the object was alive when this was recorded
	kind  uint16 // index of its manager, or of the recipe
	field uint16 // of the kind
	more  uint16 // number of commands after this one that hold its data
	id    GameObject
	_     [commandSize - headSize]byte // data: the value of a field
}

// A commandBuffer holds recorded commands in order. It lies beside the world's bytes, and grows.
type commandBuffer struct {
	commands []command   // as many as fit
	base     buffer.Base // of commands
	used     int         // commands recorded
	refusal  string      // why nothing may be recorded, or empty
	own      int         // index of its origin: 0 for the world's buffer, from 1 for tasks
	births   origin      // of this buffer; copied back to the world's after a task
	tasks    []origin    // of the world's buffer, per task
	floor    uint64      // tick since which columns may hold recorded ids
	refused  []*CommandError
}

// An origin numbers creations: one for the world, and one per task. Numbers continue from one Apply
// to the next, so that a stale id names no object.
type origin struct {
	first    uint32       // number of the first creation since the last Apply
	recorded uint32       // creations since then
	made     []GameObject // the objects created; see Applied
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

// hold makes room for n commands in total.
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

// next appends a command and those that hold its data, and returns its index.
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
		panic(fmt.Sprintf("flatecs: there is no memory for more than %d recorded commands; "+
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

// more returns the number of additional commands that size bytes of data need.
func more(size int) int { return (max(size, headSize) - headSize + commandSize - 1) / commandSize }

// data returns the data of the command at an index.
func (b *commandBuffer) data(at, size int) []byte {
	return buffer.Span[byte](b.base, at*commandSize+headSize, size)
}

const closedCommands = "flatecs: the world of these commands was closed; record before Close"

// closed returns the buffer of a closed world.
func closed() commandBuffer {
	return commandBuffer{refusal: closedCommands}
}

// frozen returns the contents of b, with no room for more.
func (b commandBuffer) frozen() commandBuffer {
	b.commands, b.refusal = b.commands[:b.used:b.used], snapshotOnly
	return b
}

// part returns the buffer of a task, which continues the numbering of that task in the last run.
func (b *commandBuffer) part(task int) commandBuffer {
	b.tasks = longer(b.tasks, uint32(task))
	return commandBuffer{own: task + 1}
}

// append moves the commands of a task's buffer to the end of b.
func (b *commandBuffer) append(task *commandBuffer) {
	b.tasks[task.own-1] = task.births
	if n := task.used; n != 0 {
		at := b.next(n - 1)
		copy(b.commands[at:], task.commands[:n])
		task.used = 0
	}
}

// origin returns the origin of a recorded id, or nil.
func (b *commandBuffer) origin(id GameObject) *origin {
	switch n := id.Origin(); {
	case n == 0:
		return &b.births
	case n <= len(b.tasks):
		return &b.tasks[n-1]
	}
	return nil
}

// creates reports whether objects were recorded for creation since the last Apply.
func (b *commandBuffer) creates() bool {
	return b.births.recorded != 0 ||
		slices.ContainsFunc(b.tasks, func(o origin) bool { return o.recorded != 0 })
}

// find returns the object created for a recorded id: nobody if it was refused, the id itself if it
// is kept. known is false for an id of an earlier Apply.
func (b *commandBuffer) find(id GameObject) (made GameObject, known bool) {
	if o := b.origin(id); o != nil {
		if n := id.Index() - o.first; n < o.recorded {
			return o.made[n], true
		}
	}
	return gameobject.Nobody, false
}

// object returns the object that a command's id stands for: the id itself, or the created object.
func (b *commandBuffer) object(id GameObject) GameObject {
	if id.Recorded() {
		id, _ = b.find(id)
	}
	return id
}

// became records the object created for a recorded id.
func (b *commandBuffer) became(id, made GameObject) {
	o := b.origin(id)
	o.made[id.Index()-o.first] = made
}

// begin makes room for the list of created objects.
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

// end drops the commands that are carried out, and keeps the first kept ones. If none is left, the
// numbering of creations moves on.
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
	if o.first >= 1<<31 { // no id is kept for that many creations
		o.first = 0
	}
}

// empty drops everything except the numbering of creations.
func (b *commandBuffer) empty() { b.end(0, 0) }

// take copies from into b.
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
