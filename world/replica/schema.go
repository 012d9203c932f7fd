package replica

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

const (
	maxParts = 32 // of a schema: a mask is a word
	maxWidth = 64 // bytes of a value on the wire
	maxKinds = 32 // whose presence is sent

	eventsKept = 256 // of a type, in a mirror's world

	maxClients = 1 << 16
	maxKnown   = 1 << 14
	maxInput   = 256 // bytes
	minBudget  = 200 // bytes

	// ringTicks is how many ticks back differences, mirrors and [Was] reach.
	ringTicks = 16

	pending = 128 // unacknowledged events of a client that may wait
	repeats = 10  // ticks in which an event is sent until it is acknowledged
	waiting = 32  // inputs of a client that may wait
)

var le = binary.LittleEndian

// Own marks a mirror's objects that its client owns, for queries of predicting steps.
var Own = layout.NewMark("replica own")

// A Part is an entry of a [Schema]: [Field], [List], [Mark], [Ref] or [Sent].
type Part struct {
	part    part
	message *message // instead: a type of events
}

// A part is a Part in a schema. One Part may become two parts: for owners, and for others.
type part struct {
	*wire.Part // nil: of a mark
	kind       layout.Kind
	wire       Wire
	query      world.Query // of components that may have changed
	takes      taker
	puts       putter
	number     int
	bit        uint32 // of its kind in the first part; 0: the recipe has the kind
	refs       int    // number among the references
	deltas     int    // number among the parts with differences
}

// A Schema describes which data of a world are replicated, and how. Both ends declare the same one.
type Schema struct {
	recipe   world.Recipe
	parts    []*part
	kinds    []layout.Kind // that objects may have or lack; their bits are the first part
	fields   []layout.Kind // all kinds with a field of the schema, for counts
	founding []layout.Kind // if kinds has no kind of the recipe: one of it, to show existence
	queries  []world.Query
	deltas   []*part
	refs     []*part
	timed    []*part // with stamps of their own: references, and parts with Once or Every
	messages []*message

	least int // bytes of a datagram with the longest record and an event
	wire  *wire.Schema
}

// Field replicates a field of the objects that clients see. It panics if the wire does not suit the
// field: [Fixed], [Angle] and [Half] are for float32.
func Field[T any](f layout.Field[T], w Wire) Part {
	return Part{part: part{
		Part: &wire.Part{Spec: f.Spec()}, kind: f.Kind(), wire: w, query: changed(f, f.Kind()),
		takes: takerOf(f), puts: putterOf(f),
	}}
}

// List replicates a list, whose elements are encoded by a wire, or a text, by [Raw]. A list is sent
// completely when it changes. Mirrors get the first most elements, or for a text the whole
// characters within most bytes: most bounds the memory per object of servers and mirrors, and the
// bytes in a datagram. It panics if l is not a list, or if most is not positive.
func List(l layout.AnyField, most int, w Wire) Part {
	if l == nil || l.Spec().List == nil || most < 1 {
		panic(fmt.Sprintf("replica: List of at most %d elements; give a list, and 1 or more", most))
	}
	spec, kind := l.Spec(), l.Spec().Kind.Handle()
	return Part{part: part{
		Part: &wire.Part{Spec: spec, Most: most}, kind: kind, wire: w, takes: takeLists,
		query: changed(kind, kind),
	}}
}

// Mark replicates whether objects have a mark, or a kind whose values are not sent. It panics for
// the zero Kind.
func Mark(k layout.Kind) Part {
	if k.Spec() == nil {
		panic("replica: Mark of the zero Kind; give one that was declared")
	}
	return Part{part: part{kind: k}}
}

// Ref replicates a reference, such as the reference of a relation. In a mirror it is Nobody if the
// client does not see the target.
func Ref(f layout.Field[world.GameObject]) Part {
	return Part{part: part{
		Part: &wire.Part{Spec: f.Spec(), Ref: true}, kind: f.Kind(), query: changed(f, f.Kind()),
		takes: takerOf(f), puts: refPutter(f),
	}}
}

// An Audience selects the clients to which events are sent; see [WhoeverSees].
type Audience struct{ spec *layout.FieldSpec }

// WhoeverSees selects the clients that see the object in a field of the event, or saw it in the
// tick before if it is disposed.
func WhoeverSees(f layout.Field[world.GameObject]) Audience { return Audience{f.Spec()} }

// Sent sends the events of a type to an audience, at most once. Mirrors receive them as ordinary
// events in their worlds, for the given readers. References lead to objects of the mirror, or to
// nobody if the client does not have the object. It panics if an event takes more than 64 bytes,
// with 2 per reference, or the audience names a field of other events.
func Sent(e world.Events, to Audience, readers ...world.EventReader) Part {
	k := systems.EventKind(e)
	if k.Spec() == nil || to.spec == nil || to.spec.Kind != k.Spec() {
		panic(fmt.Sprintf("replica: Sent of %s to those who see %s; name a field of these events",
			e, to.spec))
	}
	m := &message{wire.NewEvent(e.String(), to.spec, k.Spec().Fields), e, readers, 0}
	if m.Width+wire.EventStep > wire.MaxEvent {
		panic(fmt.Sprintf("replica: %s have %d bytes; the most is %d, send less", e, m.Width,
			wire.MaxEvent-wire.EventStep))
	}
	return Part{message: m}
}

// A message is a type of sent events.
type message struct {
	*wire.Event
	events  world.Events
	readers []world.EventReader
	number  uint8
}

// changed returns the query of changed components, disabled objects included.
func changed(f layout.Access, k layout.Kind) world.Query {
	return world.NewQuery(world.Read(f), world.Changed(k), world.Optional(layout.Disabled))
}

// NewSchema returns a schema. A mirror spawns the recipe for each object that its client sees; the
// server's objects must have the recipe's kinds. Kinds of parts that the recipe lacks are added and
// removed as on the server. It panics if the recipe has no kinds, if there are more than 31 parts,
// or a wire does not suit its field.
func NewSchema(recipe world.Recipe, parts ...Part) *Schema {
	s := &Schema{recipe: recipe, parts: []*part{{}}} // the part of presence
	has, _ := systems.RecipeOf(recipe)
	if len(has) == 0 {
		panic("replica: NewSchema of recipe " + recipe.String() + ", which has no kinds; add one " +
			"to it that all objects have which clients see, such as a mark")
	}
	for i := range parts {
		p := &parts[i].part
		if m := parts[i].message; m != nil {
			s.addMessage(*m)
			continue
		}
		if p.kind.Spec() == nil {
			panic("replica: NewSchema with the zero Part; make parts by Field, List, Mark and Ref")
		}
		if !slices.Contains(has, p.kind) && !slices.Contains(s.kinds, p.kind) {
			s.kinds = append(s.kinds, p.kind)
		}
		if p.wire.once && !slices.Contains(has, p.kind) {
			panic(fmt.Sprintf("replica: %s is Once; add its kind to the recipe %v", p.Spec, recipe))
		}
		if p.Part != nil {
			s.add(*p)
		}
	}
	if len(s.parts) > maxParts || len(s.kinds) > maxKinds {
		panic(fmt.Sprintf("replica: NewSchema of %d parts, and %d kinds beside the recipe; at "+
			"most %d of each, where a field with Owner counts twice", len(s.parts)-1, len(s.kinds),
			maxParts-1))
	}
	s.finish()
	if !slices.ContainsFunc(s.fields, func(k layout.Kind) bool { return slices.Contains(has, k) }) {
		s.founding = has[:1]
	}
	return s
}

// add adds a field: for all, or for others and for owners.
func (s *Schema) add(p part) {
	switch w := p.wire; {
	case w.ownerOnly:
		s.addTo(p, wire.Owners)
	case w.owner != nil:
		s.addTo(p, wire.Others)
		p.wire = *w.owner
		s.addTo(p, wire.Owners)
	default:
		s.addTo(p, wire.Everybody)
	}
}

func (s *Schema) addTo(p part, to wire.Audience) {
	own := *p.Part
	own.Form, own.Delta, own.To = p.wire.form, p.wire.delta, to
	own.Measure()
	p.Part, p.number = &own, len(s.parts)
	p.checkWire()
	s.parts = append(s.parts, &p)
}

// checkWire panics if a value and its wire do not match.
func (p *part) checkWire() {
	value, w := p.Value(), &p.wire
	elements, lanes := value.Flat()
	switch {
	case p.Most > 0 && (w.delta || w.smooth):
		panic(fmt.Sprintf("replica: %s is a list, with Delta or Smooth; leave them out", p.Spec))
	case p.Most > 0 && p.Spec.List.Text && !p.IsRaw():
		panic(fmt.Sprintf("replica: %s is a text; have it Raw", p.Spec))
	case len(value.Refs) > 0 && !p.Ref:
		panic(fmt.Sprintf("replica: %s has references, which mean nothing to a client; send them "+
			"by Ref, each in a field of its own", p.Spec))
	case !p.IsRaw() && elements != "float32":
		panic(fmt.Sprintf("replica: %s is of %s; Fixed, Angle and Half are for float32, use Raw",
			p.Spec, value.Shape()))
	case p.Width > maxWidth:
		panic(fmt.Sprintf("replica: %s has %d bytes; split it, to %d", p.Spec, p.Width, maxWidth))
	case w.delta && (p.Form.Bits != 16 || lanes > 4):
		panic(fmt.Sprintf("replica: %s with Delta; that is for at most 4 lanes of 16 bits", p.Spec))
	case w.delta && w.every > 1:
		panic(fmt.Sprintf("replica: %s with Delta, and Every %d ticks; differences are from what "+
			"the client has of each tick, leave one out", p.Spec, w.every))
	case w.smooth && p.IsRaw():
		panic(fmt.Sprintf("replica: %s is Raw and Smooth; have Fixed, Angle or Half", p.Spec))
	}
}

func (s *Schema) addMessage(m message) {
	for _, n := range s.messages {
		if n.events == m.events {
			panic(fmt.Sprintf("replica: NewSchema with %s twice; name one audience", m.events))
		}
	}
	m.number = uint8(len(s.messages))
	s.messages = append(s.messages, &m)
}

// finish assigns places in rows to the values.
func (s *Schema) finish() {
	var events []*wire.Event
	for _, m := range s.messages {
		events = append(events, m.Event)
	}
	var fields []*wire.Part
	for _, p := range s.parts[1:] {
		fields = append(fields, p.Part)
		s.queries = append(s.queries, p.query)
		s.fields = append(s.fields, p.kind)
		if p.Ref {
			p.refs = len(s.refs)
			s.refs = append(s.refs, p)
		}
		if p.Ref || p.wire.once || p.wire.every > 1 {
			s.timed = append(s.timed, p)
		}
		if k := slices.Index(s.kinds, p.kind); k >= 0 {
			p.bit = 1 << k
		}
		if p.Delta {
			p.deltas = len(s.deltas)
			s.deltas = append(s.deltas, p)
		}
	}
	s.wire = wire.NewSchema(s.kinds, fields, events)
	s.parts[0].Part = s.wire.Parts[0]
	record, around := s.wire.Longest()
	if s.least = record + around; s.least > link.MaxDatagram {
		panic(fmt.Sprintf("replica: NewSchema whose objects have up to %d bytes; a datagram has "+
			"room for %d of one: bound lists lower, or replicate less", record,
			link.MaxDatagram-around))
	}
}

// Hash returns a number that differs between schemas whose datagrams differ.
func (s *Schema) Hash() uint64 { return s.mustBeMade().wire.Hash }

func (s *Schema) mustBeMade() *Schema {
	if s == nil || len(s.parts) == 0 {
		panic("replica: this Schema is nil or zero; make one by NewSchema")
	}
	return s
}

// Counts returns the counts of a mirror's world, for clients that see known objects at once. It
// includes room for as many objects of the program's own.
func (s *Schema) Counts(known int) world.Counts {
	c := world.Counts{GameObjects: 2 * known, Recipes: []world.Recipe{s.mustBeMade().recipe}}
	has, _ := systems.RecipeOf(s.recipe)
	for _, k := range slices.Concat(has, s.kinds, s.fields, []layout.Kind{Own}) {
		if !slices.ContainsFunc(c.Kinds, func(n layout.Count) bool { return n.Kind == k }) {
			c.Kinds = append(c.Kinds, s.countOf(k, 2*known))
		}
	}
	for _, m := range s.messages {
		c.Events = append(c.Events, m.events.Count(eventsKept, m.readers...))
	}
	return c
}

// countOf returns the count of a kind in a mirror's world for objects objects, including room for
// the elements of lists that the schema allows and that the recipe gives.
func (s *Schema) countOf(k layout.Kind, objects int) layout.Count {
	most := 0
	for _, p := range s.parts[1:] {
		if p.kind == k {
			most = max(most, p.Most)
		}
	}
	_, values := systems.RecipeOf(s.recipe)
	for i := range values {
		if f := values[i].Field; f.List != nil && f.Kind == k.Spec() {
			most = max(most, len(values[i].Elements())/f.List.Element.Stride)
		}
	}
	c := k.Counted()
	if most > 0 {
		c.Rows, c.Free, c.Elements = objects, false, uint32(objects*most)
	}
	return c
}

// leastBudget is the smallest budget of a datagram, with room for the longest record.
func (s *Schema) leastBudget() int { return max(minBudget, s.least) }

// in yields the parts in a mask.
func (s *Schema) in(mask uint32) iter.Seq[*part] { return wire.In(s.parts, mask) }
