package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

// Resource returns a field of a resource. It panics if the world does not have the resource.
func Resource[T any](s State, f layout.Field[T]) T {
	return *at(s.look().resource(f.Spec().Kind), f, 0)
}

// SetResource sets a field of a resource. Walks may be open. It panics if the world does not have
// the resource, and in a task.
func SetResource[T any](s State, f layout.Field[T], value T) State {
	j := s.use()
	j.checkOutside("a resource is set in a task; set it before the tasks or after them")
	m := j.resource(f.Spec().Kind)
	*at(m, f, 0) = value
	m.TouchRow(0)
	return s.done()
}

// Of returns the value of v in a world. It panics if the world does not have it.
func (v Shared[T]) Of(s State) T {
	return sharedColumn(s.look().resource(v.values.Kind().Spec()), v).Rows[0]
}

// Set sets the value of v in a world; copies of it are unchanged. It panics if the world does
// not have it, and in a task.
func (v Shared[T]) Set(s State, value T) State {
	j := s.use()
	j.checkOutside("a resource is set in a task; set it before the tasks or after them")
	m := j.resource(v.values.Kind().Spec())
	sharedColumn(m, v).Rows[0] = value
	m.TouchRow(0)
	return s.done()
}

func sharedColumn[T any](m *manager.Manager, _ Shared[T]) *layout.ValueSlice[T] {
	return m.Values.(*layout.ValueSlice[T])
}

// resource returns the manager of a resource. It panics if the world does not have it.
func (j *job) resource(k *layout.KindSpec) *manager.Manager {
	r := j.root()
	if k != nil {
		if slot := j.Slot(k); uint(slot-j.OnObjects) < uint(r.resources) {
			return &j.Managers[slot]
		}
	}
	panic(noResource(k))
}

func noResource(k *layout.KindSpec) string {
	if k == nil {
		return "flatecs: this is a field of no kind; give it to NewResource"
	}
	return "flatecs: this world has no resource " + k.Name +
		"; declare it by NewResource, and add it to Counts.Resources"
}

// Received is a range of events, in the order in which they were sent.
type Received struct{ span ringSpan }

// An EventBatch is a range of events with their fields side by side: row i of every [EventColumn]
// belongs to the same event. It is valid until newer events overwrite it.
type EventBatch struct{ span ringSpan }

// Send adds an event with default values, and returns it as a batch of one event, whose fields can
// be set. If the ring is full, the oldest event is lost; readers that have not read it learn how
// many they missed. Walks may be open. It panics if the world does not have the events, and in a
// task.
func (e Events) Send(s State) (State, EventBatch) {
	j := s.use()
	j.checkOutside("an event is sent in a task; send it after the tasks, by what they wrote")
	sent := j.ring(e).Send()
	return s.done(), EventBatch{sent}
}

// Receive returns the events sent since the reader last received, or since the world was created,
// and how many earlier ones were lost unread. Read them before newer events overwrite them:
// capacity minus the number received may be sent until then. It panics if the world does not have
// the reader, and in a task, where [EventReader.Unread] can be used.
func (r EventReader) Receive(s State) (_ State, events Received, missed int) {
	j := s.use()
	j.checkOutside("events are received in a task; read them by Unread, " +
		"and receive after the tasks")
	events.span, missed = j.reader(r).Receive()
	return s.done(), events, missed
}

// Unread returns what [EventReader.Receive] would return, without marking it as read.
func (r EventReader) Unread(s State) (events Received, missed int) {
	events.span, missed = s.look().reader(r).Unread()
	return events, missed
}

// Len returns the number of events.
func (r Received) Len() int { return r.span.Len() }

// Batches returns the events of r in one or two batches. The second one is needed where the ring
// wraps around.
func (r Received) Batches() [2]EventBatch {
	parts := r.span.Split()
	return [2]EventBatch{{parts[0]}, {parts[1]}}
}

// Len returns the number of events.
func (b EventBatch) Len() int { return b.span.Len() }

// EventColumn returns a field of b's events, in place, one T per event. It may be written in the
// batch that [Events.Send] returned, and is read-only otherwise. It panics if the field is of other
// events, and if events of b were overwritten.
func EventColumn[T any](b EventBatch, f layout.Field[T]) []T { return ringColumn(b.span, f) }

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
func (j *job) reader(e EventReader) ringReader {
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
	for _, e := range j.counts.Events {
		spec := e.events.spec
		cursors := j.Find(spec.cursors.Spec())
		r := newRing(j.Find(spec.kind.Spec()), cursors, spec.done)
		j.rings = kind.Grow(j.rings, spec.number)
		j.rings[spec.number] = r
		for i, reader := range e.readers {
			j.readers = kind.Grow(j.readers, reader.spec.number)
			j.readers[reader.spec.number] = ringReader{r, 1 + i}
		}
	}
}
