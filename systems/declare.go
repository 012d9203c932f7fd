package systems

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/names"
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

// NewEvents declares a type of events; it may have no fields, and has no lists. It panics like
// [layout.NewKind].
func NewEvents(name string, fields ...layout.AnyField) Events {
	for _, f := range fields {
		if f != nil && f.Spec().List != nil {
			panic("flatecs: events " + name + " have no lists: " + f.Spec().String() +
				"; send an event for each element, or the object that has the list")
		}
	}
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

// validate returns an error if no world can have the count.
func (c EventCount) validate() error {
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

// A Watcher reports which objects started and stopped matching a query since its last look. Declare
// it once, as a package-level variable, and give it to worlds in [Counts]. Its memory is in the
// world's bytes, and is copied and restored with them. Two systems that watch the same objects need
// a watcher each.
type Watcher struct{ spec *watcherSpec }

type watcherSpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	query  Query
	last   *lasting // nil: keeps no values
}

var watchers atomic.Uint32 // next watcherSpec.number

// NewWatcher declares a watcher of the objects that match q. Fields and the terms [Optional],
// [Changed] and [RowWise] make no difference. See [Watcher.Keep] for last values.
func NewWatcher(q Query) Watcher {
	return Watcher{&watcherSpec{number: watchers.Add(1) - 1, query: q}}
}

// Query returns the query of w. It matches the current objects; w reports those of the last look.
func (w Watcher) Query() Query {
	if w.spec == nil {
		panic("flatecs: the zero Watcher watches nothing; declare one by NewWatcher")
	}
	return w.spec.query
}

// A ResourceKind is a singleton of a world, such as settings, a score, or the size of a canvas. Its
// fields are in the world's bytes, and are copied, restored and compared with them. Declare it
// once, as a package-level variable, and give it to worlds in [Counts]. [Resource] reads its
// fields, [SetResource] writes them. Besides its fields it takes 1 KB and about 0.6 bytes per
// object: prefer one resource with many fields to many resources.
type ResourceKind struct{ kind Kind }

// NewResource declares a resource with at least one field. It panics like [layout.NewKind], and
// without fields.
func NewResource(name string, fields ...layout.AnyField) ResourceKind {
	if len(fields) == 0 {
		panic("flatecs: resource " + name + " has no fields; give it at least 1")
	}
	return ResourceKind{layout.NewKind(name, fields...)}
}

// String returns the name of r.
func (r ResourceKind) String() string { return r.kind.String() }

// A Shared is a singleton of any Go type, such as pictures, sounds, or a connection. It lies beside
// the world's bytes. [Clone] copies the value, but shares what it points to.
type Shared[T any] struct{ values layout.Values[T] }

// NewShared declares a Go value of which every world has one, with value as the initial one. It
// panics if the name is empty.
func NewShared[T any](name string, value T) Shared[T] {
	return Shared[T]{layout.NewValues(name, value)}
}

// Values returns the kind of values of v, for codecs.
func (v Shared[T]) Values() layout.Values[T] { return v.values }

// Kind returns the resource of v, for [Counts].
func (v Shared[T]) Kind() ResourceKind { return ResourceKind{v.values.Kind()} }

// randomness is the random source of a world, stored as a resource.
var (
	randomSeed  = layout.NewField[uint64]("seed")
	randomState = layout.NewField[[2]uint64]("state") // of the sequence: high, low
	randomness  = NewResource("random source", randomSeed, randomState)
)

// NameKind is the kind of names. A name is a component: objects with a name match With(NameKind),
// and do not match [Only] of other kinds.
var NameKind = names.Kind

// MaxName is the maximum length of a name, in bytes of UTF-8.
const MaxName = names.Max

// ErrName is the error of a name that is too long or not valid UTF-8.
var ErrName = names.ErrText
