package replica

import (
	"fmt"
	"iter"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
	"github.com/flatecs/flatecs/world/space"
)

// A View names what one client sees in one tick. [Server.Send] passes it to the function see; it is
// valid until see returns.
type View struct {
	state   world.State
	table   *table
	server  *Server
	conn    *Conn
	places  []uint16 // by index: slot + 1, or isComing and the number of a candidate + 1
	coming  []candidate
	writing writing
	heard   []hearing                 // events of this tick for the client
	slotsOf [wire.MaxEvent / 2]uint16 // the references of an event
	touched uint32
}

func (v *View) open() *View {
	if v == nil || v.conn == nil {
		panic("replica: this View is over; use it in the function that Send calls, and only there")
	}
	return v
}

// State returns the world of this tick, for reading by id.
func (v *View) State() world.State { return v.open().state }

// See names an object. Objects with a larger weight, of 1 to 255, are sent more often if there is
// not room for all.
func (v *View) See(id world.GameObject, weight int) { v.open().want(id, weight, true, false) }

// Own names an object that the client owns: the client gets its parts for owners, before other
// objects, and may predict it.
func (v *View) Own(id world.GameObject) { v.open().want(id, ownWeight, true, true) }

const ownWeight = 32

// Related names all objects that refer to target by a relation, such as those of a team.
func (v *View) Related(
	relation layout.Field[world.GameObject], target world.GameObject, weight int,
) {
	for id := range family.Children(v.open().state, relation, target) {
		v.want(id, weight, true, false)
	}
}

// Query names all objects that match one of [Options.Queries], which are listed once per tick for
// all clients. It panics for another query.
func (v *View) Query(q world.Query, weight int) {
	for i, known := range v.open().server.options.Queries {
		if known == q {
			for _, id := range v.server.lists[i] {
				v.want(id, weight, true, false)
			}
			return
		}
	}
	panic("replica: View.Query of a query that NewServer does not know; list it in Options.Queries")
}

// Near names the objects of cells around a place, with distances in world units: objects within
// enter come into sight, and stay until they are farther away than leave. In a crowd, objects
// within a third of enter are sent at four times the rate of the outer ones, objects within two
// thirds at twice the rate. Build the cells in each tick, before Send.
func Near[T any](v *View, cells space.View[T], at T, enter, leave float64, weight int) {
	v.open()
	ids := cells.IDs()
	in, near := enter*enter, enter*enter/9
	for e, square := range cells.NearSquares(at, max(enter, leave)) {
		w := weight
		switch {
		case square <= near:
			w *= 4
		case square <= 4*near:
			w *= 2
		}
		v.want(ids[e], w, square <= in, false)
	}
}

// liveSlot returns the slot, plus one, of an object that the client sees, or 0.
func (v *View) liveSlot(id world.GameObject) uint16 {
	if index := id.Index(); int(index) < len(v.places) {
		if place := v.places[index]; place != 0 && place&isComing == 0 {
			if e := &v.conn.slots[place-1]; e.id == id && e.state == live {
				return place
			}
		}
	}
	return 0
}

// A Sight is an object that a client may see, or that is leaving.
type Sight struct {
	ID      world.GameObject
	Slot    int    // its number for the client
	Own     bool   // the client owns it
	Leaving bool   // the client may not see it any more, and has not acknowledged that
	Weight  int    // against others, if there is not room for all
	Has     uint32 // tick of which the client has all of it; 0: it does not have it yet
	Sent    uint32 // tick of the last datagram that had it; 0: none
	Lacks   uint32 // a bit per part of the schema that changed after Has, if the client may see it
}

// Sees yields the objects that the function see named for c in the last [Server.Send]. Other
// objects were not sent, and will not be.
func (c *Conn) Sees() iter.Seq[Sight] {
	c.made()
	return func(yield func(Sight) bool) {
		for k := range c.slots {
			if e := &c.slots[k]; e.state != free && !yield(c.sight(k)) {
				return
			}
		}
	}
}

func (c *Conn) sight(k int) Sight {
	e, t := &c.slots[k], c.server.table
	s := Sight{
		ID: e.id, Slot: k, Own: e.own, Leaving: e.state == leaving, Weight: int(e.weight),
		Has: e.ack, Sent: e.sent,
	}
	if !s.Leaving {
		r := t.row(e.id.Index())
		for p := range t.schema.in(t.schema.wire.Visible(e.own)) {
			if c.changed(k, r, p) > e.ack {
				s.Lacks |= 1 << p.number
			}
		}
	}
	return s
}

// AppendSees appends to dst a text that describes what c may see, a line per object, to check that
// a client does not see more than it should.
//
//	client 7 sees 2 objects at tick 120
//	slot 0  17    own  has tick 118, lacks place, ammo
//	slot 1  40v2       entering, lacks all of it
//	slot 4  31         leaving
func (c *Conn) AppendSees(dst []byte) []byte {
	n := 0
	for s := range c.Sees() {
		if !s.Leaving {
			n++
		}
	}
	dst = fmt.Appendf(dst, "client %d sees %d objects at tick %d\n", c.number, n,
		c.server.table.tick)
	for s := range c.Sees() {
		own := ""
		if s.Own {
			own = "own"
		}
		dst = fmt.Appendf(dst, "slot %-4d %-8v %-4s ", s.Slot, s.ID, own)
		switch {
		case s.Leaving:
			dst = append(dst, "leaving"...)
		case s.Has == 0:
			dst = append(dst, "entering, lacks all of it"...)
		default:
			dst = fmt.Appendf(dst, "has tick %d", s.Has)
			dst = c.server.table.schema.appendParts(dst, s.Lacks)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// appendParts appends the names of parts.
func (s *Schema) appendParts(dst []byte, mask uint32) []byte {
	between := ", lacks "
	for p := range s.wire.In(mask) {
		name := "its kinds"
		if p.Spec != nil {
			name = p.Spec.String()
		}
		dst = append(append(dst, between...), name...)
		between = ", "
	}
	return dst
}
