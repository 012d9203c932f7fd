package replica

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// A seat is a slot of the server in a mirror: an object of the mirror's world, and its values in
// the last ticks. A seat has ringTicks rows by tick, and a row with the latest values.
type seat struct {
	id    world.GameObject // Nobody: none
	own   bool
	fresh bool   // the latest values were not shown yet
	tick  uint32 // of the latest values
	ticks [ringTicks]uint32
}

// between returns the rows between which a seat is shown, and whether to show it.
func (e *seat) between(k uint16, tick uint32, at float64) (shown, bool) {
	f := shown{k: k, a: ringTicks, b: ringTicks}
	if e.tick <= tick {
		fresh := e.fresh
		e.fresh = false
		return f, fresh
	}
	before, after := uint32(0), e.tick
	for i, t := range e.ticks {
		switch {
		case t == 0:
		case t <= tick && t > before:
			before, f.a = t, uint8(i)
		case t > tick && t < after:
			after, f.b = t, uint8(i)
		}
	}
	if before == 0 { // it came into sight later
		f.a = f.b
		return f, true
	}
	f.share = float32((at - float64(before)) / float64(after-before))
	return f, true
}

// A shown says how to show a seat: between two of its rows.
type shown struct {
	k     uint16
	a, b  uint8
	share float32
}

// A guess is an object that a step spawned and that the server has not sent yet.
type guess struct {
	id world.GameObject
	wire.Key
	left   int  // ticks until its disposal, after the server used its input
	hidden bool // the replay is before its input
}

// Acks record which datagrams arrived, for the server.
type acks struct {
	any    bool // something arrived
	last   uint16
	before uint32 // a bit for each of the 32 earlier datagrams
}

// add records an arrived datagram.
func (a *acks) add(sequence uint16) {
	ahead := sequence - a.last
	switch {
	case !a.any:
		a.before = 0
	case ahead == 0 || ahead >= 1<<15:
		return // not acknowledged
	case ahead > 32:
		a.before = 0
	default:
		a.before = a.before<<ahead | 1<<(ahead-1)
	}
	a.any, a.last = true, sequence
}
