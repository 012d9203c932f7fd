package systems

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
)

// Events is a type of events. A world stores the last events of a type in its bytes, in a ring with
// one row per event and the declared fields. Declare it once, as a package-level variable, and give
// it to worlds in [Counts], with the size of the ring and the readers.
//
//	event   4   5   6   7   8   9     the last 6 of 10 events; the next one overwrites 4
//	row     4   5   0   1   2   3     a reader that has read 7 of the 10 receives 7, 8, 9
type Events struct{ spec *eventsSpec }

type eventsSpec struct {
	number  uint32 // process-wide, dense; never in a world's bytes
	kind    Kind   // a row per event
	cursors Kind   // number of events sent; then the number read, per reader
	done    layout.Field[uint64]
}

// An EventReader reads events at its own pace; its position is in the world's bytes. Declare it
// once, as a package-level variable, and give it to worlds with its events.
type EventReader struct{ spec *readerSpec }

type readerSpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	name   string
	events Events
}

// An EventCount is a type of events in [Counts]: the size of its ring and its readers.
type EventCount struct {
	events   Events
	capacity int
	readers  []EventReader
}

var eventTypes, eventReaders atomic.Uint32 // next numbers

// NewEvents declares a type of events; it may have no fields. It panics like [layout.NewKind].
func NewEvents(name string, fields ...layout.AnyField) Events {
	done := layout.NewField[uint64]("done")
	return Events{&eventsSpec{
		number: eventTypes.Add(1) - 1, done: done,
		kind: layout.NewKind(name, fields...), cursors: layout.NewKind("readers of "+name, done),
	}}
}

// NewReader declares a reader of e.
func (e Events) NewReader(name string) EventReader {
	return EventReader{&readerSpec{eventReaders.Add(1) - 1, name, e}}
}

// Count returns the entry of e in [Counts]: the world stores the last capacity events, at least 1,
// for readers. An event takes the bytes of its fields and about 8 more.
func (e Events) Count(capacity int, readers ...EventReader) EventCount {
	return EventCount{e, capacity, readers}
}

// String returns the name of e.
func (e Events) String() string {
	if e.spec == nil {
		return "the zero Events"
	}
	return e.spec.kind.String()
}

// String returns the name of r.
func (r EventReader) String() string {
	if r.spec == nil {
		return "the zero EventReader"
	}
	return r.spec.name
}

// check returns an error if no world can have the count.
func (c EventCount) check() error {
	if c.events.spec == nil {
		panic("flatecs: the zero EventCount counts nothing; make one by Events.Count")
	}
	for i, r := range c.readers {
		switch {
		case r.spec == nil:
			panic("flatecs: the zero EventReader reads nothing; declare one by Events.NewReader")
		case r.spec.events != c.events:
			panic(fmt.Sprintf("flatecs: %s reads %s, not %s; declare a reader of its own",
				r, r.spec.events, c.events))
		case slices.Contains(c.readers[:i], r):
			panic(fmt.Sprintf("flatecs: %s reads %s twice; declare a reader for each", r, c.events))
		}
	}
	if c.capacity < 1 {
		return fmt.Errorf("flatecs: %d events of %s are remembered; give Count 1 at least: %w",
			c.capacity, c.events, ErrCount)
	}
	return nil
}
