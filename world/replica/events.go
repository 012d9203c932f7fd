package replica

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

const (
	repeats = 10  // ticks that an event is sent in, until it is acknowledged
	pending = 128 // events of a client that may wait for that
	perTick = 64  // events in a datagram
)

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

// A message is a type of events that are sent.
type message struct {
	*wire.Event
	events  world.Events
	readers []world.EventReader
	number  uint8
}

// An occasion is an event of the last ticks, once for all clients.
type occasion struct {
	about world.GameObject
	next  uint32 // place in this tick, plus one, of an earlier one about the same index
	which uint8  // of Schema.messages
}

// News are the events of the last ticks: a ring of occasions, of which count were ever noted. It
// has room for what the world keeps, and grows if more are sent in a tick: what a client does not
// see must not push out what it sees.
type news struct {
	messages []*message
	keepers  []*systems.EventKeeper // per message: takes what the world is about to lose
	taken    []uint64               // per message: the number of the next event
	missed   int                    // that the world lost before
	ring     []occasion
	bytes    []byte // maxSize per occasion
	stride   int
	count    uint64
	first    uint64          // of this tick
	before   [repeats]uint64 // the first of the ticks before: those that a client may still be sent
	heads    []uint32
}

// maxNews is how many occasions are kept at most.
const maxNews = 1 << 16

func newNews(s world.State, c *Schema, indexes int) *news {
	n := &news{messages: c.messages, taken: make([]uint64, len(c.messages))}
	room := 0
	for i, m := range c.messages {
		_, n.taken[i] = systems.EventsFrom(s, m.events, 0)
		n.stride = max(n.stride, m.Size)
		room += tool.Cap(s, systems.EventKind(m.events))
		n.keepers = append(n.keepers, &systems.EventKeeper{
			Keep: func(number uint64, e world.EventBatch) { n.keep(i, number, e) },
		})
		systems.KeepEvents(s, m.events, n.keepers[i])
	}
	if room > 0 {
		n.grow(room * (repeats + 1))
		n.heads = make([]uint32, indexes)
	}
	return n
}

// grow makes room for so many occasions.
func (n *news) grow(room int) {
	old := *n
	n.ring, n.bytes = make([]occasion, room), make([]byte, room*n.stride)
	for k := old.count - min(old.count, uint64(len(old.ring))); k < old.count; k++ {
		was, value := old.at(k)
		o, dst := n.at(k)
		*o = *was
		copy(dst, value)
	}
}

// keep takes in event number of a type, or passes over it if it was taken.
func (n *news) keep(i int, number uint64, e world.EventBatch) {
	if number < n.taken[i] {
		return
	}
	n.missed += int(number - n.taken[i])
	n.taken[i] = number + 1
	n.note(n.messages[i], e, 0)
}

// at returns the place of an occasion, and its bytes.
func (n *news) at(number uint64) (*occasion, []byte) {
	i := int(number % uint64(len(n.ring)))
	return &n.ring[i], n.bytes[i*n.stride:][:n.stride]
}

// collect takes in the events since the last call. A world that went back has none.
func (n *news) collect(s world.State) {
	for i, m := range n.messages {
		systems.KeepEvents(s, m.events, n.keepers[i]) // of another world, such as a larger one
		got, next := systems.EventsFrom(s, m.events, n.taken[i])
		n.missed += int(next-min(n.taken[i], next)) - got.Len()
		n.taken[i] = next
		for _, b := range got.Batches() {
			for k := range b.Len() {
				n.note(m, b, k)
			}
		}
	}
}

// note takes in event k of a batch.
func (n *news) note(m *message, b world.EventBatch, k int) {
	if n.count-n.before[0] >= uint64(len(n.ring)) {
		if 2*len(n.ring) > maxNews {
			n.missed++
			return
		}
		n.grow(2 * len(n.ring))
	}
	o, dst := n.at(n.count)
	*o = occasion{which: m.number}
	for _, f := range m.Fields {
		value := systems.EventBytes(b, f)[k*f.Stride:][:f.Stride]
		dst = dst[copy(dst, value):]
		if f == m.To {
			o.about = world.GameObject(le.Uint64(value))
		}
	}
	if i := o.about.Index(); o.about != world.Nobody && uint(i) < uint(len(n.heads)) {
		o.next = n.heads[i]
		n.count++
		n.heads[i] = uint32(n.count - n.first)
	}
}

// forget ends the tick: no index has news any more.
func (n *news) forget() {
	for k := n.first; k < n.count; k++ {
		o, _ := n.at(k)
		n.heads[o.about.Index()] = 0
	}
	copy(n.before[:], n.before[1:])
	n.before[repeats-1], n.first = n.first, n.count
}

// A pend is an event that a client may still have to be sent.
type pend struct {
	occasion uint64
	tick     uint32 // when it was
	slot     uint16 // of the object that it is about
	in       uint32 // sequence numbers, modulo 32, of the datagrams that had it
	done     bool
	places   []uint16 // slots, plus one, of its references
}

// A hearing is an event of this tick about the object of a slot.
type hearing struct {
	occasion uint64
	slot     uint16
	which    uint8
}

// gather queues the events of this tick about objects that the client sees, type by type: news has
// them in another order if a ring was full, maybe of hidden events. The cost is that of a look per
// object that the client sees, in ticks with events.
func (v *View) gather() {
	n, c := v.server.news, v.conn
	c.settleEvents(v.table.tick)
	if n.first == n.count {
		return
	}
	v.heard = v.heard[:0]
	for k := range c.slots {
		e := &c.slots[k]
		if e.state == free || n.heads[e.id.Index()] == 0 ||
			e.state == leaving && (e.since != v.table.tick || !e.gone) {
			continue
		}
		for at := n.heads[e.id.Index()]; at != 0; {
			o, _ := n.at(n.first + uint64(at-1))
			switch {
			case o.about != e.id:
			case len(v.heard) == cap(v.heard):
				c.stats.Unsaid++
			default:
				v.heard = append(v.heard, hearing{n.first + uint64(at-1), uint16(k), o.which})
			}
			at = o.next
		}
	}
	slices.SortFunc(v.heard, func(a, b hearing) int {
		return cmp.Or(cmp.Compare(a.which, b.which), cmp.Compare(a.occasion, b.occasion))
	})
	for _, h := range v.heard {
		if c.nextEvent-c.firstEvent == pending {
			c.stats.Unsaid++
			continue
		}
		p := &c.events[c.nextEvent%pending]
		*p = pend{occasion: h.occasion, slot: h.slot, tick: v.table.tick, places: p.places}
		v.resolve(p.places, h)
		c.nextEvent++
	}
}

// resolve notes what the references of an event are to the client in its tick: who comes into sight
// later was not seen to do it.
func (v *View) resolve(places []uint16, h hearing) {
	_, value := v.server.news.at(h.occasion)
	for i, at := range v.table.schema.messages[h.which].Refs {
		places[i] = v.slotOf(world.GameObject(le.Uint64(value[at:])))
	}
}

// settleEvents forgets events that arrived, and those that are too old.
func (c *Conn) settleEvents(now uint32) {
	for ; c.firstEvent != c.nextEvent; c.firstEvent++ {
		if p := &c.events[c.firstEvent%pending]; !p.done && now-p.tick < repeats {
			return
		}
	}
}

// reserve returns how many bytes of a datagram are kept for events: at most half of them, and not
// those of the longest record.
func (v *View) reserve(room int) int {
	c, n := v.conn, 0
	for k := c.firstEvent; k != c.nextEvent; k++ {
		if p := &c.events[k%pending]; !p.done {
			o, _ := v.server.news.at(p.occasion)
			n += wire.EventStep + v.table.schema.messages[o.which].Width
		}
	}
	if n == 0 {
		return 0
	}
	left := c.flow.budget - v.table.schema.least + wire.EventHead + wire.MaxEvent
	return min(n+wire.EventHead, room/2, left)
}

// say appends the events that the client does not have, as far as there is room.
func (v *View) say(b []byte, room int) []byte {
	c, at := v.conn, len(b)
	if room == 0 {
		return b
	}
	b = wire.AppendEvents(b, c.firstEvent)
	last, count := c.firstEvent, 0
	for k := c.firstEvent; k != c.nextEvent && count < perTick; k++ {
		p := &c.events[k%pending]
		o, value := v.server.news.at(p.occasion)
		m := v.table.schema.messages[o.which]
		if p.done || len(b)-at+wire.EventStep+m.Width > room {
			continue
		}
		about, ok := v.about(p, o.about)
		if !ok {
			continue
		}
		b = m.Append(b, byte(k-last), o.which, value, v.slotsNow(m, value, about, p.places))
		p.in |= 1 << ((c.sequence - 1) % packets)
		last = k
		count++
	}
	if count == 0 {
		return b[:at]
	}
	wire.FinishEvents(b[at:], count)
	c.stats.Events += count
	return b
}

// slotsNow returns the slots of the references of an event: those that they were to in its tick, if
// those are of the same objects.
func (v *View) slotsNow(m *message, value []byte, about uint16, places []uint16) []uint16 {
	now := v.slotsOf[:len(m.Refs)]
	for i, at := range m.Refs {
		now[i] = places[i]
		switch id := world.GameObject(le.Uint64(value[at:])); {
		case i == m.About:
			now[i] = about
		case places[i] != 0 && v.conn.slots[places[i]-1].id != id:
			now[i] = 0
		}
	}
	return now
}

// slotOf returns the slot, plus one, of an object that the client sees or saw die, or 0. Of objects
// out of sight nothing is told, and none is found by its index alone, which others use again.
func (v *View) slotOf(id world.GameObject) uint16 {
	if place := v.liveSlot(id); place != 0 {
		return place
	}
	if id == world.Nobody || world.Alive(v.state, id) {
		return 0
	}
	for k := range v.conn.slots {
		if e := &v.conn.slots[k]; e.id == id && e.state == leaving && e.gone {
			return uint16(k + 1)
		}
	}
	return 0
}

// about returns the slot, plus one, of the object that an event is about, or 0 if the client does
// not have it any more, and whether the event can be sent: the client has the object when it has
// this datagram.
func (v *View) about(p *pend, id world.GameObject) (place uint16, ok bool) {
	e := &v.conn.slots[p.slot]
	if e.id != id || e.state == free {
		return 0, true
	}
	return p.slot + 1, e.state == leaving || e.ack != 0 || e.sent == v.table.tick
}

// heardOf marks the events of a datagram that arrived.
func (c *Conn) heardOf(sequence uint16) {
	for k := c.firstEvent; k != c.nextEvent; k++ {
		if p := &c.events[k%pending]; p.in>>(sequence%packets)&1 != 0 {
			p.done = true
		}
	}
}
