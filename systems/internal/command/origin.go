package command

import (
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

// An origin numbers creations: one for the world, and one per task. Numbers continue from one Apply
// to the next, so that a stale id names no object.
type origin struct {
	first    uint32          // number of the first creation since the last Apply
	recorded uint32          // creations since then
	kept     uint32          // creations that an earlier Apply kept
	made     []gameobject.ID // their objects: see Made
	last     uint32          // number of the first entry of made
}

// Births number the creations that a buffer records.
type Births struct {
	own   int      // index of its origin: 0 for the world's buffer, from 1 for tasks
	here  origin   // of this buffer; copied back to the world's after a task
	tasks []origin // of the world's buffer, per task
}

// NewID returns the id for the next creation, and counts it.
func (b *Births) NewID() gameobject.ID {
	id := b.NextID()
	b.here.recorded++
	return id
}

// NextID returns the id for the next creation without counting it.
func (b *Births) NextID() gameobject.ID {
	return gameobject.MakeRecorded(b.here.first+b.here.recorded, b.own)
}

// of returns the origin of a recorded id, or nil.
//
//go:noinline
func (b *Births) of(id gameobject.ID) *origin {
	switch n := id.Origin(); {
	case n == 0:
		return &b.here
	case n <= len(b.tasks):
		return &b.tasks[n-1]
	}
	return nil
}

// Made returns the object that the last Apply created for a recorded id, if any.
func (b *Births) Made(id gameobject.ID) (made gameobject.ID, ok bool) {
	if o := b.of(id); id.Recorded() && o != nil {
		if n := id.Index() - o.last; int64(n) < int64(len(o.made)) {
			made = o.made[n]
			return made, made != gameobject.Nobody && !made.Recorded()
		}
	}
	return gameobject.Nobody, false
}

// Waits reports whether the creation of a recorded id waits for Apply.
func Waits(b *Births, id gameobject.ID) bool {
	o := b.of(id)
	return o != nil && id.Index()-o.first < o.recorded
}

// Keeps reports whether the creation of a recorded id was kept for the next Apply.
func (b *Births) Keeps(id gameobject.ID) bool {
	if o := b.of(id); o != nil {
		n := id.Index() - o.first
		return int64(n) < int64(len(o.made)) && o.made[n] == id
	}
	return false
}

// refused is the result of a refused creation. No recorded creation has this id.
const refused = ^gameobject.ID(0)

// fate returns the result of the creation of a recorded id: an object, nobody if it was not carried
// out yet, refused, or the id itself if it is kept. known is false for an id of an earlier Apply.
//
//go:noinline
func (b *Births) fate(id gameobject.ID) (made gameobject.ID, known bool) {
	if o := b.of(id); o != nil {
		if n := id.Index() - o.first; n < o.recorded {
			return o.made[n], true
		}
	}
	return gameobject.Nobody, false
}

// find is fate, with nobody for a refused creation.
func (b *Births) find(id gameobject.ID) (made gameobject.ID, known bool) {
	if made, known = b.fate(id); made == refused {
		made = gameobject.Nobody
	}
	return made, known
}

// object returns the object of a command's id: the id itself, or the created object.
func (b *Births) object(id gameobject.ID) gameobject.ID {
	if id.Recorded() {
		id, _ = b.find(id)
	}
	return id
}

// mayBeReferred reports whether components may hold a recorded id, because its creation was kept.
func (b *Births) mayBeReferred(id gameobject.ID) bool {
	o := b.of(id)
	return id.Recorded() && o != nil && id.Index()-o.first < o.kept
}

// revised returns the object created for a recorded id, or the id itself if it is unknown.
func (b *Births) revised(id gameobject.ID) gameobject.ID {
	if made, known := b.find(id); known {
		return made
	}
	return id
}

// became records the object created for a recorded id.
//
//go:noinline
func (b *Births) became(id, made gameobject.ID) {
	o := b.of(id)
	o.made[id.Index()-o.first] = made
}

// any reports whether objects were recorded for creation since the last Apply.
func (b *Births) any() bool {
	return b.here.recorded != 0 ||
		slices.ContainsFunc(b.tasks, func(o origin) bool { return o.recorded != 0 })
}

// each calls f with every origin.
//
//go:noinline
func (b *Births) each(f func(*origin)) {
	f(&b.here)
	for i := range b.tasks {
		f(&b.tasks[i])
	}
}

// begin makes room for the list of created objects.
func (o *origin) begin() {
	if o.last != o.first {
		o.made, o.last = o.made[:0], o.first
	}
	o.kept = uint32(len(o.made))
	if n, kept := int(o.recorded), len(o.made); n > kept {
		o.made = slices.Grow(o.made, n-kept)[:n]
		clear(o.made[kept:])
	}
}

// end drops the commands that are carried out, and keeps the first kept ones. If none is left, the
// numbering of creations moves on.
func (b *Buffer) end(tick uint64, kept int) {
	b.used, b.last.left = kept, 0
	if kept != 0 {
		return
	}
	b.floor = tick
	b.Births.each((*origin).end)
}

func (o *origin) end() {
	o.first, o.recorded = o.first+o.recorded, 0
	if o.first >= 1<<31 { // no id is kept for that many creations
		o.first = 0
	}
}

// Empty drops everything except the numbering of creations.
func (b *Buffer) Empty() {
	b.end(0, 0)
	b.Forget()
}

// Drop drops all commands of b, as if they were refused: ids of their creations in an arena are
// replaced by nobody.
func Drop(b *Buffer, a *manager.Arena) {
	b.Leaving = nil // of an Apply that panicked
	if b.Births.any() {
		b.Births.each((*origin).begin)
		b.Births.each((*origin).refuse)
		b.floor = 0
		b.resolveReferences(a)
	}
	b.end(*a.Tick, 0)
}

func (o *origin) refuse() {
	for i, id := range o.made {
		if id.Recorded() { // refused is a recorded id, too
			o.made[i] = gameobject.Nobody
		}
	}
}

// Forget must be called when the world's bytes are replaced: columns may hold recorded ids of any
// tick, and the objects that the last Apply created were in the old bytes. Commands stay recorded.
func (b *Buffer) Forget() {
	b.floor = 0
	b.Births.each((*origin).forget)
}

func (o *origin) forget() {
	if o.last != o.first { // otherwise they are creations that are still recorded
		o.made = o.made[:0]
	}
}

// CopyFrom copies from into b.
func (b *Buffer) CopyFrom(from *Buffer) {
	if from.used > len(b.commands) {
		b.used = 0
		b.grow(from.used)
	}
	copy(b.commands, from.commands[:from.used])
	b.used, b.floor, b.last.left = from.used, from.floor, 0
	b.Births.here.copyFrom(&from.Births.here)
	if n := len(from.Births.tasks); n > len(b.Births.tasks) {
		b.Births.tasks = kind.Grow(b.Births.tasks, uint32(n-1))
	}
	for i := range b.Births.tasks {
		if i < len(from.Births.tasks) {
			b.Births.tasks[i].copyFrom(&from.Births.tasks[i])
		} else {
			b.Births.tasks[i].copyFrom(&origin{}) // the task had not run
		}
	}
}

func (o *origin) copyFrom(from *origin) {
	o.first, o.recorded, o.last = from.first, from.recorded, from.last
	if o.made = o.made[:0]; o.recorded != 0 {
		o.made = append(o.made, from.made...)
	}
}

// ForTask returns the buffer of a task, which continues the numbering of that task in the last run.
func (b *Buffer) ForTask(task int) Buffer {
	b.Births.tasks = kind.Grow(b.Births.tasks, uint32(task))
	return Buffer{Births: Births{own: task + 1}}
}

// Lend lets a task's buffer number creations for the world.
func (b *Buffer) Lend(task *Buffer) { task.Births.here = b.Births.tasks[task.Births.own-1] }

// Append moves the commands of a task's buffer to the end of b.
func (b *Buffer) Append(task *Buffer) {
	b.Births.tasks[task.Births.own-1] = task.Births.here
	if n := task.used; n != 0 {
		at := b.next(n - 1)
		copy(b.commands[at:], task.commands[:n])
		task.used, task.last.left = 0, 0
	}
}
