package replica

import (
	"fmt"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// A phase is how far a client has come.
type phase uint8

const (
	unused  phase = iota
	silent        // nothing came yet
	refused       // its schema is another one
	joining       // Joined did not yield it yet
	joined
)

// A Conn is one client of a [Server].
type Conn struct {
	table  *table
	log    *eventLog
	number int
	link   link.Link
	phase  phase
	heard  uint32 // tick of the last datagram that made sense
	slots  slots
	line   line
	flow   flow
	queue  queue
	keys   keys
	inputs inputs
	stats  Stats
	out    []byte // the datagram of this tick
}

// Stats counts what was sent to a client since it joined.
type Stats struct {
	Datagrams   int // sent
	Bytes       int // of them
	Entered     int // objects that were sent as a whole
	Updated     int // objects whose changed parts were sent
	Differences int // those of them that were sent as differences
	Left        int // objects that left
	Budget      int // current limit of a datagram's bytes: lower if datagrams do not arrive
	Cut         int // datagrams that did not have room for all
	Events      int // events that were sent, each time
	Unsaid      int // events that were not sent, because too many waited
	Missed      int // events of the server that its world lost before Send, since it was made
	NoSlot      int // objects beyond Options.Known
	Refused     int // invalid datagrams of the client
}

func (c *Conn) reset() {
	c.slots.all, c.slots.empty = c.slots.all[:0], c.slots.empty[:0]
	c.line.reset()
	c.flow.reset()
	c.queue.first, c.queue.next = 1, 1
	c.inputs.reset()
	c.keys, c.stats = keys{}, Stats{}
}

func (c *Conn) mustBeOpen() *Conn {
	if c == nil || c.table == nil {
		panic("replica: this Conn is nil or zero; take one of Accept or Joined")
	}
	return c
}

// Number returns the number of a client, below [Options.Clients]. Another client may get it when
// this one is gone.
func (c *Conn) Number() int { return c.mustBeOpen().number }

// Stats returns counts of what was sent to c since it joined.
func (c *Conn) Stats() Stats {
	s := c.mustBeOpen().stats
	s.Budget, s.Missed = c.flow.budget, c.log.missed
	return s
}

// Resume gives a returning client another link, for example after its address changed. To both ends
// it looks like a long loss.
func (c *Conn) Resume(l link.Link) {
	if c.mustBeOpen(); l == nil {
		panic("replica: Resume with a nil Link; give one that sends to the client")
	}
	c.link = l
}

// received is how many datagrams of a client are read in a tick, at most.
const received = 16

func (c *Conn) receive() {
	for range received {
		b, ok := c.link.Receive()
		if !ok {
			return
		}
		c.read(b)
	}
}

// read reads a datagram of a client. It may be anything.
func (c *Conn) read(b []byte) {
	u, inputs, ok := wire.ReadUp(b)
	if !ok {
		c.stats.Refused++
		return
	}
	if u.Schema != c.table.schema.wire.Hash {
		c.stats.Refused++
		if c.phase == silent {
			c.phase = refused
		}
		return
	}
	n := int(u.Inputs)
	if len(inputs) != n*c.inputs.size || u.Flags&^wire.Acks != 0 || c.phase == refused {
		c.stats.Refused++
		return
	}
	if c.phase == silent {
		c.phase = joining
	}
	if u.Flags&wire.Acks != 0 && !c.line.acknowledge(u.Last, u.Before, c.table.tick) {
		c.stats.Refused++
		return
	}
	c.heard = c.table.tick
	if n > 0 {
		c.inputs.skipTo(u.First)
	}
	for i := range n {
		c.inputs.put(u.First+uint16(i), Moment(u.Seen), inputs[i*c.inputs.size:][:c.inputs.size])
	}
}

// alone returns the datagram of a flag alone: for a client of another schema, or one that was given
// up.
func (c *Conn) alone(flag uint8) []byte {
	return (&wire.Head{Flags: flag}).Finish(wire.Begin(c.out[:0]))
}

const keysKept = 32 // of a client

// A keyed is an object that has a key.
type keyed struct {
	id world.GameObject
	wire.Key
}

// Keys are those of the objects that were spawned for inputs of a client: a ring.
type keys struct {
	ring [keysKept]keyed
	last int
}

// Spawned reports that an object, such as a rocket, was spawned for an input of c. The object of
// the n-th call for an input replaces the n-th object that the client's step spawned by
// [Predictor.Spawn] for it, when the client sees it. Call it in the tick of the input.
func (c *Conn) Spawned(in Input, id world.GameObject) {
	last := &c.mustBeOpen().keys.ring[c.keys.last%keysKept]
	k := wire.Key{Number: in.Number, Count: 1}
	if last.Number == in.Number && last.Count != 0 {
		k.Count = last.Count + 1
	}
	c.keys.last++
	c.keys.ring[c.keys.last%keysKept] = keyed{id, k}
}

// of returns the key of an object.
func (k *keys) of(id world.GameObject) wire.Key {
	for i := range k.ring {
		if k.ring[i].id == id {
			return k.ring[i].Key
		}
	}
	return wire.Key{}
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
	for k := range c.mustBeOpen().slots.all {
		if c.slots.all[k].state == live {
			n++
		}
	}
	dst = fmt.Appendf(dst, "client %d sees %d objects at tick %d\n", c.number, n,
		c.table.tick)
	for k := range c.slots.all {
		e := &c.slots.all[k]
		if e.state == free {
			continue
		}
		own := ""
		if e.own {
			own = "own"
		}
		dst = fmt.Appendf(dst, "slot %-4d %-8v %-4s ", k, e.id, own)
		switch {
		case e.state == leaving:
			dst = append(dst, "leaving"...)
		case e.ack == 0:
			dst = append(dst, "entering, lacks all of it"...)
		default:
			dst = fmt.Appendf(dst, "has tick %d", e.ack)
			dst = c.appendLacks(dst, k)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// appendLacks appends the names of the parts of a slot that the client may see and does not have.
func (c *Conn) appendLacks(dst []byte, k int) []byte {
	e, t := &c.slots.all[k], c.table
	between, r := ", lacks ", t.row(e.id.Index())
	for p := range t.schema.in(t.schema.wire.Visible(e.own)) {
		if c.changed(k, r, p) <= e.ack {
			continue
		}
		name := "its kinds"
		if p.Spec != nil {
			name = p.Spec.String()
		}
		dst = append(append(dst, between...), name...)
		between = ", "
	}
	return dst
}

// changed returns the tick of the last change of a part of slot k, whose object has a row, as this
// client is to have it: of references as it has the objects, of others not before their turn.
func (c *Conn) changed(k int, r []uint32, p *part) uint32 {
	schema, stamp := c.table.schema, r[header+p.number]
	switch {
	case p.Ref:
		return c.slots.refTicks[k*len(schema.refs)+p.refs]
	case p.wire.once:
		return 0 // the client has it since the object came in
	case p.wire.every > 1 && stamp > c.slots.all[k].since:
		return turnOf(stamp, uint64(p.wire.every), c.table.tick)
	}
	return stamp
}

// turnOf returns the tick in which a change is sent of a part that is sent every n ticks. If that
// is still to come, it is the turn before: there may have been an earlier change.
func turnOf(stamp uint32, n uint64, now uint32) uint32 {
	turn := (uint64(stamp) + n - 1) / n * n
	if turn > uint64(now) {
		turn -= n
	}
	return uint32(turn)
}
