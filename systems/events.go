package systems

import (
	"fmt"
	"math"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/names"
)

// fixtures are a world's data not attached to objects. Their managers come after the managers of
// its kinds, and all their rows are in use: first the resources, then the rings of events.
type fixtures struct {
	counts    Counts       // with which the world was created
	resources int          // managers of resources
	rings     []*ring      // per number of an Events
	readers   []ringReader // per number of an EventReader
	searches  *names.Lists
}

// A ring holds the events of one type in one world. Event n, counted from 0, is in row n modulo
// rows:
//
//	event   4   5   6   7   8   9     the last 6 of 10 events; the next one overwrites 4
//	row     4   5   0   1   2   3     a reader that has read 7 of the 10 receives 7, 8, 9
//
// The one row of cursors stores sent, 10; oldest, 0; and the number that each reader has read.
type ring struct {
	rows    *manager.Manager // one per event
	cursors *manager.Manager
	sent    *uint64 // number of events sent
	oldest  *uint64 // first event that may be in a row, whatever the room
	keepers []*EventKeeper
}

// A ringReader is a reader of a ring.
type ringReader struct {
	ring *ring
	read *uint64 // number of events read
}

// span returns n events, starting with event number.
func (r *ring) span(number uint64, n int) EventBatch {
	return EventBatch{r, number, int(number % uint64(r.rows.Rows.Cap())), n}
}

// Send adds an event with the defaults.
func (r *ring) Send(tick uint64) EventBatch {
	s := r.span(*r.sent, 1)
	if len(r.keepers) > 0 {
		r.handOver(tick)
	}
	for i := range r.rows.Data.Columns {
		r.rows.Data.Columns[i].Reset(s.row)
	}
	r.rows.Stamps.TouchRow(uint32(s.row))
	r.mark(r.sent, *r.sent+1)
	return s
}

// mark sets one of the counts.
func (r *ring) mark(at *uint64, n uint64) {
	*at = n
	r.cursors.Stamps.TouchRow(0)
}

// kept returns how many of the last n events the ring still holds.
func (r *ring) kept(n uint64) int {
	return int(min(n, uint64(r.rows.Rows.Cap()), *r.sent-min(*r.oldest, *r.sent)))
}

// Unread returns the unread events, and the number of lost events.
func (p ringReader) Unread() (b EventBatch, missed int) {
	sent := *p.ring.sent
	n := sent - min(*p.read, sent)
	kept := p.ring.kept(n)
	return p.ring.span(sent-uint64(kept), kept), int(min(n-uint64(kept), math.MaxInt))
}

// Receive returns at most the oldest most unread events, and marks them as read.
func (p ringReader) Receive(most int) (b EventBatch, missed int) {
	b, missed = p.Unread()
	b.n = min(b.n, most)
	p.ring.mark(p.read, b.first+uint64(b.n))
	return b, missed
}

// received returns the events in consecutive stretches: two if the ring wraps around.
func (b EventBatch) received() (r Received) {
	for b.n > 0 {
		part := b
		part.n = min(b.n, b.ring.rows.Rows.Cap()-b.row)
		r.parts[r.n] = part
		r.n++
		b = b.ring.span(b.first+uint64(part.n), b.n-part.n)
	}
	return r
}

// mustHave panics if a field belongs to other events, or if some of b were overwritten.
func (b EventBatch) mustHave(f *layout.FieldSpec) {
	kind := b.ring.rows.Kind
	switch {
	case f == nil || f.Kind != kind:
		panic("flatecs: field " + f.String() + " is not of the events " + kind.Name +
			"; ask for one of their fields")
	case *b.ring.sent-b.first > uint64(b.ring.rows.Rows.Cap()):
		panic("flatecs: events of " + kind.Name + " were lost while they were read; " +
			"send fewer meanwhile, or raise their Count")
	}
}

// Received is a range of events, in the order in which they were sent.
type Received struct {
	parts [2]EventBatch
	n     int // parts with events
}

// An EventBatch is a range of events with their fields side by side: row i of every [EventColumn]
// belongs to the same event. It is valid until newer events overwrite it.
type EventBatch struct {
	ring  *ring
	first uint64 // number of the first event
	row   int    // of the first event
	n     int
}

// Send adds an event with default values, and returns it as a batch of one event, to set its
// fields. If the ring is full, the oldest event is lost; readers that have not read it learn how
// many they missed. Walks may be open. It panics if the world does not have the events, and in a
// task.
func (e Events) Send(s State) (State, EventBatch) {
	j := s.use()
	j.mustBeOutside("a task cannot send events; send them after the tasks, by the written values")
	sent := j.world.fixtures.ring(e).Send(*j.world.arena.Tick)
	return s.done(), sent
}

// Receive returns the events sent since the reader last received, or since the world was created,
// and how many earlier ones were lost unread. It marks all of them as read, even if a loop over
// them stops early; to take a few at a time, use [EventReader.ReceiveN]. Read them before newer
// events overwrite them: until then, as many events can be sent as the capacity minus the number
// received. It panics if the world does not have the reader, and in a task, where
// [EventReader.Unread] can be used.
func (r EventReader) Receive(s State) (_ State, events Received, missed int) {
	return r.ReceiveN(s, math.MaxInt)
}

// ReceiveN is [EventReader.Receive] for at most the oldest n unread events. The others stay unread,
// for the next call. It panics if n is below 0.
func (r EventReader) ReceiveN(s State, n int) (_ State, events Received, missed int) {
	j := s.use()
	j.mustBeOutside("events are received in a task; read them by Unread, " +
		"and receive after the tasks")
	if n < 0 {
		panic(fmt.Sprintf("flatecs: ReceiveN of %d events; take 0 or more", n))
	}
	b, missed := j.world.fixtures.reader(r).Receive(n)
	return s.done(), b.received(), missed
}

// Unread returns what [EventReader.Receive] would return, without marking it as read.
func (r EventReader) Unread(s State) (events Received, missed int) {
	b, missed := s.look().world.fixtures.reader(r).Unread()
	return b.received(), missed
}

// Len returns the number of events.
func (r Received) Len() int { return r.parts[0].Len() + r.parts[1].Len() }

// Batches returns the events of r: in two batches if the ring wraps around, otherwise one, or none
// without events.
func (r Received) Batches() []EventBatch { return r.parts[:r.n] }

// Len returns the number of events.
func (b EventBatch) Len() int { return b.n }

// EventColumn returns a field of b's events, in place, one T per event. It may be written in the
// batch that [Events.Send] returned, and is read-only otherwise. It panics if the field belongs to
// other events, and if events of b were overwritten.
func EventColumn[T any](b EventBatch, f layout.Field[T]) []T {
	if b.n == 0 {
		return nil
	}
	spec := f.Spec()
	b.mustHave(spec)
	return buffer.Span[T](b.ring.rows.Data.Columns[spec.Index].Base, b.row, b.n)
}

// ring returns the events in this world. It panics if the world does not have them.
func (x *fixtures) ring(e Events) *ring {
	if e.spec != nil && int(e.spec.number) < len(x.rings) {
		if ring := x.rings[e.spec.number]; ring != nil {
			return ring
		}
	}
	panic("flatecs: this world has no events " + e.String() + "; name them in Counts.Events")
}

// reader returns the position of a reader in this world. It panics if the world does not have it.
func (x *fixtures) reader(e EventReader) ringReader {
	if e.spec != nil && int(e.spec.number) < len(x.readers) {
		if p := x.readers[e.spec.number]; p.ring != nil {
			return p
		}
	}
	panic("flatecs: this world has no reader " + e.String() + " of events; name it in the " +
		"Events.Count of Counts.Events")
}

// addEvents finds the rings and readers of the world's events.
func (w *world) addEvents() {
	for _, e := range w.fixtures.counts.Events {
		spec, c := e.events.spec, e.cursors
		r := &ring{rows: w.arena.Find(spec.kind.Spec()), cursors: w.arena.Find(c.kind.Spec())}
		r.sent, r.oldest = inRow(r.cursors, c.sent, 0), inRow(r.cursors, c.oldest, 0)
		w.fixtures.rings = kind.Grow(w.fixtures.rings, spec.number)
		w.fixtures.rings[spec.number] = r
		for _, reader := range e.readers {
			w.fixtures.readers = kind.Grow(w.fixtures.readers, reader.spec.number)
			read := inRow(r.cursors, c.read[reader.spec.name], 0)
			w.fixtures.readers[reader.spec.number] = ringReader{r, read}
		}
	}
}

// eventCount returns the entry of events in the counts, or nil.
func (x *fixtures) eventCount(e Events) *EventCount {
	all := x.counts.Events
	if i := slices.IndexFunc(all, func(c EventCount) bool { return c.events == e }); i >= 0 {
		return &all[i]
	}
	return nil
}

// otherRings reports which kinds of another world CopyFrom must skip: rings of other sizes and the
// positions of other readers, which adoptEvents copies, and the order of names in a world without
// any.
func otherRings(x, from *fixtures) func(*layout.KindSpec) bool {
	apart := map[*layout.KindSpec]bool{names.Order.Spec(): x.counts.Names == 0}
	for _, e := range from.counts.Events {
		if to := x.eventCount(e.events); to != nil {
			apart[e.events.spec.kind.Spec()] = to.capacity != e.capacity
			apart[e.cursors.kind.Spec()] = to.capacity != e.capacity || to.cursors != e.cursors
		}
	}
	return func(k *layout.KindSpec) bool { return apart[k] }
}

// adoptEvents copies the events of a world whose rings have other sizes, or which has other
// readers.
func adoptEvents(x, from *fixtures) {
	apart := otherRings(x, from)
	for _, e := range from.counts.Events {
		if !apart(e.cursors.kind.Spec()) {
			continue
		}
		old, r := from.rings[e.events.spec.number], x.rings[e.events.spec.number]
		sent, oldest := *old.sent, *old.oldest
		if apart(e.events.spec.kind.Spec()) {
			oldest = sent - uint64(min(old.kept(sent), r.rows.Rows.Cap()))
			for n := oldest; n < sent; n++ {
				row, of := r.span(n, 1).row, old.span(n, 1).row
				for i := range r.rows.Data.Columns {
					r.rows.Data.Columns[i].Take(row, &old.rows.Data.Columns[i], of)
				}
				r.rows.Stamps.TouchRow(uint32(row))
			}
		}
		r.mark(r.sent, sent)
		r.mark(r.oldest, oldest)
		to := x.eventCount(e.events)
		for _, reader := range to.readers {
			read := sent
			if at, ok := e.cursors.read[reader.spec.name]; ok {
				read = *inRow(old.cursors, at, 0)
			}
			r.mark(inRow(r.cursors, to.cursors.read[reader.spec.name], 0), read)
		}
	}
}

// EventsFrom returns the events of e from number n on, and the number of the next event. Events are
// numbered from 0 since the creation of the world; overwritten ones are missing. EventsFrom moves
// no reader and changes no byte of the world. It panics if the world does not have the events.
func EventsFrom(s State, e Events, n uint64) (events Received, next uint64) {
	r := s.look().world.fixtures.ring(e)
	kept := r.kept(*r.sent - min(n, *r.sent))
	return r.span(*r.sent-uint64(kept), kept).received(), *r.sent
}

// An EventKeeper is called with each event that is about to be overwritten, and its number. It may
// read the event, and must not change a world.
type EventKeeper struct {
	Keep  func(number uint64, e EventBatch)
	given uint64 // tick of the last KeepEvents
}

// keptTicks is the number of ticks for which a world keeps a keeper after the last KeepEvents.
const keptTicks = 256

// KeepEvents registers k for events of e in the world of s, for the next 256 ticks; call it again
// before they are over. It changes no byte of the world. Copies of the world do not call k.
func KeepEvents(s State, e Events, k *EventKeeper) {
	if k == nil {
		panic("flatecs: the keeper of events is nil; give one that has Keep")
	}
	j := s.look()
	r := j.world.fixtures.ring(e)
	r.forget(*j.world.arena.Tick)
	if k.given = *j.world.arena.Tick; !slices.Contains(r.keepers, k) {
		r.keepers = append(r.keepers, k)
	}
}

// forget removes the keepers that were not registered again in time.
func (r *ring) forget(tick uint64) {
	r.keepers = slices.DeleteFunc(r.keepers, func(k *EventKeeper) bool {
		return tick > k.given+keptTicks
	})
}

// handOver calls the keepers with the event that the next event overwrites, if any.
func (r *ring) handOver(tick uint64) {
	r.forget(tick)
	if n := uint64(r.rows.Rows.Cap()); r.kept(*r.sent) == int(n) {
		for _, k := range r.keepers {
			k.Keep(*r.sent-n, r.span(*r.sent-n, 1))
		}
	}
}

// EventKind returns the kind that has a row per event of e, or the zero Kind for the zero Events.
func EventKind(e Events) Kind {
	if e.spec == nil {
		return Kind{}
	}
	return e.spec.kind
}

// EventKinds returns the kinds of the ring and of the readers of e, zero for the zero EventCount.
func EventKinds(e EventCount) (ring, readers Kind) {
	if e.events.spec == nil {
		return Kind{}, Kind{}
	}
	return e.events.spec.kind, e.cursors.kind
}

// EventBytes returns an [EventColumn] as bytes, in place.
func EventBytes(b EventBatch, f *layout.FieldSpec) []byte {
	if b.n == 0 {
		return nil
	}
	b.mustHave(f)
	bytes := b.ring.rows.Data.Columns[f.Index].Bytes
	return bytes[b.row*f.Stride:][:b.n*f.Stride]
}
