package replica

import (
	"encoding/binary"
	"math/bits"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// A reading is the decoding of a datagram: first checked, then applied.
type reading struct {
	mirror  *Mirror
	b       []byte
	tick    uint32
	age     uint32 // ticks to that of differences; 0: there are none
	slots   []uint16
	enters  int                // objects that come
	spare   []world.GameObject // spawned for them; the next is the last
	spawned func(b world.Batch)
	kinds   int // objects whose kinds may change
	seen    [maxKnown / 64]uint64
	refs    []world.GameObject // what events refer to, before the datagram
	scratch [4 * maxEvent]byte
	wrong   bool
}

// check reports whether the groups of a datagram and its events can be applied.
func (r *reading) check(b []byte, groups int, events bool) bool {
	clear(r.seen[:(len(r.mirror.slots)+63)/64])
	r.b = b
	for range groups {
		mask, flags, ok := r.group()
		if !ok || !r.checkSlots(flags) || !r.keys(flags) {
			return false
		}
		for m := mask; m != 0; m &= m - 1 {
			p := &r.mirror.schema.parts[bits.TrailingZeros32(m)]
			b, ok := r.column(p, flags)
			if !ok || !r.checkValues(p, b) {
				return false
			}
		}
		if mask&1 != 0 {
			r.kinds += len(r.slots)
		}
	}
	if events {
		return r.checkEvents(r.b)
	}
	return len(r.b) == 0
}

// group reads the head and the slots of a group.
func (r *reading) group() (mask uint32, flags uint8, ok bool) {
	if len(r.b) == 0 {
		return 0, 0, false
	}
	flags, r.b = r.b[0], r.b[1:]
	visible := r.mirror.schema.visible(flags&groupOwn != 0)
	parts, ok := r.number(1<<32 - 1)
	n, also := r.number(uint64(len(r.b)))
	mask = uint32(parts)
	switch {
	case !ok || !also || mask&^visible != 0, flags >= 2*groupKey,
		flags&groupKey != 0 && flags&groupEnter == 0,
		flags&groupLeave != 0 && (flags != groupLeave || mask != 0),
		flags&groupEnter != 0 && (flags&groupSmall != 0 || mask != visible),
		flags&groupSmall != 0 && (r.age == 0 || r.age >= ringTicks):
		return 0, 0, false
	}
	r.slots = r.slots[:0]
	at := uint64(0)
	for i := range n {
		step, ok := r.number(uint64(len(r.mirror.slots)))
		if at += step; !ok || i > 0 && step == 0 || at >= uint64(len(r.mirror.slots)) {
			return 0, 0, false
		}
		r.slots = append(r.slots, uint16(at))
	}
	return mask, flags, true
}

// keys passes over the keys of a group, and reports whether they are there.
func (r *reading) keys(flags uint8) bool {
	if flags&groupKey == 0 {
		return true
	}
	n := keySize * len(r.slots)
	if n > len(r.b) {
		return false
	}
	r.b = r.b[n:]
	return true
}

// column returns the values of a part of a group, and whether they are there.
func (r *reading) column(p *part, flags uint8) (b []byte, ok bool) {
	n := p.sizeIn(flags) * len(r.slots)
	if p.most > 0 {
		rest := r.b
		for range r.slots {
			if _, _, rest, ok = p.list(rest); !ok {
				return nil, false
			}
		}
		n = len(r.b) - len(rest)
	}
	if n > len(r.b) {
		return nil, false
	}
	b, r.b = r.b[:n], r.b[n:]
	return b, true
}

// number reads a number of at most most.
func (r *reading) number(most uint64) (uint64, bool) {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > most {
		return 0, false
	}
	r.b = r.b[n:]
	return v, true
}

// checkSlots reports whether the mirror has what the slots of a group need, and each is named once.
func (r *reading) checkSlots(flags uint8) bool {
	m := r.mirror
	base := r.tick - r.age
	for _, k := range r.slots {
		if r.seen[k>>6]>>(k&63)&1 != 0 {
			return false
		}
		r.seen[k>>6] |= 1 << (k & 63)
		e := &m.slots[k]
		switch {
		case flags&groupLeave != 0:
		case flags&groupEnter != 0:
			if e.id == world.Nobody {
				r.enters++
			} else if e.own != (flags&groupOwn != 0) {
				return false
			}
		case e.id == world.Nobody, e.own != (flags&groupOwn != 0),
			flags&groupSmall != 0 && e.ticks[base%ringTicks] != base:
			return false
		}
	}
	return true
}

// checkValues reports whether values may be in a world.
func (r *reading) checkValues(p *part, b []byte) bool {
	switch {
	case p.spec == nil:
		for i := 0; i < len(b); i += p.width {
			if uint64(word(b[i:][:p.width]))>>len(r.mirror.schema.kinds) != 0 {
				return false
			}
		}
	case p.ref:
		for i := 0; i < len(b); i += 2 {
			if int(le.Uint16(b[i:])) > len(r.mirror.slots) {
				return false
			}
		}
	case p.most > 0:
		for len(b) > 0 {
			_, elements, rest, _ := p.list(b)
			if b = rest; !p.checkElements(elements) {
				return false
			}
		}
	case p.wire.form == raw:
		return p.spec.Check(b, 0) == nil
	}
	return true
}

// word returns up to four bytes as a number.
func word(b []byte) uint32 {
	var w [4]byte
	copy(w[:], b)
	return le.Uint32(w[:])
}

// apply applies what check has checked.
func (r *reading) apply(s world.State, b []byte, groups int, events bool) world.State {
	m := r.mirror
	r.b = b
	for range groups {
		mask, flags, _ := r.group()
		keys := r.b
		r.keys(flags)
		for i, k := range r.slots {
			switch {
			case flags&groupLeave != 0:
				s = m.leave(s, k)
			case flags&groupEnter != 0:
				of := key{}
				if flags&groupKey != 0 {
					of = readKey(keys, i)
				}
				s = m.enter(s, k, flags&groupOwn != 0, of)
			}
		}
		if flags&groupLeave != 0 {
			continue
		}
		for rest := mask; rest != 0; rest &= rest - 1 {
			p := &m.schema.parts[bits.TrailingZeros32(rest)]
			b, _ := r.column(p, flags)
			switch {
			case p.most > 0:
				r.lists(p, b)
			case flags&groupSmall != 0 && p.deltas >= 0:
				r.differences(p, b)
			default:
				r.values(p, b)
			}
		}
		for _, k := range r.slots {
			e := &m.slots[k]
			e.tick, e.fresh = r.tick, true
			e.ticks[r.tick%ringTicks] = r.tick
			copy(m.row(k, r.tick), m.latest(k))
			if mask&1 != 0 {
				s = m.setKinds(s, k)
			}
		}
	}
	if events {
		s = r.applyEvents(s, r.b)
	}
	return s
}

// values puts a column into the latest rows.
func (r *reading) values(p *part, b []byte) {
	for i, k := range r.slots {
		value, row := b[i*p.width:][:p.width], r.mirror.latest(k)[p.at:]
		for ; len(value) >= 4; value = value[4:] {
			row[0] = le.Uint32(value)
			row = row[1:]
		}
		if len(value) > 0 {
			row[0] = word(value)
		}
	}
}

// differences adds a column of bytes to the rows of the base.
func (r *reading) differences(p *part, b []byte) {
	base := r.tick - r.age
	for i, k := range r.slots {
		old, row := r.mirror.row(k, base)[p.at:], r.mirror.latest(k)[p.at:]
		var words [2]uint32
		for l, d := range b[i*p.lanes:][:p.lanes] {
			lane := uint16(p.wire.laneOf(old, l)) + uint16(int8(d))
			words[l>>1] |= uint32(lane) << (l & 1 * 16)
		}
		copy(row[:p.words], words[:])
	}
}

// checkEvents reports whether the events of a datagram can be applied, and keeps which objects they
// refer to that may go with the same datagram.
func (r *reading) checkEvents(b []byte) bool {
	r.refs = r.refs[:0]
	return r.eachEvent(b, func(m *message, _ uint16, b []byte) bool {
		for _, f := range m.fields {
			whole := r.value(r.scratch[:f.Stride], &b, f.Refs, func(place uint16) uint64 {
				if int(place) > len(r.mirror.slots) {
					r.wrong = true
					return 0
				}
				r.refs = append(r.refs, r.mirror.idOf(place))
				return 0
			})
			if r.wrong || f.Check(whole, 0) != nil {
				r.wrong = false
				return false
			}
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

// value reads the value of a field from b, and puts references as refer returns them.
func (r *reading) value(
	dst []byte, b *[]byte, refs []int, refer func(place uint16) uint64,
) []byte {
	from := 0
	for _, at := range refs {
		*b = (*b)[copy(dst[from:at], *b):]
		le.PutUint64(dst[at:], refer(le.Uint16(*b)))
		*b, from = (*b)[2:], at+8
	}
	*b = (*b)[copy(dst[from:], *b):]
	return dst
}

// eachEvent calls each for the events of a datagram, and reports whether they are all there is.
func (r *reading) eachEvent(b []byte, each func(m *message, number uint16, b []byte) bool) bool {
	if len(b) < eventHead-1 {
		return false
	}
	number, count := le.Uint16(b), int(b[2])
	b = b[3:]
	for i := range count {
		if len(b) < 2 || i > 0 && b[0] == 0 || int(b[1]) >= len(r.mirror.schema.messages) {
			return false
		}
		number += uint16(b[0])
		m := r.mirror.schema.messages[b[1]]
		if b = b[2:]; len(b) < m.width || !each(m, number, b[:m.width]) {
			return false
		}
		b = b[m.width:]
	}
	return len(b) == 0 && count > 0
}

// applyEvents sends those events to the mirror's world that did not come before.
func (r *reading) applyEvents(s world.State, b []byte) world.State {
	m, at := r.mirror, 0
	r.eachEvent(b, func(e *message, number uint16, b []byte) bool {
		last := &m.came[number%pending]
		fresh := *last == 0 || int16(number-uint16(*last-1)) > 0
		batch := systems.EventBatch{}
		if fresh {
			*last = uint32(number) + 1
			s, batch = e.events.Send(s)
		}
		for _, f := range e.fields {
			whole := r.value(r.scratch[:f.Stride], &b, f.Refs, func(place uint16) uint64 {
				id := r.refs[at]
				if at++; id == world.Nobody {
					id = m.idOf(place)
				}
				return uint64(id)
			})
			if fresh {
				copy(systems.EventBytes(batch, f), whole)
			}
		}
		return true
	})
	return s
}
