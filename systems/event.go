package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/dense"
	"github.com/flatecs/flatecs/systems/internal/events"
)

// Received are events in the order in which they were sent.
type Received struct{ span events.Span }

// An EventBatch is some events, their fields side by side: row i of every [EventColumn] belongs to
// the same event. It is valid until the world has no room for it any more.
type EventBatch struct{ span events.Span }

// Send adds an event, which has the defaults until its fields are set in the batch of one event
// that is returned. When there is no room left, the oldest event is lost; readers that have not
// read it learn so. Walks may be open meanwhile. It panics when the world has no such events, and
// in a task.
func (e Events) Send(s State) (State, EventBatch) {
	j := s.use()
	j.checkOutside("an event is sent in a task; send it after the tasks, by what they wrote")
	sent := j.ring(e).Send()
	return s.done(), EventBatch{sent}
}

// Receive returns what was sent since a reader last received, or since the world was created, and
// how many events before those it missed: they were lost before it came. The events are to be read
// before the world has forgotten them: its Count, less their number, may be sent meanwhile. It
// panics when the world has no such reader, and in a task, which has [EventReader.Unread].
func (r EventReader) Receive(s State) (_ State, events Received, missed int) {
	j := s.use()
	j.checkOutside("events are received in a task; read them by Unread, " +
		"and receive after the tasks")
	events.span, missed = j.reader(r).Receive()
	return s.done(), events, missed
}

// Unread returns what [EventReader.Receive] would return, and leaves it to be received.
func (r EventReader) Unread(s State) (events Received, missed int) {
	events.span, missed = s.look().reader(r).Unread()
	return events, missed
}

// Len returns how many events r has.
func (r Received) Len() int { return r.span.Len() }

// Batches returns r's events: all of them in the first batch, or the later ones in the second where
// the ring goes on from its first row.
func (r Received) Batches() [2]EventBatch {
	parts := r.span.Split()
	return [2]EventBatch{{parts[0]}, {parts[1]}}
}

// Len returns how many events b has.
func (b EventBatch) Len() int { return b.span.Len() }

// EventColumn returns a field of b's events, in place: a T per event, to be written in the batch
// that [Events.Send] returned, and else to be read. It panics when the field is of other events,
// and when the world has no room for all of b any more.
func EventColumn[T any](b EventBatch, f layout.Field[T]) []T { return events.Column(b.span, f) }

// ring returns events in this world; it panics when the world has none.
func (j *job) ring(e Events) *events.Ring {
	if r := j.root(); e.spec != nil && int(e.spec.number) < len(r.rings) {
		if ring := r.rings[e.spec.number]; ring != nil {
			return ring
		}
	}
	panic("systems: this world has no such events; declare them by NewEvents, " +
		"and add their Count to Counts.Events")
}

// reader returns a reader's place in this world; it panics when the world has none.
func (j *job) reader(e EventReader) events.Reader {
	if r := j.root(); e.spec != nil && int(e.spec.number) < len(r.readers) {
		if p := r.readers[e.spec.number]; p.Ring != nil {
			return p
		}
	}
	panic("systems: this world has no such reader of events; declare it by Events.NewReader, " +
		"and give it to Events.Count in Counts.Events")
}

// addEvents finds the rings and readers of the world's events.
func (j *job) addEvents() {
	for _, e := range j.counts.Events {
		spec := e.events.spec
		cursors := j.Find(spec.cursors.Spec())
		r := events.NewRing(j.Find(spec.kind.Spec()), cursors, spec.done)
		j.rings = dense.Grow(j.rings, spec.number)
		j.rings[spec.number] = r
		for i, reader := range e.readers {
			j.readers = dense.Grow(j.readers, reader.spec.number)
			j.readers[reader.spec.number] = events.Reader{Ring: r, At: 1 + i}
		}
	}
}
