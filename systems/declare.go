package systems

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/names"
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

// validate returns the error of a count that worlds cannot have.
func (c EventCount) validate() error {
	if c.events.spec == nil {
		panic("systems: the zero EventCount counts nothing; make one by Events.Count")
	}
	for i, r := range c.readers {
		switch {
		case r.spec == nil:
			panic("systems: the zero EventReader reads nothing; declare one by Events.NewReader")
		case r.spec.events != c.events:
			panic(fmt.Sprintf("systems: %s reads %s, not %s; declare a reader of its own",
				r, r.spec.events, c.events))
		case slices.Contains(c.readers[:i], r):
			panic(fmt.Sprintf("systems: %s reads %s twice; declare a reader for each", r, c.events))
		}
	}
	if c.capacity < 1 {
		return fmt.Errorf("systems: %d events of %s are remembered; give Count 1 at least: %w",
			c.capacity, c.events, ErrCount)
	}
	return nil
}

// A Watcher is the memory of one system that watches a group of objects: which of them matched a
// query when it last looked, so that it hears which have left and which have entered since. It is
// declared once, as a package-level variable, and given to worlds by [Counts]. What it remembers is
// in the world's bytes, and is copied and restored with them. Two systems that watch the same
// objects declare a watcher each; the rules of equal queries are kept once.
type Watcher struct{ spec *watcherSpec }

type watcherSpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	query  Query
}

var watchers atomic.Uint32 // next watcherSpec.number

// NewWatcher declares a watcher of the objects that match q. Which fields q asks for, beside their
// kinds, and its [Optional], [Changed] and [RowWise] terms make no difference.
func NewWatcher(q Query) Watcher {
	return Watcher{&watcherSpec{number: watchers.Add(1) - 1, query: q}}
}

// Query returns the query whose objects w watches. It tells of now, where w tells of the last look.
func (w Watcher) Query() Query {
	if w.spec == nil {
		panic("systems: the zero Watcher watches nothing; declare one by NewWatcher")
	}
	return w.spec.query
}

// A ResourceKind is what a world has one of, and no object has: settings, a score, the size of a
// canvas. Its fields lie in the world's bytes, and are copied, restored and compared with them. It
// is declared once, as a package-level variable, and given to worlds by [Counts]. Read its fields
// by [Resource], write them by [SetResource]. In a world it takes its fields, 1 KB and about .6
// bytes per object: declare one resource with many fields rather than many.
type ResourceKind struct{ kind Kind }

// NewResource declares a resource from its fields, which start as their defaults. It panics where
// [layout.NewKind] does, and without fields.
func NewResource(name string, fields ...layout.AnyField) ResourceKind {
	if len(fields) == 0 {
		panic("systems: resource " + name + " has no fields; give it at least 1")
	}
	return ResourceKind{layout.NewKind(name, fields...)}
}

// String returns r's name.
func (r ResourceKind) String() string { return r.kind.String() }

// A Shared is what a world has one of as a Go value of any type: pictures, sounds, a connection. It
// lies beside the world's bytes. [Clone] copies it: what T points to is shared.
type Shared[T any] struct{ values layout.Values[T] }

// NewShared declares a Go value that worlds have one of each; it starts as value. It panics when
// the name is empty.
func NewShared[T any](name string, value T) Shared[T] {
	return Shared[T]{layout.NewValues(name, value)}
}

// Values returns the kind of values that v is, for codecs.
func (v Shared[T]) Values() layout.Values[T] { return v.values }

// Kind returns the resource that v is in [Counts].
func (v Shared[T]) Kind() ResourceKind { return ResourceKind{v.values.Kind()} }

// randomness is the random source of a world: a resource of its own.
var (
	randomSeed  = layout.NewField[uint64]("seed")
	randomState = layout.NewField[[2]uint64]("state") // of the sequence: high, low
	randomness  = NewResource("random source", randomSeed, randomState)
)

// NameKind is the kind of names. A name is a component: objects with one match With(NameKind), and
// only without that do they match [Only] other kinds.
var NameKind = names.Kind

// MaxName is the largest length of a name, in bytes of UTF-8.
const MaxName = names.Max

// ErrName is the error of a name that is too long, or no UTF-8.
var ErrName = names.ErrText
