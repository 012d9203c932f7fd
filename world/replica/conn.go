package replica

import (
	"fmt"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// A phase is the state of a client's connection.
type phase uint8

const (
	unused  phase = iota
	silent        // nothing has arrived yet
	refused       // its schema differs
	joining       // Joined has not yielded it yet
	joined
)

// A Conn is one client of a [Server].
type Conn struct {
	table  *table
	log    *eventLog
	number int
	link   link.Link
	phase  phase
	heard  uint32 // tick of the last valid datagram
	slots  slots
	line   line
	flow   flow
	queue  queue
	keys   keys
	inputs inputs
	stats  Stats
	out    []byte // this tick's datagram
}

// Stats counts what was sent to a client since it joined.
type Stats struct {
	Datagrams   int // sent
	Bytes       int // bytes of these datagrams
	Entered     int // objects that were sent completely
	Updated     int // objects whose changed parts were sent
	Differences int // updated objects sent as differences
	Left        int // objects that left
	Budget      int // current limit of a datagram's bytes: lower if datagrams do not arrive
	Cut         int // datagrams without room for all objects
	Events      int // sent events, counting repetitions
	Unsaid      int // events not sent because too many waited
	Missed      int // events that the server's world lost before Send, since the server was created
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

// Number returns the number of a client, below [Options.Clients]. Another client may get it after
// this client is gone.
func (c *Conn) Number() int { return c.mustBeOpen().number }

// Stats returns counts of what was sent to c since it joined.
func (c *Conn) Stats() Stats {
	s := c.mustBeOpen().stats
	s.Budget, s.Missed = c.flow.budget, c.log.missed
	return s
}

// Drop gives a client up, and tells it; see [Mirror.Lost]. Use it for a player who leaves or must
// leave, outside of Send: dispose the player's objects, because Gone does not yield the client, and
// the next Accept may return this Conn, with its number. Dropping a Conn that is gone does nothing.
func (c *Conn) Drop() {
	if c.mustBeOpen().phase >= joining {
		c.link.Send(c.alone(wire.Gone))
	}
	c.phase = unused
}

// Resume gives a returning client another link, for example after its address changed. Both ends
// treat the interruption as a long loss.
func (c *Conn) Resume(l link.Link) {
	if c.mustBeOpen(); l == nil {
		panic("replica: Resume with a nil Link; give one that sends to the client")
	}
	c.link = l
}

func (c *Conn) receive() {
	const received = 16 // how many datagrams of a client are read in a tick, at most
	for range received {
		b, ok := c.link.Receive()
		if !ok {
			return
		}
		c.read(b)
	}
}

// read reads a datagram of a client, which may be any bytes.
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

// alone returns a datagram that is only a flag, for a client with another schema or one that was
// given up.
func (c *Conn) alone(flag uint8) []byte {
	return (&wire.Head{Flags: flag}).Finish(wire.Begin(c.out[:0]))
}

const keysKept = 32 // of a client

// A keyed is an object with a key.
type keyed struct {
	id world.GameObject
	wire.Key
}

// keys are the keys of the objects that were spawned for inputs of a client: a ring.
type keys struct {
	ring [keysKept]keyed
	last int
}

// Spawned reports that an object, such as a rocket, was spawned for an input of c. When the client
// sees the object of the n-th call for an input, it replaces the n-th object that the client's step
// spawned by [Predictor.Spawn] for that input. Call it in the tick of the input.
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

// AppendSees appends to dst a text that describes the objects that c may see, a line per object, to
// check that a client does not see more than it should.
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
	dst = fmt.Appendf(dst, "client %d sees %d objects at tick %d\n", c.number, n, c.table.tick)
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

// appendLacks appends the names of the parts of a slot that the client may see and lacks.
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

// changed returns the tick of the last change of a part of slot k, as far as this client should
// have it; r is the object's row. References are per client, and some parts wait for their turn.
func (c *Conn) changed(k int, r []uint32, p *part) uint32 {
	schema, stamp := c.table.schema, r[header+p.number]
	switch {
	case p.Ref:
		return c.slots.refTicks[k*len(schema.refs)+p.refs]
	case p.wire.once:
		return 0 // the client has it since the object came into sight
	case p.wire.every > 1 && stamp > c.slots.all[k].since:
		return turnOf(stamp, uint64(p.wire.every), c.table.tick)
	}
	return stamp
}

// turnOf returns the tick in which a change is sent of a part that is sent every n ticks. If that
// tick is in the future, it returns the turn before it: there may have been an earlier change.
func turnOf(stamp uint32, n uint64, now uint32) uint32 {
	turn := (uint64(stamp) + n - 1) / n * n
	if turn > uint64(now) {
		turn -= n
	}
	return uint32(turn)
}
