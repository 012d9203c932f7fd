package replica

import (
	"encoding/binary"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

var le = binary.LittleEndian

// A reading is the decoding of a datagram: first checked, then applied.
type reading struct {
	reader  wire.Reader
	mirror  *Mirror
	tick    uint32
	base    uint32             // tick of differences
	enters  int                // objects that come
	spare   []world.GameObject // spawned for them; the next is the last
	spawned func(b world.Batch)
	kinds   int // objects whose kinds may change
	seen    [maxKnown / 64]uint64
	refs    []world.GameObject // what events refer to, before the datagram
	value   [4 * wire.MaxEvent]byte
	places  [wire.MaxEvent / 2]uint16
}

// check reports whether the groups of a datagram and its events can be applied.
func (r *reading) check(b []byte, h *wire.Head) bool {
	clear(r.seen[:(len(r.mirror.slots)+63)/64])
	r.reader.Begin(b, h.Age > 0 && h.Age < ringTicks)
	for range h.Groups {
		if !r.reader.Next() || !r.checkSlots() || !r.reader.CheckColumns() {
			return false
		}
		if r.reader.Mask&1 != 0 {
			r.kinds += len(r.reader.Slots)
		}
	}
	if h.Flags&wire.HasEvents != 0 {
		return r.checkEvents(r.reader.Rest())
	}
	return len(r.reader.Rest()) == 0
}

// checkSlots reports whether the mirror has what the slots of a group need, and each is named once.
func (r *reading) checkSlots() bool {
	m, flags := r.mirror, r.reader.Flags
	for _, k := range r.reader.Slots {
		if r.seen[k>>6]>>(k&63)&1 != 0 {
			return false
		}
		r.seen[k>>6] |= 1 << (k & 63)
		e := &m.slots[k]
		switch {
		case flags&wire.Leave != 0:
		case flags&wire.Enter != 0:
			if e.id == world.Nobody {
				r.enters++
			} else if e.own != (flags&wire.Own != 0) {
				return false
			}
		case e.id == world.Nobody, e.own != (flags&wire.Own != 0),
			flags&wire.Small != 0 && e.ticks[r.base%ringTicks] != r.base:
			return false
		}
	}
	return true
}

// apply applies what check has checked.
func (r *reading) apply(s world.State, b []byte, h *wire.Head) world.State {
	m := r.mirror
	r.reader.Begin(b, true)
	for range h.Groups {
		r.reader.Next()
		for i, k := range r.reader.Slots {
			switch {
			case r.reader.Flags&wire.Leave != 0:
				s = m.leave(s, k)
			case r.reader.Flags&wire.Enter != 0:
				s = m.enter(s, k, r.reader.Flags&wire.Own != 0, r.reader.Key(i))
			}
		}
		if r.reader.Flags&wire.Leave != 0 {
			continue
		}
		for p := range m.schema.in(r.reader.Mask) {
			r.values(p)
		}
		for _, k := range r.reader.Slots {
			e := &m.slots[k]
			e.tick, e.fresh = r.tick, true
			e.ticks[r.tick%ringTicks] = r.tick
			copy(m.row(k, r.tick), m.latest(k))
			if r.reader.Mask&1 != 0 {
				s = m.setKinds(s, k)
			}
		}
	}
	if h.Flags&wire.HasEvents != 0 {
		s = r.applyEvents(s, r.reader.Rest())
	}
	return s
}

// values puts a column into the latest rows; differences are added to the rows of the base.
func (r *reading) values(p *part) {
	b, _ := r.reader.Column(p.Part)
	for _, k := range r.reader.Slots {
		row := r.mirror.latest(k)
		if r.reader.Flags&wire.Small != 0 && p.Delta {
			b = p.ReadDifference(row, r.mirror.row(k, r.base), b)
		} else {
			b = p.Read(row, b)
		}
	}
}

// read reads an event, and returns its value, and the slots of its references.
func (r *reading) read(e *message, b []byte) (value []byte, places []uint16) {
	value, places = r.value[:e.Size], r.places[:len(e.Refs)]
	e.Read(value, places, b)
	return value, places
}

// checkEvents reports whether the events of a datagram can be applied, and keeps which objects they
// refer to that may go with the same datagram.
func (r *reading) checkEvents(b []byte) bool {
	m := r.mirror
	r.refs = r.refs[:0]
	return m.schema.wire.EachEvent(b, func(which int, _ uint16, b []byte) bool {
		e := m.schema.messages[which]
		value, places := r.read(e, b)
		if !e.Check(value, places, len(m.slots)) {
			return false
		}
		for _, place := range places {
			r.refs = append(r.refs, m.idOf(place))
		}
		return true
	})
}

// idOf returns the object of a slot plus one.
func (m *Mirror) idOf(place uint16) world.GameObject {
	if place == 0 {
		return world.Nobody
	}
	return m.slots[place-1].id
}

// applyEvents sends those events to the mirror's world that did not come before.
func (r *reading) applyEvents(s world.State, b []byte) world.State {
	m, refs := r.mirror, r.refs
	m.schema.wire.EachEvent(b, func(which int, number uint16, b []byte) bool {
		e := m.schema.messages[which]
		value, places := r.read(e, b)
		were := refs[:len(places)]
		refs = refs[len(places):]
		last := &m.came[number%pending]
		if *last != 0 && int16(number-uint16(*last-1)) <= 0 {
			return true
		}
		*last = uint32(number) + 1
		for i, id := range were {
			if id == world.Nobody {
				id = m.idOf(places[i])
			}
			le.PutUint64(value[e.Refs[i]:], uint64(id))
		}
		var batch systems.EventBatch
		s, batch = e.events.Send(s)
		for _, f := range e.Fields {
			value = value[copy(systems.EventBytes(batch, f), value):]
		}
		return true
	})
	return s
}
