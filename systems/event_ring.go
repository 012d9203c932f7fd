package systems

import (
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/dense"
)

// A ring is the events of one type in one world. Event n, counted from 0, is in row n modulo rows.
type ring struct {
	*manager.Manager
	cursors *manager.Manager
	done    []uint64 // events sent; then for each reader events that it is done with
}

// A place is a reader in one world.
type place struct {
	ring *ring
	at   int // in ring.done
}

// Received are events in the order in which they were sent.
type Received struct {
	ring  *ring
	first uint64 // number of the first event
	n     int
}

// An EventBatch is some events, their fields side by side: row i of every [EventColumn] belongs to
// the same event. It is valid until the world has no room for it any more.
type EventBatch struct {
	ring  *ring
	first uint64 // number of the first event
	row   int    // of the first event
	n     int
}

// Send adds an event, which has the defaults until its fields are set in the batch of one event
// that is returned. When there is no room left, the oldest event is lost; readers that have not
// read it learn so. Walks may be open meanwhile. It panics when the world has no such events, and
// in a task.
func (e Events) Send(s State) (State, EventBatch) {
	j := s.use()
	j.outside("an event is sent in a task; send it after the tasks, by what they wrote")
	r := j.ring(e)
	b := r.batch(r.done[0], 1)
	for i := range r.Columns {
		r.Columns[i].Reset(b.row)
	}
	r.Touch(uint32(b.row), 1)
	r.mark(0, r.done[0]+1)
	return s.done(), b
}

// Receive returns what was sent since a reader last received, or since the world was created, and
// how many events before those it missed: they were lost before it came. The events are to be read
// before the world has forgotten them: its Count, less their number, may be sent meanwhile. It
// panics when the world has no such reader, and in a task, which has [EventReader.Unread].
func (r EventReader) Receive(s State) (_ State, events Received, missed int) {
	j := s.use()
	j.outside("events are received in a task; read them by Unread, and receive after the tasks")
	p := j.reader(r)
	events, missed = p.unread()
	p.ring.mark(p.at, p.ring.done[0])
	return s.done(), events, missed
}

// Unread returns what [EventReader.Receive] would return, and leaves it to be received.
func (r EventReader) Unread(s State) (events Received, missed int) {
	return s.look().reader(r).unread()
}

// Len returns how many events r has.
func (r Received) Len() int { return r.n }

// Batches returns r's events: all of them in the first batch, or the later ones in the second where
// the ring goes on from its first row.
func (r Received) Batches() [2]EventBatch {
	if r.n == 0 {
		return [2]EventBatch{}
	}
	first := r.ring.batch(r.first, r.n)
	first.n = min(r.n, r.ring.Cap()-first.row)
	return [2]EventBatch{first, r.ring.batch(r.first+uint64(first.n), r.n-first.n)}
}

// Len returns how many events b has.
func (b EventBatch) Len() int { return b.n }

// EventColumn returns a field of b's events, in place: a T per event, to be written in the batch
// that [Events.Send] returned, and else to be read. It panics when the field is of other events,
// and when the world has no room for all of b any more.
func EventColumn[T any](b EventBatch, f layout.Field[T]) []T {
	if b.n == 0 {
		return nil
	}
	spec := f.Spec()
	b.check(spec)
	return buffer.Span[T](b.ring.Columns[spec.Index].Base, b.row, b.n)
}

func (b EventBatch) check(f *layout.FieldSpec) {
	switch {
	case f.Kind != b.ring.Kind:
		panic("systems: field " + f.Name + " is not of the events " + b.ring.Kind.Name +
			"; ask for one of theirs")
	case b.ring.done[0]-b.first > uint64(b.ring.Cap()):
		panic("systems: events of " + b.ring.Kind.Name + " were lost while they were read; " +
			"send fewer meanwhile, or raise their Count")
	}
}

// batch returns n events from the one of a number on, which lie side by side.
func (r *ring) batch(number uint64, n int) EventBatch {
	return EventBatch{r, number, int(number % uint64(r.Cap())), n}
}

// mark sets one of the counts.
func (r *ring) mark(at int, n uint64) {
	r.done[at] = n
	r.cursors.Touch(uint32(at), 1)
}

// unread returns the events that a reader is not done with, and how many of them are lost.
func (p place) unread() (events Received, missed int) {
	sent := p.ring.done[0]
	n := sent - min(p.ring.done[p.at], sent)
	kept := min(n, uint64(p.ring.Cap()))
	return Received{p.ring, sent - kept, int(kept)}, int(min(n-kept, math.MaxInt))
}

// ring returns events in this world; it panics when the world has none.
func (j *job) ring(e Events) *ring {
	if r := j.root(); e.spec != nil && int(e.spec.number) < len(r.rings) {
		if ring := r.rings[e.spec.number]; ring != nil {
			return ring
		}
	}
	panic("systems: this world has no such events; declare them by NewEvents, " +
		"and add their Count to Counts.Events")
}

// reader returns a reader's place in this world; it panics when the world has none.
func (j *job) reader(e EventReader) place {
	if r := j.root(); e.spec != nil && int(e.spec.number) < len(r.readers) {
		if p := r.readers[e.spec.number]; p.ring != nil {
			return p
		}
	}
	panic("systems: this world has no such reader of events; declare it by Events.NewReader, " +
		"and give it to Events.Count in Counts.Events")
}

// addEvents finds the rings and readers of the world's events.
func (j *job) addEvents() {
	for _, e := range j.events {
		spec := e.events.spec
		cursors := j.Find(spec.cursors.Spec())
		r := &ring{j.Find(spec.kind.Spec()), cursors, manager.Column(cursors, spec.done)}
		j.rings = dense.Grow(j.rings, spec.number)
		j.rings[spec.number] = r
		for i, reader := range e.readers {
			j.readers = dense.Grow(j.readers, reader.spec.number)
			j.readers[reader.spec.number] = place{r, 1 + i}
		}
	}
}
