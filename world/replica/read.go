package replica

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// Apply applies a datagram: all of it or, with an error, nothing. Datagrams older than the mirror's
// state are dropped. Apply creates and disposes objects; [Mirror.Present] and, for own objects,
// [Predictor.Step] set values. Until then, new objects have the defaults of the recipe, so decide
// and draw after Present. The error is [ErrDamaged] or [ErrSchema], or wraps [world.ErrFull] or
// [world.ErrTooMany] if the world has no room, or [world.ErrWalking] in a walk.
//
// Only the server decides which of its objects exist: an object that leaves disposes no other
// object of the server, and layout.Disabled does not spread to them, whatever their relations say.
// The program's own objects that refer to it follow the policies, with Clear in place of Refuse.
func (m *Mirror) Apply(s world.State, datagram []byte) (world.State, error) {
	m.mustBeOpen()
	h, b, ok := wire.ReadHead(datagram)
	switch {
	case !ok:
		return s, ErrDamaged
	case h.Flags == wire.Refused:
		return s, ErrSchema
	case h.Flags == wire.Gone:
		m.clock.gone = true
		return s, nil
	}
	if m.acks.any && int32(h.Tick-m.base) <= 0 {
		m.late++
		return s, nil
	}
	r := &m.reading
	r.mirror, r.tick, r.base = m, h.Tick, h.Tick-uint32(h.Age)
	r.enters, r.kinds = 0, 0
	if h.Tick == 0 || h.Flags&^(wire.Whole|wire.HasEvents) != 0 || !r.check(b, &h) {
		return s, ErrDamaged
	}
	s, err := m.makeRoom(s)
	if err != nil {
		return s, err
	}
	s = r.apply(s, b, &h)
	for _, id := range r.spare {
		s = m.dispose(s, id)
	}
	m.acks.add(h.Sequence)
	m.base, m.used, m.slack = h.Tick, h.Used, h.Slack
	if h.Flags&wire.Whole != 0 {
		m.whole = h.Tick
	}
	m.updated, m.clock.silent, m.clock.gone = true, 0, false
	return s, nil
}

// makeRoom spawns the objects that a datagram adds, or returns an error if the world has no room
// for them and their kinds.
func (m *Mirror) makeRoom(s world.State) (world.State, error) {
	r := &m.reading
	r.spare = r.spare[:0]
	if tool.Walking(s) {
		return s, fmt.Errorf("replica: Apply in a walk: %w; call it after it", world.ErrWalking)
	}
	err := tool.CheckRoom(s, -1, r.enters)
	for _, k := range m.schema.kinds {
		if n, _ := tool.NumberOf(s, k); err == nil && r.kinds > 0 && !k.Spec().Mark {
			err = tool.CheckRoom(s, n, r.kinds)
		}
	}
	if err == nil && r.enters > 0 {
		s, err = world.SpawnN(s, m.schema.recipe, r.enters, r.spawned)
		slices.Reverse(r.spare)
	}
	if err != nil {
		return s, failure.Wrap("replica", err, "create the world with Schema.Counts",
			"there is no room for what the server shows")
	}
	return s, nil
}

// A reading is the decoding of a datagram: first checked, then applied.
type reading struct {
	reader  wire.Reader
	mirror  *Mirror
	tick    uint32
	base    uint32             // tick of differences
	enters  int                // objects that the datagram adds
	spare   []world.GameObject // spawned for them; used from the end
	spawned func(b world.Batch)
	kinds   int // objects whose kinds may change
	seen    [maxKnown / 64]uint64
	refs    []world.GameObject // targets of events' references, before the datagram
	value   [4 * wire.MaxEvent]byte
	places  [wire.MaxEvent / 2]uint16
}

// check reports whether the groups and events of a datagram can be applied.
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

// checkSlots reports whether the mirror has the values that the slots of a group need, without
// duplicates.
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
		case flags&wire.Enter != 0 && e.id == world.Nobody:
			r.enters++
		case e.id == world.Nobody, e.own != (flags&wire.Own != 0),
			flags&wire.Small != 0 && e.ticks[r.base%ringTicks] != r.base:
			return false
		}
	}
	return true
}

// apply applies a datagram that check accepted.
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

// values writes a column to the latest rows; differences are added to the rows of the base.
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

// checkEvents reports whether the events of a datagram can be applied, and saves their targets,
// which the same datagram may remove.
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

// applyEvents sends the events that did not arrive before in the mirror's world.
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
