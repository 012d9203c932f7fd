package replica

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/flatecs/flatecs/world"
)

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
		for m := t.schema.visible(e.own); m != 0; m &= m - 1 {
			if i := bits.TrailingZeros32(m); c.changed(k, r, i) > e.ack {
				s.Lacks |= 1 << i
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
	for m := mask; m != 0; m &= m - 1 {
		name := "its kinds"
		if p := &s.parts[bits.TrailingZeros32(m)]; p.spec != nil {
			name = p.spec.String()
		}
		dst = append(append(dst, between...), name...)
		between = ", "
	}
	return dst
}
