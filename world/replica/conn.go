package replica

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

const (
	packets    = 32  // on their way, that an acknowledgement may name
	maxRecords = 384 // in a datagram
	maxGroups  = 32  // in a datagram
	minRetry   = 4   // ticks until what was not acknowledged is sent again
)

// A state is what the server knows of a slot.
type state uint8

const (
	free    state = iota
	live          // it stands for an object that the client may see
	leaving       // the client is told that it may not any more
)

// A slot is one object of a client: what it was told is a tick, and no values.
type slot struct {
	id       world.GameObject
	since    uint32 // tick in which it came in, or began to leave
	ack      uint32 // tick of which the client has all of it; 0: none
	sent     uint32 // tick of the last datagram that had it; 0: none
	seen     uint32 // tick in which it was last named
	in       uint32 // sequence numbers, modulo 32, of the packets since then that had it
	priority uint16
	state    state
	weight   uint8
	group    uint8 // of parts that are to be sent, or none
	own      bool
	owned    bool     // named as own in this tick
	chosen   bool     // sent in this tick, if not all are
	gone     bool     // it leaves as it was disposed
	alive    bool     // in the world of this tick
	key      wire.Key // for its enter record
}

// A packet is a datagram that may be acknowledged. What it had is in the slots.
type packet struct {
	out      bool
	sequence uint16
	size     uint16 // bytes
	tick     uint32
}

// A Conn is one client of a [Server].
type Conn struct {
	server                *Server
	number                int
	link                  link.Link
	phase                 phase
	slots                 []slot   // all that were ever used
	empty                 []uint16 // free ones
	refs                  []uint16 // per slot and reference: what the client was told, as slot + 1
	refTicks              []uint32 // per slot and reference: tick in which that changed
	packets               [packets]packet
	sequence              uint16   // of the next packet
	arrived               []uint16 // sequence numbers that were acknowledged since the last one
	firstEvent, nextEvent uint16   // numbers of those in events
	base                  uint32   // newest acknowledged tick
	heard                 uint32   // tick of the last datagram that made sense
	trip                  uint32   // ticks from a datagram to its acknowledgement, times 8
	inputs                inputs
	flow                  flow
	events                []pend          // a ring by number
	keys                  [keysKept]keyed // a ring
	lastKey               int
	stats                 Stats
	out                   []byte // the datagram of this tick
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
	c.slots, c.empty = c.slots[:0], c.empty[:0]
	for i := range c.packets {
		c.packets[i].out, c.packets[i].sequence = false, 0
	}
	c.sequence, c.base, c.trip, c.stats = 1, 0, 0, Stats{}
	c.arrived = c.arrived[:0]
	c.inputs.reset()
	c.firstEvent, c.nextEvent = 1, 1
	c.keys, c.lastKey = [keysKept]keyed{}, 0
	c.flow = flow{budget: c.server.options.Budget}
}

// acknowledge processes an acknowledgement of packet last and, for each bit i of before, of packet
// last-1-i. It may be anything: it harms nobody but the client that sends it.
func (c *Conn) acknowledge(last uint16, before uint32) bool {
	if c.sequence-1-last >= packets {
		return false
	}
	c.acknowledgeOne(last)
	for ; before != 0; before &= before - 1 {
		c.acknowledgeOne(last - 1 - uint16(bits.TrailingZeros32(before)))
	}
	return true
}

func (c *Conn) acknowledgeOne(sequence uint16) {
	p := &c.packets[sequence%packets]
	if !p.out || p.sequence != sequence {
		return
	}
	p.out = false
	c.heardOf(sequence)
	trip := c.server.table.tick - p.tick
	if c.trip == 0 {
		c.trip = 8 * trip
	} else {
		c.trip += trip - c.trip/8
	}
	c.base = max(c.base, p.tick)
	c.arrived = append(c.arrived, sequence)
}

// arrive notes, of each slot, the newest packet that arrived and had it, frees those of which the
// client knows that they leave, and makes room for the next packet. It is done once per tick, for
// all acknowledgements.
func (c *Conn) arrive() {
	arrived := uint32(0)
	for _, sequence := range c.arrived {
		arrived |= 1 << (sequence % packets)
	}
	next := c.sequence % packets
	leave := uint32(0)
	for k := range c.slots {
		e := &c.slots[k]
		if in := e.in & arrived; in != 0 {
			if e.state == leaving {
				leave |= in
				continue
			}
			in = bits.RotateLeft32(in, -int(next)) // the oldest packet has the lowest bit
			newest := next + uint16(bits.Len32(in)) - 1
			e.ack = max(e.ack, c.packets[newest%packets].tick)
		}
		e.in &^= 1 << next
	}
	for _, sequence := range c.arrived {
		if leave>>(sequence%packets)&1 == 0 {
			continue
		}
		for k := range c.slots {
			if e := &c.slots[k]; e.state == leaving && e.in>>(sequence%packets)&1 != 0 {
				c.release(uint16(k))
			}
		}
	}
	c.arrived = c.arrived[:0]
}

func (c *Conn) release(k uint16) {
	c.slots[k] = slot{}
	c.empty = append(c.empty, k)
}

// retry is the number of ticks until what was not acknowledged is sent again.
func (c *Conn) retry() uint32 { return max(minRetry, (c.trip+c.trip/2)/8) }

// A candidate is an object that a client has no slot for.
type candidate struct {
	id     world.GameObject
	key    uint64 // from what the client may see of it
	weight uint8
	own    bool
}

// begin prepares the scratch of a worker for a client.
func (v *View) begin(c *Conn) {
	v.conn, v.coming = c, v.coming[:0]
	c.arrive()
	v.writing.begin(v)
	v.touch()
	for k := range c.slots {
		e := &c.slots[k]
		if e.state == free {
			continue
		}
		i := e.id.Index()
		if e.state == live || v.places[i] == 0 {
			v.places[i] = uint16(k + 1)
		}
		e.owned, e.alive = false, world.Alive(v.state, e.id)
	}
}

// touch reads a word of each line of memory that the tick needs of the objects of a client, and
// does nothing else, so that the waits for memory overlap. If objects are many, these waits, one
// after the other, would be most of the time.
func (v *View) touch() {
	t, w := v.table, &v.writing
	touched := uint32(0)
	for k := range v.conn.slots {
		touched += t.rows[int(v.conn.slots[k].id.Index())*t.stride]
	}
	if w.base != 0 {
		for _, past := range w.past {
			for k := range v.conn.slots {
				touched += uint32(past[v.conn.slots[k].id.Index()])
			}
		}
	}
	v.touched = touched
}

// end forgets the client.
func (v *View) end() {
	for k := range v.conn.slots {
		if e := &v.conn.slots[k]; e.state != free {
			v.places[e.id.Index()] = 0
		}
	}
	for i := range v.coming {
		v.places[v.coming[i].id.Index()] = 0
	}
	v.conn = nil
}

// coming is the bit of places that says that the object has no slot yet.
const isComing = 1 << 15

// want names an object for this tick. One that has no slot gets one only if it enters.
func (v *View) want(id world.GameObject, weight int, enters, own bool) {
	i, now := id.Index(), v.table.tick
	if int(i) >= len(v.places) {
		return
	}
	w := uint8(min(max(weight, 1), 255))
	place := v.places[i]
	if place != 0 && place&isComing == 0 {
		e := &v.conn.slots[place-1]
		if e.id == id {
			if !e.alive {
				return
			}
			if e.state == leaving {
				if enters {
					v.come(id, w, own)
				}
				return
			}
			if e.seen != now {
				e.seen, e.weight = now, w
			}
			e.weight, e.owned = max(e.weight, w), e.owned || own
			return
		}
	}
	if !world.Alive(v.state, id) {
		return
	}
	if place&isComing != 0 {
		e := &v.coming[place&^isComing-1]
		e.weight, e.own = max(e.weight, w), e.own || own
		return
	}
	if enters {
		v.come(id, w, own)
	}
}

// come notes an object that may get a slot when all were named.
func (v *View) come(id world.GameObject, weight uint8, own bool) {
	if v.table.row(id.Index())[0] != id.Generation() || len(v.coming) == cap(v.coming) {
		return
	}
	v.coming = append(v.coming, candidate{id: id, weight: weight, own: own})
	v.places[id.Index()] = isComing | uint16(len(v.coming))
}

// settle gives slots to those that came, and takes back those that were not named.
func (v *View) settle() {
	c, now := v.conn, v.table.tick
	for k := range c.slots {
		e := &c.slots[k]
		if e.state != live {
			continue
		}
		switch id := e.id; {
		case e.seen != now:
			v.leave(uint16(k))
		case e.own != e.owned: // another object for the client, so that nothing stays
			owned, weight := e.owned, e.weight
			v.leave(uint16(k))
			v.come(id, weight, owned)
		}
	}
	v.sortComing()
	for i := range v.coming {
		e := &v.coming[i]
		index := e.id.Index()
		v.places[index] = 0
		k, ok := c.slotFor()
		if !ok {
			c.stats.NoSlot++
			continue
		}
		c.slots[k] = slot{
			id: e.id, since: now, seen: now, state: live, weight: e.weight, own: e.own,
			key: c.keyOf(e.id),
		}
		for r := range v.table.schema.refs {
			at := int(k)*len(v.table.schema.refs) + r
			c.refs[at], c.refTicks[at] = 0, now
		}
		v.places[index] = k + 1
	}
}

// leave begins to take a slot back, or frees it if the client knows nothing of it.
func (v *View) leave(k uint16) {
	e := &v.conn.slots[k]
	if e.sent != 0 {
		e.state, e.since, e.sent, e.in = leaving, v.table.tick, 0, 0
		e.gone = !e.alive
		return
	}
	if place := &v.places[e.id.Index()]; *place == k+1 {
		*place = 0
	}
	v.conn.release(k)
}

func (c *Conn) slotFor() (k uint16, ok bool) {
	if n := len(c.empty); n > 0 {
		k, c.empty = c.empty[n-1], c.empty[:n-1]
		return k, true
	}
	if len(c.slots) == cap(c.slots) {
		return 0, false
	}
	c.slots = c.slots[:len(c.slots)+1]
	return uint16(len(c.slots) - 1), true
}

// sortComing puts the objects that came in an order that depends on their weights and on what the
// client may see of them, and not on their indexes, which others decide.
func (v *View) sortComing() {
	t := v.table
	for i := range v.coming {
		e := &v.coming[i]
		row := t.valuesOf(e.id)
		e.key = 0
		for p := range t.schema.wire.In(t.schema.wire.Visible(e.own)) {
			if p.Ref {
				continue
			}
			for _, word := range row[p.At:][:p.Words] {
				e.key = (e.key ^ uint64(word)) * 0x9e37_79b9_7f4a_7c15
				e.key ^= e.key >> 29
			}
		}
	}
	slices.SortStableFunc(v.coming, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.key, b.key))
	})
}
