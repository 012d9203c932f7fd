package replica

import (
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

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
