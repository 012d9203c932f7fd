package replica

import (
	"math/bits"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// A state is the server's state of a slot.
type state uint8

const (
	free    state = iota
	live          // stands for an object that the client may see
	leaving       // the client is told that it may no longer see the object
)

// A slot is one object of a client. It records the acknowledged tick, and no values.
type slot struct {
	id       world.GameObject
	since    uint32 // tick in which it came into sight, or began to leave
	ack      uint32 // tick of which the client has all data; 0: none
	sent     uint32 // tick of the last datagram that contained it; 0: none
	seen     uint32 // tick in which it was last named
	in       uint32 // sequence numbers, modulo 32, of the packets since then that contained it
	priority uint16
	state    state
	weight   uint8
	group    uint8 // of parts to send, or none
	own      bool
	owned    bool     // named as own in this tick
	chosen   bool     // sent in this tick, if some are not
	gone     bool     // leaves because it was disposed
	alive    bool     // exists in the world of this tick
	key      wire.Key // for its enter record
}

// slots are the objects of a client.
type slots struct {
	all      []slot   // slots that were ever used
	empty    []uint16 // free ones
	refs     []uint16 // per slot and reference: the target that was sent, as slot + 1
	refTicks []uint32 // per slot and reference: tick of the last change
	per      int      // references of a slot
}

func newSlots(known, refs int) slots {
	return slots{
		all: make([]slot, 0, known), empty: make([]uint16, 0, known),
		refs: make([]uint16, refs*known), refTicks: make([]uint32, refs*known), per: refs,
	}
}

// take returns a free slot, if there is one.
func (s *slots) take() (k uint16, ok bool) {
	if n := len(s.empty); n > 0 {
		k, s.empty = s.empty[n-1], s.empty[:n-1]
		return k, true
	}
	if len(s.all) == cap(s.all) {
		return 0, false
	}
	s.all = s.all[:len(s.all)+1]
	return uint16(len(s.all) - 1), true
}

// put puts an object without references into a slot.
func (s *slots) put(k uint16, e slot) {
	s.all[k] = e
	for r := range s.per {
		at := int(k)*s.per + r
		s.refs[at], s.refTicks[at] = 0, e.since
	}
}

func (s *slots) release(k uint16) {
	s.all[k] = slot{}
	s.empty = append(s.empty, k)
}

// refer records the target slot, plus one, of a reference of a slot.
func (s *slots) refer(k, ref int, to uint16, tick uint32) {
	if at := k*s.per + ref; s.refs[at] != to {
		s.refs[at], s.refTicks[at] = to, tick
	}
}

// leaveAll makes the client give back all possible slots.
func (s *slots) leaveAll(tick uint32) {
	s.all, s.empty = s.all[:cap(s.all)], s.empty[:0]
	for k := range s.all {
		s.all[k] = slot{state: leaving, since: tick}
	}
}

// arrive records, for each slot, the newest packet that arrived and contained it, frees slots whose
// leaving the client has acknowledged, and makes room for the next packet. It is called once per
// tick, for all acknowledgements.
func (s *slots) arrive(l *line) {
	arrived := uint32(0)
	for _, sequence := range l.arrived {
		arrived |= 1 << (sequence % packets)
	}
	next := l.sequence % packets
	leave := uint32(0)
	for k := range s.all {
		e := &s.all[k]
		if in := e.in & arrived; in != 0 {
			if e.state == leaving {
				leave |= in
				continue
			}
			in = bits.RotateLeft32(in, -int(next)) // the oldest packet has the lowest bit
			newest := next + uint16(bits.Len32(in)) - 1
			e.ack = max(e.ack, l.packets[newest%packets].tick)
		}
		e.in &^= 1 << next
	}
	for _, sequence := range l.arrived {
		if leave>>(sequence%packets)&1 == 0 {
			continue
		}
		for k := range s.all {
			if e := &s.all[k]; e.state == leaving && e.in>>(sequence%packets)&1 != 0 {
				s.release(uint16(k))
			}
		}
	}
}
