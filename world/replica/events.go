package replica

import (
	"cmp"
	"slices"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// gather queues the events of this tick about objects that the client sees, type by type, because
// the order in the log may reveal hidden events that filled a ring. In ticks with events it costs a
// look at each object that the client sees.
func (v *View) gather() {
	n, c := v.log, v.conn
	c.queue.dropDone(v.table.tick)
	if n.first == n.count {
		return
	}
	v.heard = v.heard[:0]
	for k := range c.slots.all {
		e := &c.slots.all[k]
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
		if c.queue.next-c.queue.first == pending {
			c.stats.Unsaid++
			continue
		}
		p := c.queue.at(c.queue.next)
		*p = pend{occasion: h.occasion, slot: h.slot, tick: v.table.tick, places: p.places}
		v.resolve(p.places, h)
		c.queue.next++
	}
}

// resolve records which slots the references of an event had in its tick: an object that comes into
// sight later was not seen in the event.
func (v *View) resolve(places []uint16, h hearing) {
	_, value := v.log.at(h.occasion)
	for i, at := range v.table.schema.messages[h.which].Refs {
		places[i] = v.slotOf(world.GameObject(le.Uint64(value[at:])))
	}
}

// reserve returns the number of bytes of a datagram that are kept for events: at most half, and
// leaving room for the longest record.
func (v *View) reserve(room int) int {
	c, n := v.conn, 0
	for k := c.queue.first; k != c.queue.next; k++ {
		if p := c.queue.at(k); !p.done {
			o, _ := v.log.at(p.occasion)
			n += wire.EventStep + v.table.schema.messages[o.which].Width
		}
	}
	if n == 0 {
		return 0
	}
	left := c.flow.budget - v.table.schema.least + wire.EventHead + wire.MaxEvent
	return min(n+wire.EventHead, room/2, left)
}

// say appends the events that the client lacks, as far as there is room.
func (v *View) say(b []byte, room int) []byte {
	const perTick = 64 // events in a datagram
	c, at := v.conn, len(b)
	if room == 0 {
		return b
	}
	b = wire.AppendEvents(b, c.queue.first)
	last, count := c.queue.first, 0
	for k := c.queue.first; k != c.queue.next && count < perTick; k++ {
		p := c.queue.at(k)
		o, value := v.log.at(p.occasion)
		m := v.table.schema.messages[o.which]
		if p.done || len(b)-at+wire.EventStep+m.Width > room {
			continue
		}
		about, ok := v.about(p, o.about)
		if !ok {
			continue
		}
		b = m.Append(b, byte(k-last), o.which, value, v.slotsNow(m, value, about, p.places))
		p.in |= 1 << ((c.line.sequence - 1) % packets)
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

// slotsNow returns the slots of the references of an event: their slots in its tick, if these still
// stand for the same objects.
func (v *View) slotsNow(m *message, value []byte, about uint16, places []uint16) []uint16 {
	now := v.slotsOf[:len(m.Refs)]
	for i, at := range m.Refs {
		now[i] = places[i]
		switch id := world.GameObject(le.Uint64(value[at:])); {
		case i == m.About:
			now[i] = about
		case places[i] != 0 && v.conn.slots.all[places[i]-1].id != id:
			now[i] = 0
		}
	}
	return now
}

// slotOf returns the slot, plus one, of an object that the client sees or saw die, or 0. It reveals
// nothing about objects out of sight, and does not find an object by its index alone, because
// another object may reuse it.
func (v *View) slotOf(id world.GameObject) uint16 {
	if place := v.liveSlot(id); place != 0 {
		return place
	}
	if id == world.Nobody || world.Alive(v.state, id) {
		return 0
	}
	for k := range v.conn.slots.all {
		if e := &v.conn.slots.all[k]; e.id == id && e.state == leaving && e.gone {
			return uint16(k + 1)
		}
	}
	return 0
}

// about returns the slot, plus one, of the subject of an event, or 0 if the client no longer has
// it, and whether the event can be sent: it can if the client has the object when it has this
// datagram.
func (v *View) about(p *pend, id world.GameObject) (place uint16, ok bool) {
	e := &v.conn.slots.all[p.slot]
	if e.id != id || e.state == free {
		return 0, true
	}
	return p.slot + 1, e.state == leaving || e.ack != 0 || e.sent == v.table.tick
}
