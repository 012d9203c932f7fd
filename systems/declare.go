package systems

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/names"
)

const noRecipe = "flatecs: the zero Recipe spawns nothing; declare one by NewRecipe"

// A Recipe is a set of kinds and marks, with initial values, for spawning objects. Declare it once,
// as a package-level variable, and give it to worlds in [Counts]. Except for the first 16, objects
// of a recipe get ids and rows in slabs of the recipe, as long as the world has room for slabs.
type Recipe struct{ spec *recipeSpec }

type recipeSpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	name   string
	kinds  []Kind
	values []layout.FieldValue
	fields Query // writes all fields of all kinds, and reads the references of relations
}

var recipes atomic.Uint32 // next recipeSpec.number

// NewRecipe declares a recipe of kinds; a field stands for its kind. It panics if a kind is given
// twice.
func NewRecipe(name string, kinds ...layout.AnyKind) Recipe {
	return newRecipe(name, kind.Append(nil, "NewRecipe", kinds), nil)
}

func newRecipe(name string, kinds []Kind, values []layout.FieldValue) Recipe {
	var terms []Term
	for i, k := range kinds {
		if slices.Contains(kinds[:i], k) {
			panic("flatecs: recipe " + name + " names kind " + k.String() + " twice; name it once")
		}
		if len(k.Fields()) > 0 {
			terms = append(terms, filling(k)...)
		}
	}
	return Recipe{&recipeSpec{recipes.Add(1) - 1, name, kinds, values, NewQuery(terms...)}}
}

// filling returns the terms of a kind for the function that fills new objects: it writes all
// fields. The reference of a relation is taken from its column after each batch; see spawning.
func filling(k Kind) []Term {
	r := k.Spec().Relation
	if r == nil {
		return []Term{Write(k)}
	}
	var others []layout.Access
	for _, f := range k.Fields()[1:] {
		others = append(others, fillable{f})
	}
	if len(others) == 0 {
		return []Term{Read(r.Handle())}
	}
	return []Term{Read(r.Handle()), Write(others...)}
}

// A fillable is a field of a relation, but not its reference.
type fillable struct{ field *layout.FieldSpec }

// Spec returns the declaration of f.
func (f fillable) Spec() *layout.FieldSpec { return f.field }

// Fields returns the declaration of f.
func (f fillable) Fields() []*layout.FieldSpec { return []*layout.FieldSpec{f.field} }

// foreigners are the shared foreign recipes, by place.
var foreigners struct {
	sync.Mutex
	numbers []uint32
}

// ForeignRecipe returns a recipe without kinds, for a world into which objects of other recipes
// were loaded. Places from 0 on distinguish the foreign recipes of one world. It panics if place is
// out of range.
func ForeignRecipe(place int, name string) Recipe {
	if place < 0 || place > math.MaxUint16 {
		panic(fmt.Sprintf("flatecs: ForeignRecipe %s in place %d; count places from 0 to %d", name,
			place, math.MaxUint16))
	}
	foreigners.Lock()
	defer foreigners.Unlock()
	for len(foreigners.numbers) <= place {
		foreigners.numbers = append(foreigners.numbers, recipes.Add(1)-1)
	}
	return Recipe{&recipeSpec{foreigners.numbers[place], name, nil, nil, NewQuery()}}
}

// String returns the name of r.
func (r Recipe) String() string {
	if r.spec == nil {
		return "the zero Recipe"
	}
	return r.spec.name
}

// declared returns r's declaration. It panics if r is the zero Recipe.
func (r Recipe) declared() *recipeSpec {
	if r.spec == nil {
		panic(noRecipe)
	}
	return r.spec
}

// Events is a type of events. A world stores the last events of a type in its bytes, in a ring with
// one row per event and the declared fields. Declare it once, as a package-level variable, and give
// it to worlds in [Counts], with the size of the ring and the readers.
//
//	event   4   5   6   7   8   9     the last 6 of 10 events; the next one overwrites 4
//	row     4   5   0   1   2   3     a reader that has read 7 of the 10 receives 7, 8, 9
type Events struct{ spec *eventsSpec }

type eventsSpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	kind   Kind   // a row per event

	sync.Mutex
	cursors map[string]*cursors // by the names of the readers
}

// A cursors is the kind with one row that holds the positions of a set of readers, by their names.
type cursors struct {
	kind   Kind
	sent   layout.Field[uint64]            // number of events sent
	oldest layout.Field[uint64]            // first event since a change of the ring's size
	read   map[string]layout.Field[uint64] // number of events that a reader has read
}

// An EventReader reads events at its own pace; its position is in the world's bytes, under the
// reader's name. Declare it once, as a package-level variable, and give it to worlds with its
// events.
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
	readers  []EventReader // by name
	cursors  *cursors      // of the readers
}

var eventTypes, eventReaders atomic.Uint32 // next numbers

// NewEvents declares a type of events; fields are optional, and lists are not supported. It panics
// like [layout.NewKind].
func NewEvents(name string, fields ...layout.AnyField) Events {
	for _, f := range fields {
		if f != nil && f.Spec().List != nil {
			panic("flatecs: events " + name + " have no lists: " + f.Spec().String() +
				"; send an event for each element, or the object that has the list")
		}
	}
	return Events{&eventsSpec{
		number: eventTypes.Add(1) - 1, kind: beside(layout.NewKind(name, fields...), "events"),
		cursors: map[string]*cursors{},
	}}
}

// NewReader declares a reader of e. Readers of e in one world need different names.
func (e Events) NewReader(name string) EventReader {
	return EventReader{&readerSpec{eventReaders.Add(1) - 1, name, e}}
}

// Count returns the entry of e in [Counts]: the world stores the last capacity events, at least 1,
// for readers, in any order. An event takes the bytes of its fields and about 8 more.
func (e Events) Count(capacity int, readers ...EventReader) EventCount {
	c := EventCount{events: e, capacity: capacity, readers: slices.Clone(readers)}
	kind.Sort(c.readers, func(a, b EventReader) bool { return a.String() < b.String() })
	if e.spec != nil {
		c.cursors = e.spec.cursorsOf(c.readers)
	}
	return c
}

// cursorsOf returns the positions of sorted readers. Equal names get the same kind.
func (e *eventsSpec) cursorsOf(readers []EventReader) *cursors {
	var names []string
	for _, r := range readers {
		names = append(names, r.String())
	}
	names = slices.Compact(names) // equal names are refused later
	e.Lock()
	defer e.Unlock()
	key := fmt.Sprintf("%q", names)
	if c := e.cursors[key]; c != nil {
		return c
	}
	c := &cursors{
		sent: layout.NewField[uint64]("sent"), oldest: layout.NewField[uint64]("oldest"),
		read: map[string]layout.Field[uint64]{},
	}
	fields := []layout.AnyField{c.sent, c.oldest}
	for _, name := range names {
		c.read[name] = layout.NewField[uint64](ReadBy + name)
		fields = append(fields, c.read[name])
	}
	c.kind = layout.NewKind(ReadersOf+e.kind.String(), fields...)
	e.cursors[key] = c
	return c
}

// Prefixes of the name of the kind that holds the positions of readers, and of its fields. Its
// first field is the number of events sent.
const (
	ReadersOf = "readers of "
	ReadBy    = "read by "
)

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
		case i > 0 && c.readers[i-1].spec.name == r.spec.name:
			panic(fmt.Sprintf("flatecs: %s has two readers %s; give each a name of its own",
				c.events, layout.Quoted(r.spec.name)))
		}
	}
	if c.capacity < 1 {
		return fmt.Errorf("flatecs: %d events of %s are remembered: %w; give Count 1 at least",
			c.capacity, c.events, ErrCount)
	}
	return nil
}

// A ResourceKind is a singleton of a world, such as settings, a score, or the size of a canvas. Its
// fields are in the world's bytes, and are copied, restored and compared with them. Declare it
// once, as a package-level variable, and give it to worlds in [Counts]. [Resource] reads its
// fields, [SetResource] writes them. Besides its fields it takes 1 KB and about 0.6 bytes per
// object: prefer one resource with many fields to many resources.
type ResourceKind struct{ kind Kind }

// NewResource declares a resource. It panics like [layout.NewKind], and without fields.
func NewResource(name string, fields ...layout.AnyField) ResourceKind {
	if len(fields) == 0 {
		panic("flatecs: resource " + layout.Quoted(name) + " has no fields; give it at least 1")
	}
	return ResourceKind{beside(layout.NewKind(name, fields...), "resource")}
}

// beside returns a kind that is declared to be on no object.
func beside(k Kind, what string) Kind {
	k.Spec().Beside = what
	return k
}

// String returns the name of r.
func (r ResourceKind) String() string { return r.kind.String() }

// A Shared is a singleton of any Go type, such as pictures, sounds, or a connection. It is outside
// the world's bytes. [Clone] copies the value, but not the data that it points to.
type Shared[T any] struct{ values layout.Values[T] }

// NewShared declares a Go value that every world holds once, with value as the initial one. It
// panics if the name is empty.
func NewShared[T any](name string, value T) Shared[T] {
	v := layout.NewValues(name, value)
	beside(v.Kind(), "resource")
	return Shared[T]{v}
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

// GlobalKind is the kind of global ids; package world/pack documents it.
var GlobalKind = names.GlobalKind
