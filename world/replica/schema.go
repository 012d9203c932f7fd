package replica

import (
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

const (
	maxParts = 32 // of a schema: a mask is a word
	maxWidth = 64 // bytes of a value on the wire
	maxKinds = 32 // whose presence is sent

	eventsKept = 256 // of a type, in a mirror's world
)

// Own marks a mirror's objects that its client owns, for queries of predicting steps.
var Own = layout.NewMark("replica own")

// An audience is who receives a part.
type audience uint8

const (
	everybody audience = iota
	others             // who do not own the object
	owners
)

// A Part is an entry of a [Schema]: [Field], [List], [Mark], [Ref] or [Sent].
type Part struct {
	spec     *layout.FieldSpec // nil: of a mark
	kind     layout.Kind
	wire     Wire
	ref      bool
	most     int         // elements of a list; 0: it is none
	query    world.Query // of what may have changed
	takes    taker
	puts     putter
	*message // instead: of events
}

// A part is a Part in its place in a schema. One Part may become two: for owners, and for others.
type part struct {
	Part
	number int
	to     audience
	lanes  int // of a value that is not raw
	width  int // bytes on the wire, of a list those of an element
	words  int // of a value in a row
	at     int // first word of the values of a row
	refs   int // number among references
	deltas int // number among those that travel as differences, or -1
}

// A Schema describes which data of a world are replicated, and how. Both ends declare the same one.
type Schema struct {
	recipe   world.Recipe
	parts    []part
	kinds    []layout.Kind // that objects may have or not have; their bits are the first part
	fields   []layout.Kind // all kinds with a field of the schema, for counts
	founding []layout.Kind // a kind of the recipe if none of these is: of an object that is there
	queries  []world.Query
	deltas   []*part
	refs     []*part
	timed    []*part // those that are not sent in each tick: once, or every n ticks
	messages []*message

	eventRefs int       // references of an event, at most
	bits      []uint32  // per part: of its kind in the first part; 0: the recipe has it
	words     int       // of the values of a row
	masks     [2]uint32 // the parts for others, and for owners
	lists     uint32    // the parts that are lists
	least     int       // bytes of a datagram with the longest record, and an event
	hash      uint64
}

// Field replicates a field of the objects that clients see. It panics if the wire does not suit the
// field: [Fixed], [Angle] and [Half] are for float32.
func Field[T any](f layout.Field[T], w Wire) Part {
	return Part{
		spec: f.Spec(), kind: f.Kind(), wire: w, query: changed(f, f.Kind()), takes: takerOf(f),
		puts: putterOf(f),
	}
}

// Mark replicates whether objects have a mark, or a kind whose values are not sent. It panics for
// the zero Kind.
func Mark(k layout.Kind) Part {
	if k.Spec() == nil {
		panic("replica: Mark of the zero Kind; give one that was declared")
	}
	return Part{kind: k}
}

// Ref replicates a reference, such as that of a relation. In a mirror it is Nobody if the client
// does not see the target.
func Ref(f layout.Field[world.GameObject]) Part {
	return Part{
		spec: f.Spec(), kind: f.Kind(), ref: true, query: changed(f, f.Kind()), takes: takerOf(f),
		puts: refPutter(f),
	}
}

// changed returns the query of components that changed, disabled objects included.
func changed(f layout.Access, k layout.Kind) world.Query {
	return world.NewQuery(world.Read(f), world.Changed(k), world.Optional(layout.Disabled))
}

// NewSchema returns a schema. A mirror spawns the recipe for each object that its client sees; the
// server's objects must have the recipe's kinds. Kinds of parts that the recipe lacks are added and
// removed as on the server. It panics if the recipe has no kinds, if there are more than 31 parts,
// or a wire does not suit its field.
func NewSchema(recipe world.Recipe, parts ...Part) *Schema {
	s := &Schema{recipe: recipe, parts: make([]part, 0, len(parts)+1)}
	has, _ := systems.RecipeOf(recipe)
	if len(has) == 0 {
		panic("replica: NewSchema of recipe " + recipe.String() + ", which has no kinds; add one " +
			"to it that all objects have which clients see, such as a mark")
	}
	s.parts = append(s.parts, part{width: 4, words: 1, deltas: -1}) // presence
	for _, p := range parts {
		if p.kind.Spec() == nil {
			panic("replica: NewSchema with the zero Part; make parts by Field, List, Mark and Ref")
		}
		if p.message != nil {
			s.addMessage(p.message)
			continue
		}
		if !slices.Contains(has, p.kind) && !slices.Contains(s.kinds, p.kind) {
			s.kinds = append(s.kinds, p.kind)
		}
		if p.wire.once && !slices.Contains(has, p.kind) {
			panic(fmt.Sprintf("replica: %s is Once; add its kind to the recipe %v", p.spec, recipe))
		}
		if p.spec != nil {
			s.add(p)
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
func (s *Schema) add(p Part) {
	switch w := p.wire; {
	case w.ownerOnly:
		s.addTo(p, owners)
	case w.owner != nil:
		s.addTo(p, others)
		p.wire = *w.owner
		s.addTo(p, owners)
	default:
		s.addTo(p, everybody)
	}
}

func (s *Schema) addTo(p Part, to audience) {
	n := part{Part: p, number: len(s.parts), to: to, deltas: -1}
	value := p.spec
	if p.most > 0 {
		n.checkList()
		value = p.spec.List.Element
	}
	elements, lanes := value.Flat()
	if p.wire.form == raw {
		n.width = value.Stride
	} else {
		n.lanes, n.width = lanes, lanes*p.wire.bits/8
	}
	if p.ref {
		n.width = 2 // a slot; rows have the id
	}
	switch w := &p.wire; {
	case len(value.Refs) > 0 && !p.ref:
		panic(fmt.Sprintf("replica: %s has references, which mean nothing to a client; send them "+
			"by Ref, each in a field of its own", p.spec))
	case w.form != raw && elements != "float32":
		panic(fmt.Sprintf("replica: %s is of %s; Fixed, Angle and Half are for float32, use Raw",
			p.spec, value.Shape()))
	case n.width > maxWidth:
		panic(fmt.Sprintf("replica: %s has %d bytes; split it, to %d", p.spec, n.width, maxWidth))
	case w.delta && (w.bits != 16 || lanes > 4):
		panic(fmt.Sprintf("replica: %s with Delta; that is for at most 4 lanes of 16 bits", p.spec))
	case w.delta && w.every > 1:
		panic(fmt.Sprintf("replica: %s with Delta, and Every %d ticks; differences are from what "+
			"the client has of each tick, leave one out", p.spec, w.every))
	case w.smooth && w.form == raw:
		panic(fmt.Sprintf("replica: %s is Raw and Smooth; have Fixed, Angle or Half", p.spec))
	}
	s.parts = append(s.parts, n)
}

func (s *Schema) addMessage(m *message) {
	for _, n := range s.messages {
		if n.events == m.events {
			panic(fmt.Sprintf("replica: NewSchema with %s twice; name one audience", m.events))
		}
	}
	own := *m
	own.number = uint8(len(s.messages))
	s.messages = append(s.messages, &own)
	s.eventRefs = max(s.eventRefs, m.refs)
}

// finish puts the values of rows in their places.
func (s *Schema) finish() {
	s.parts[0].width = (len(s.kinds) + 7) / 8
	text := fmt.Appendf(nil, "replica 2 %v\n", s.kinds)
	for i := range s.parts {
		p := &s.parts[i]
		if i > 0 {
			p.words = (p.width + 3) / 4
			s.queries = append(s.queries, p.query)
			s.fields = append(s.fields, p.kind)
			text = fmt.Appendf(text, "%s %s %d %d %v %d %v\n", p.spec, p.shape(), p.to, p.width,
				p.ref, p.most, p.wire.text())
		}
		if p.most > 0 {
			p.words = 1 + (p.most*p.width+3)/4
			s.lists |= 1 << i
		}
		if p.ref {
			p.words, p.refs = 2, len(s.refs)
			s.refs = append(s.refs, p)
		}
		if p.wire.once || p.wire.every > 1 {
			s.timed = append(s.timed, p)
		}
		s.bits = append(s.bits, 0)
		if k := slices.Index(s.kinds, p.kind); k >= 0 && i > 0 {
			s.bits[i] = 1 << k
		}
		if p.wire.delta {
			p.deltas = len(s.deltas)
			s.deltas = append(s.deltas, p)
		}
		p.at = s.words
		s.words += p.words
		if i == 0 && len(s.kinds) == 0 {
			continue // nothing to say
		}
		if p.to != owners {
			s.masks[0] |= 1 << i
		}
		if p.to != others {
			s.masks[1] |= 1 << i
		}
	}
	s.least = s.longest()
	for _, m := range s.messages {
		text = fmt.Appendf(text, "%s of %s\n", m.events, m.to)
		for _, f := range m.fields {
			text = fmt.Appendf(text, "%s %s\n", f, f.Shape())
		}
	}
	s.hash = xxh3.Hash(text)
}

// longest returns how long a datagram with the longest record and an event is. It panics if that is
// too long.
func (s *Schema) longest() int {
	record := 0
	for _, mask := range s.masks {
		n := 0
		for i := range s.parts {
			if p := &s.parts[i]; mask>>i&1 != 0 {
				n += p.sizeIn(0) + p.most*p.width
			}
		}
		record = max(record, n)
	}
	n := headSize + groupSize + recordSize + keySize
	if len(s.messages) > 0 {
		n += eventHead + maxEvent
	}
	if record+n > link.MaxDatagram {
		panic(fmt.Sprintf("replica: NewSchema whose objects have up to %d bytes; a datagram has "+
			"room for %d of one: bound lists lower, or replicate less", record, link.MaxDatagram-n))
	}
	return record + n
}

// shape is what a value of p is made of.
func (p *part) shape() string {
	if p.most > 0 {
		return p.spec.List.Element.Shape()
	}
	return p.spec.Shape()
}

// text is what of a wire both ends have to agree on.
func (w *Wire) text() string { return fmt.Sprint(w.form, w.low, w.step, w.bits, w.delta) }

// Hash returns a number that differs between schemas whose datagrams differ.
func (s *Schema) Hash() uint64 { return s.made().hash }

func (s *Schema) made() *Schema {
	if s == nil || len(s.parts) == 0 {
		panic("replica: this Schema is nil or zero; make one by NewSchema")
	}
	return s
}

// Counts returns the counts of a mirror's world, for clients that see known objects at once. It
// includes room for as many objects of the program's own.
func (s *Schema) Counts(known int) world.Counts {
	c := world.Counts{GameObjects: 2 * known, Recipes: []world.Recipe{s.made().recipe}}
	add := func(k layout.Kind) {
		if !slices.ContainsFunc(c.Kinds, func(n layout.Count) bool { return n.Kind == k }) {
			c.Kinds = append(c.Kinds, s.countOf(k, 2*known))
		}
	}
	has, _ := systems.RecipeOf(s.recipe)
	for _, k := range slices.Concat(has, s.kinds, s.fields, []layout.Kind{Own}) {
		add(k)
	}
	for _, m := range s.messages {
		c.Events = append(c.Events, m.events.Count(eventsKept, m.readers...))
	}
	return c
}

// visible returns the parts of an object that a client may see which owns it, or does not.
func (s *Schema) visible(own bool) uint32 {
	if own {
		return s.masks[1]
	}
	return s.masks[0]
}
