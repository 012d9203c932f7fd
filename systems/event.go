package systems

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
)

// Events is a type of events that a world remembers the last of: in a ring in its bytes, one row
// for each event, with the fields that were declared. It is declared once, as a package-level
// variable, and given to worlds by [Counts], with the number that they remember and who reads
// them.
//
//	event   4   5   6   7   8   9     the last 6 of 10 events; where the next goes, 4 is lost
//	row     4   5   0   1   2   3     a reader that is done with 7 of the 10 receives 7, 8, 9
type Events struct{ spec *eventsSpec }

type eventsSpec struct {
	number  uint32 // process-wide, dense; never in a world's bytes
	kind    Kind   // an event each
	cursors Kind   // events sent; then for each reader events that it is done with
	done    layout.Field[uint64]
}

// An EventReader reads events at a pace of its own: how far it came is in the world's bytes. It is
// declared once, as a package-level variable, and given to worlds with its events.
type EventReader struct{ spec *readerSpec }

type readerSpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	name   string
	events Events
}

// An EventCount is events, the number that a world remembers, and who reads them there.
type EventCount struct {
	events   Events
	capacity int
	readers  []EventReader
}

var eventTypes, eventReaders atomic.Uint32 // next numbers

// NewEvents declares events from their fields; there may be none. It panics where [layout.NewKind]
// does.
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

// Count says that a world remembers the last capacity events, 1 at least, for readers. An event
// takes the bytes of its fields and about 8 more.
func (e Events) Count(capacity int, readers ...EventReader) EventCount {
	return EventCount{e, capacity, readers}
}

// String returns e's name.
func (e Events) String() string {
	if e.spec == nil {
		return "the zero Events"
	}
	return e.spec.kind.String()
}

// String returns r's name.
func (r EventReader) String() string {
	if r.spec == nil {
		return "the zero EventReader"
	}
	return r.spec.name
}

// check returns the error of a count that worlds cannot have.
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
