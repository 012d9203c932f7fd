package replica

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// Show configures when a [Mirror] shows what it received.
type Show struct {
	Tick   time.Duration // of the server; 0: 50 ms
	Behind float64       // ticks that smooth fields are shown late; 0: 2

	Patience int // ticks of the client without a datagram until it is lost; 0: 200
}

// A Mirror is the client's end: it copies the server's objects into the client's own world. The
// world is an ordinary one, and the mirror's objects are ordinary objects, which only the mirror
// may create, change and dispose. It belongs to one goroutine.
type Mirror struct {
	schema  *Schema
	slots   []seat
	rows    []uint32
	base    uint32 // tick of the last datagram
	whole   uint32
	used    uint16 // the last input that the server used
	slack   int8
	acks    acks
	late    int
	show    Show
	clock   clock
	reading reading
	came    [pending]uint32       // numbers of received events, plus one, by their remainder
	entered [2][]world.GameObject // since the last Present, and before it
	left    [2][]world.GameObject
	updated bool      // own objects have values of the server
	guesses []guess   // objects of steps that the server has not sent yet
	soft    *softener // of the predictor that writes own objects; or nil
	writer  columns
}

// NewMirror returns a mirror for a world with the counts of [Schema.Counts] or more, with room for
// known objects: the server's [Options.Known], or 512 if that is 0. With another number, Apply
// returns [ErrDamaged]. It panics if the world lacks a kind of the schema, or known is not in [1,
// 16,384].
func NewMirror(s world.State, schema *Schema, known int, show Show) *Mirror {
	c := schema.mustBeMade()
	if known < 1 || known > maxKnown || !(show.Behind >= 0) || show.Tick < 0 || show.Patience < 0 {
		panic(fmt.Sprintf("replica: NewMirror of %d objects, %v ticks behind of %v, patience of "+
			"%d; have 1 to %d, and none negative", known, show.Behind, show.Tick, show.Patience,
			maxKnown))
	}
	for _, n := range c.Counts(1).Kinds {
		if _, err := tool.NumberOf(s, n.Kind); err != nil {
			panic(fmt.Sprintf("replica: this world lacks %v; create it by Schema.Counts", n.Kind))
		}
	}
	for _, e := range c.messages {
		if _, err := tool.NumberOf(s, systems.EventKind(e.events)); err != nil {
			panic(fmt.Sprintf("replica: this world lacks %s; create it by Schema.Counts", e.events))
		}
	}
	show.Patience, show.Behind = cmp.Or(show.Patience, 200), cmp.Or(show.Behind, 2)
	show.Tick = cmp.Or(show.Tick, 50*time.Millisecond)
	m := &Mirror{
		schema: c, show: show, slots: make([]seat, known),
		rows: make([]uint32, known*(ringTicks+1)*c.wire.Words),
	}
	m.reading.reader = wire.NewReader(c.wire, known)
	m.reading.spare = make([]world.GameObject, 0, known)
	m.reading.spawned = func(b world.Batch) {
		m.reading.spare = b.AppendIDs(m.reading.spare)
	}
	m.reading.refs = make([]world.GameObject, 0, link.MaxDatagram/2)
	m.writer.make(c, known)
	for i := range systems.ArenaOf(s).Managers {
		if r := systems.ArenaOf(s).Managers[i].Kind.Relation; r != nil {
			m.writer.kin = append(m.writer.kin, r.Handle())
		}
	}
	m.writer.apart = make([]uint32, 0, known*len(m.writer.kin))
	for i := range 2 {
		m.entered[i] = make([]world.GameObject, 0, known)
		m.left[i] = make([]world.GameObject, 0, known)
	}
	return m
}

func (m *Mirror) mustBeOpen() *Mirror {
	if m == nil || m.schema == nil {
		panic("replica: this Mirror is nil, or was not made; make one by NewMirror")
	}
	return m
}

// Tick returns the server's tick of the newest datagram.
func (m *Mirror) Tick() uint32 { return m.mustBeOpen().base }

// Whole returns the last tick of which the client has all data that it may see.
func (m *Mirror) Whole() uint32 { return m.mustBeOpen().whole }

// Late returns the number of datagrams that arrived after newer ones, and were dropped.
func (m *Mirror) Late() int { return m.mustBeOpen().late }

// Lost reports whether the server gave the client up, or was silent for [Show.Patience] calls of
// [Mirror.Append]. Connect again then, with a new Mirror. After a silence, Lost is false again when
// a datagram arrives.
func (m *Mirror) Lost() bool {
	c := &m.mustBeOpen().clock
	return c.gone || c.silent > m.show.Patience
}

// Own yields the objects that the client owns, and the predicted objects of its steps.
func (m *Mirror) Own() iter.Seq[world.GameObject] {
	m.mustBeOpen()
	return func(yield func(world.GameObject) bool) {
		for k := range m.slots {
			if e := &m.slots[k]; e.id != world.Nobody && e.own && !yield(e.id) {
				return
			}
		}
		for i := range m.guesses {
			if g := &m.guesses[i]; !g.hidden && !yield(g.id) {
				return
			}
		}
	}
}

// Entered yields the objects that came into sight before the last Present.
func (m *Mirror) Entered() iter.Seq[world.GameObject] {
	return slices.Values(m.mustBeOpen().entered[1])
}

// Left yields the objects that went out of sight before the last Present. They are disposed.
func (m *Mirror) Left() iter.Seq[world.GameObject] { return slices.Values(m.mustBeOpen().left[1]) }

// enter creates the object of a seat.
func (m *Mirror) enter(s world.State, k uint16, own bool, of wire.Key) world.State {
	e := &m.slots[k]
	if e.id != world.Nobody {
		return s
	}
	if s, e.id = m.met(s, of); e.id == world.Nobody {
		r := &m.reading
		last := len(r.spare) - 1
		e.id, r.spare = r.spare[last], r.spare[:last]
		m.entered[0] = append(m.entered[0], e.id)
	}
	if e.own = own; own {
		s = setKind(s, e.id, Own, true)
	}
	clear(m.latest(k))
	m.refer(k, uint32(k)+1) // for references that arrived before the object
	if m.soft != nil {
		m.soft.resetSeat(k)
	}
	return s
}

// met returns the object of the guess for a key, and removes the guess.
func (m *Mirror) met(s world.State, k wire.Key) (world.State, world.GameObject) {
	if k.Count == 0 {
		return s, world.Nobody
	}
	for i, g := range m.guesses {
		if g.Key == k && world.Alive(s, g.id) {
			last := len(m.guesses) - 1
			m.guesses[i] = m.guesses[last]
			m.guesses = m.guesses[:last]
			return setKind(s, g.id, Own, false), g.id
		}
	}
	return s, world.Nobody
}

// leave disposes the object of a seat.
func (m *Mirror) leave(s world.State, k uint16) world.State {
	e := &m.slots[k]
	if e.id == world.Nobody {
		return s
	}
	s = m.dispose(s, e.id)
	m.left[0] = append(m.left[0], e.id)
	*e = seat{}
	m.refer(k, 0) // another object may use the seat
	return s
}

// dispose disposes an object, but no other object that the server shows.
func (m *Mirror) dispose(s world.State, id world.GameObject) world.State {
	s = m.part(s, id, false)
	s, err := world.Dispose(s, id)
	if errors.Is(err, systems.ErrReferred) { // by a relation of the program
		for _, by := range m.writer.kin {
			for other := range family.Children(s, by, id) {
				s = set(s, other, by, world.Nobody)
			}
		}
		s, _ = world.Dispose(s, id)
	}
	return s
}

// part sets the references to an object in other seats to nobody, and lists the seats in
// m.writer.apart: for all relations, or for relations that disable.
func (m *Mirror) part(s world.State, id world.GameObject, disables bool) world.State {
	m.writer.apart = m.writer.apart[:0]
	for i, by := range m.writer.kin {
		if disables && !by.Spec().Relation.Disables {
			continue
		}
		for k := range m.slots {
			other := m.slots[k].id
			if is, err := world.Get(s, other, by); err == nil && is == id {
				m.writer.apart = append(m.writer.apart, uint32(i<<16|k))
				s = set(s, other, by, world.Nobody)
			}
		}
	}
	return s
}

// set is [world.Set]; it ignores a refusal.
func set(
	s world.State, id world.GameObject, by layout.Field[world.GameObject], to world.GameObject,
) world.State {
	s, _ = world.Set(s, id, by, to)
	return s
}

// refer replaces the references to a seat (plus 1) by to, and shows them again.
func (m *Mirror) refer(k uint16, to uint32) {
	for _, p := range m.schema.refs {
		for i := range m.slots {
			if ref := &m.latest(uint16(i))[p.At]; *ref == uint32(k)+1 {
				*ref, m.slots[i].fresh = to, true
			}
		}
	}
}

// setKinds adds and removes kinds so that an object has those that were sent.
func (m *Mirror) setKinds(s world.State, k uint16) world.State {
	id, bits := m.slots[k].id, m.latest(k)[0]
	if !world.Alive(s, id) {
		return s
	}
	for i, kind := range m.schema.kinds {
		if has := bits>>i&1 != 0; kind == layout.Disabled {
			s = m.disable(s, id, has)
		} else {
			s = setKind(s, id, kind, has)
		}
	}
	return s
}

// disable adds or removes [layout.Disabled] for an object, but for no other that the server shows.
func (m *Mirror) disable(s world.State, id world.GameObject, has bool) world.State {
	if world.Has(s, id, layout.Disabled) == has {
		return s
	}
	s = setKind(m.part(s, id, true), id, layout.Disabled, has)
	for _, a := range m.writer.apart {
		s = set(s, m.slots[uint16(a)].id, m.writer.kin[a>>16], id)
	}
	return s
}

// setKind adds or removes a kind. Mirror.makeRoom has checked the room.
func setKind(s world.State, id world.GameObject, k layout.Kind, has bool) world.State {
	if world.Has(s, id, k) == has {
		return s
	}
	if has {
		s, _ = world.Add(s, id, k)
	} else {
		s, _ = world.Remove(s, id, k)
	}
	return s
}

// row returns the values of a seat at a tick.
func (m *Mirror) row(k uint16, tick uint32) []uint32 { return m.rowAt(k, int(tick%ringTicks)) }

// latest returns the latest values of a seat.
func (m *Mirror) latest(k uint16) []uint32 { return m.rowAt(k, ringTicks) }

func (m *Mirror) rowAt(k uint16, i int) []uint32 {
	n := m.schema.wire.Words
	return m.rows[(int(k)*(ringTicks+1)+i)*n:][:n:n]
}

// idOf returns the object of a slot plus one.
func (m *Mirror) idOf(place uint16) world.GameObject {
	if place == 0 {
		return world.Nobody
	}
	return m.slots[place-1].id
}

// A clock holds the time that a mirror shows, and the time of the client's own ticks.
type clock struct {
	shows   bool
	now     time.Duration
	shown   float64 // tick of the server
	started bool
	due     time.Duration // of the client's next tick
	silent  int           // ticks of the client since the last datagram
	gone    bool          // the server has given the client up
}
