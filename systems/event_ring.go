package systems

import (
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A ring holds the events of one type in one world. Event n, counted from 0, is in row n modulo
// rows.
type ring struct {
	*manager.Manager
	cursors *manager.Manager
	done    []uint64 // number of events sent; then the number read, per reader
}

// A place is the position of a reader in one world.
type place struct {
	ring *ring
	at   int // index in ring.done
}

// Received is a range of events, in the order in which they were sent.
type Received struct {
	ring  *ring
	first uint64 // number of the first event
	n     int
}

// An EventBatch is a range of events with their fields side by side: row i of every [EventColumn]
// belongs to the same event. It is valid until newer events overwrite it.
type EventBatch struct {
	ring  *ring
	first uint64 // number of the first event
	row   int    // of the first event
	n     int
}

// Send adds an event with default values, and returns it as a batch of one event, whose fields can
// be set. If the ring is full, the oldest event is lost; readers that have not read it learn how
// many they missed. Walks may be open. It panics if the world does not have the events, and in a
// task.
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

// Receive returns the events sent since the reader last received, or since the world was created,
// and how many earlier ones were lost unread. Read them before newer events overwrite them:
// capacity minus the number received may be sent until then. It panics if the world does not have
// the reader, and in a task, where [EventReader.Unread] can be used.
func (r EventReader) Receive(s State) (_ State, events Received, missed int) {
	j := s.use()
	j.outside("events are received in a task; read them by Unread, and receive after the tasks")
	p := j.reader(r)
	events, missed = p.unread()
	p.ring.mark(p.at, p.ring.done[0])
	return s.done(), events, missed
}

// Unread returns what [EventReader.Receive] would return, without marking it as read.
func (r EventReader) Unread(s State) (events Received, missed int) {
	return s.look().reader(r).unread()
}

// Len returns the number of events.
func (r Received) Len() int { return r.n }

// Batches returns the events of r in one or two batches. The second one is needed where the ring
// wraps around.
func (r Received) Batches() [2]EventBatch {
	if r.n == 0 {
		return [2]EventBatch{}
	}
	first := r.ring.batch(r.first, r.n)
	first.n = min(r.n, r.ring.Cap()-first.row)
	return [2]EventBatch{first, r.ring.batch(r.first+uint64(first.n), r.n-first.n)}
}

// Len returns the number of events.
func (b EventBatch) Len() int { return b.n }

// EventColumn returns a field of b's events, in place, one T per event. It may be written in the
// batch that [Events.Send] returned, and is read-only otherwise. It panics if the field is of other
// events, and if events of b were overwritten.
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
		panic("flatecs: field " + f.Name + " is not of the events " + b.ring.Kind.Name +
			"; ask for one of theirs")
	case b.ring.done[0]-b.first > uint64(b.ring.Cap()):
		panic("flatecs: events of " + b.ring.Kind.Name + " were lost while they were read; " +
			"send fewer meanwhile, or raise their Count")
	}
}

// batch returns n events from a number on, which must not wrap around.
func (r *ring) batch(number uint64, n int) EventBatch {
	return EventBatch{r, number, int(number % uint64(r.Cap())), n}
}

// mark sets one of the counts.
func (r *ring) mark(at int, n uint64) {
	r.done[at] = n
	r.cursors.Touch(uint32(at), 1)
}

// unread returns the unread events, and how many were lost.
func (p place) unread() (events Received, missed int) {
	sent := p.ring.done[0]
	n := sent - min(p.ring.done[p.at], sent)
	kept := min(n, uint64(p.ring.Cap()))
	return Received{p.ring, sent - kept, int(kept)}, int(min(n-kept, math.MaxInt))
}

// ring returns the events in this world. It panics if the world does not have them.
func (j *job) ring(e Events) *ring {
	if r := j.root(); e.spec != nil && int(e.spec.number) < len(r.rings) {
		if ring := r.rings[e.spec.number]; ring != nil {
			return ring
		}
	}
	panic("flatecs: this world has no such events; declare them by NewEvents, " +
		"and add their Count to Counts.Events")
}

// reader returns the position of a reader in this world. It panics if the world does not have it.
func (j *job) reader(e EventReader) place {
	if r := j.root(); e.spec != nil && int(e.spec.number) < len(r.readers) {
		if p := r.readers[e.spec.number]; p.ring != nil {
			return p
		}
	}
	panic("flatecs: this world has no such reader of events; declare it by Events.NewReader, " +
		"and give it to Events.Count in Counts.Events")
}

// addEvents finds the rings and readers of the world's events.
func (j *job) addEvents() {
	for _, e := range j.events {
		spec := e.events.spec
		cursors := j.Find(spec.cursors.Spec())
		r := &ring{j.Find(spec.kind.Spec()), cursors, manager.Column(cursors, spec.done)}
		j.rings = longer(j.rings, spec.number)
		j.rings[spec.number] = r
		for i, reader := range e.readers {
			j.readers = longer(j.readers, reader.spec.number)
			j.readers[reader.spec.number] = place{r, 1 + i}
		}
	}
}

// longer returns list, extended so that it has an element at number.
func longer[T any](list []T, number uint32) []T {
	if more := int(number) + 1 - len(list); more > 0 {
		list = append(list, make([]T, more)...)
	}
	return list
}
