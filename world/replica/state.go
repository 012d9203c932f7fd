package replica

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

const stateName = "flatecs replica state 3\n"

// AppendState appends the state of the server and its clients to dst, for [ReadServer] in the next
// program, which gets the world by package hand or from a file. Call it between Send and the next
// Joined. It takes about as many bytes as the rows of all objects.
func (r *Server) AppendState(dst []byte) []byte {
	r.mustBeOpen()
	if t := r.table; len(dst) == cap(dst) {
		dst = slices.Grow(dst, t.used*(4*t.stride+8*ringTicks*len(t.past)))
	}
	x := stateCoder{b: append(dst, stateName...)}
	x.server(r)
	return le.AppendUint64(x.b, xxh3.Hash(x.b[len(dst):]))
}

// ReadServer returns a server that continues the one whose [Server.AppendState] returned state:
// clients stay joined, and receive the same data as without the change. The world must have the
// same objects as then, [Options.Known] and Input must be the same, and there must be at least as
// many Clients. Give a link to each of [Server.Conns] by [Conn.Resume], and [Server.Accept] links
// that had not joined. If the previous program died, lost is the most calls of Send after that
// state, up to 16,384: then clients drop their data, and receive everything again within a round
// trip. The error wraps [ErrState] or [ErrSchema]. It panics like NewServer, and if lost is out of
// range.
func ReadServer(s world.State, schema *Schema, o Options, state []byte, lost int) (*Server, error) {
	r := NewServer(s, schema, o)
	if lost < 0 || lost > maxLost {
		panic(fmt.Sprintf("replica: ReadServer after %d lost ticks; have 0 to 16,384", lost))
	}
	end := len(state) - 8
	if end < len(stateName) || string(state[:len(stateName)]) != stateName {
		return nil, fmt.Errorf("replica: these bytes are not of AppendState: %w", ErrState)
	}
	x := stateCoder{b: state[len(stateName):end], reads: true}
	if x.wrong = xxh3.Hash(state[:end]) != le.Uint64(state[end:]); !x.wrong {
		x.server(r)
	}
	switch {
	case x.other:
		return nil, ErrSchema
	case x.wrong || len(x.b) > 0:
		return nil, fmt.Errorf("replica: the state is damaged, or of other Options: %w", ErrState)
	}
	r.table.restore()
	if lost > 0 {
		r.skip(uint32(lost))
	}
	return r, nil
}

// Conns yields the clients that joined and are not gone, in the order of their numbers.
func (r *Server) Conns() iter.Seq[*Conn] {
	r.mustBeOpen()
	return r.connsIn(joined, joined)
}

// Skip continues after at most ticks ticks in which another program, tried and given up, served the
// clients: clients drop their data, and receive everything again within a round trip. It panics if
// ticks is not in [1, 16,384].
func (r *Server) Skip(ticks int) {
	if r.mustBeOpen(); ticks < 1 || ticks > maxLost {
		panic(fmt.Sprintf("replica: Skip of %d ticks; have 1 to %d", ticks, maxLost))
	}
	r.skip(uint32(ticks))
}

// Renew sends everything again to a client with a new [Mirror], such as a page that was reloaded or
// lost its connection. The client stays joined, and keeps its number.
func (c *Conn) Renew() {
	c.mustBeOpen().skip(packets)
	c.inputs.reset()
	c.keys = keys{}
}

// maxLost is the most ticks that may be lost.
const maxLost = 1 << 14

// restore derives data from the rows.
func (t *table) restore() {
	p := t.schema.parts[0]
	for i := range uint32(t.used) {
		r := t.row(i)
		for k := range t.kinds {
			if bit := t.kinds[k].bit; bit == 0 || r[t.base+p.At]&bit != 0 {
				t.kinds[k].has[i>>6] |= 1 << (i & 63) // kinds of the recipe, to be checked
			}
		}
	}
}

// skip continues after unknown ticks: it does not reuse their numbers, and makes clients give back
// all slots.
func (r *Server) skip(ticks uint32) {
	t := r.table
	t.tick += ticks
	for i := range uint32(t.used) {
		t.row(i)[1] = t.tick // earlier births are unknown
	}
	for c := range r.connsIn(silent, joined) {
		c.skip(uint16(ticks) + packets)
	}
}

func (c *Conn) skip(datagrams uint16) {
	now := c.table.tick
	c.line.sequence += datagrams // so that no earlier datagram is acknowledged
	c.heard, c.queue.first = now, c.queue.next
	c.slots.leaveAll(now)
}

// nowhere is the link of a client that has none yet.
type nowhere struct{}

func (nowhere) Send([]byte)             {}
func (nowhere) Receive() ([]byte, bool) { return nil, false }

var _ link.Link = nowhere{}

// A stateCoder writes the state of a server, or reads it, with the same code.
type stateCoder struct {
	b     []byte // bytes written, or left to read
	reads bool
	wrong bool // it cannot be the state of a matching server
	other bool // it has another schema
}

// need marks the state as wrong unless ok is true.
func (x *stateCoder) need(ok bool) { x.wrong = x.wrong || !ok }

// raw codes bytes.
func (x *stateCoder) raw(v []byte) {
	if !x.reads {
		x.b = append(x.b, v...)
		return
	}
	if x.need(len(v) <= len(x.b)); !x.wrong {
		x.b = x.b[copy(v, x.b):]
	}
}

// words codes consecutive words.
func (x *stateCoder) words(v []uint32) {
	if !x.reads {
		x.b = wire.AppendWords(x.b, v, 4*len(v))
		return
	}
	if x.need(4*len(v) <= len(x.b)); !x.wrong {
		wire.PutWords(v, x.b[:4*len(v)])
		x.b = x.b[4*len(v):]
	}
}

// number codes a number of at most most.
func number[T ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int](x *stateCoder, v *T, most uint64) {
	if !x.reads {
		x.b = binary.AppendUvarint(x.b, uint64(*v))
		return
	}
	n, size := binary.Uvarint(x.b)
	if x.need(size > 0 && n <= most); !x.wrong {
		*v, x.b = T(n), x.b[size:]
	}
}

func (x *stateCoder) u8(v *uint8)   { number(x, v, math.MaxUint8) }
func (x *stateCoder) u16(v *uint16) { number(x, v, math.MaxUint16) }
func (x *stateCoder) u32(v *uint32) { number(x, v, math.MaxUint32) }

func (x *stateCoder) flag(v *bool) {
	n := uint8(0)
	if *v {
		n = 1
	}
	number(x, &n, 1)
	*v = n != 0
}

// same codes a value that must be equal in both servers.
func (x *stateCoder) same(v uint64) bool {
	was := v
	number(x, &was, math.MaxUint64)
	return !x.wrong && was == v
}

func (x *stateCoder) server(r *Server) {
	o := &r.options
	x.other = !x.same(r.table.schema.wire.Hash) && !x.wrong
	x.need(!x.other && x.same(uint64(o.Known)) && x.same(uint64(o.Input)))
	clients := len(r.conns)
	number(x, &clients, uint64(len(r.conns)))
	x.table(r.table)
	x.log(r)
	for i := 0; i < clients && !x.wrong; i++ {
		x.conn(&r.conns[i])
	}
}

func (x *stateCoder) table(t *table) {
	x.u32(&t.tick)
	number(x, &t.used, uint64(len(t.rows)/t.stride))
	if x.wrong {
		return
	}
	x.words(t.rows[:t.used*t.stride])
	for i := range t.past {
		for k := range t.past[i] {
			for at := range t.past[i][k][:t.used] {
				number(x, &t.past[i][k][at], math.MaxUint64)
			}
		}
	}
	for i := range uint32(t.used) {
		for _, p := range t.schema.parts {
			if p.Most > 0 {
				x.need(int(t.row(i)[t.base+p.At]) <= p.Most)
			}
		}
	}
}

// log codes the events that some client may still need.
func (x *stateCoder) log(r *Server) {
	n := r.log
	for i := range n.taken {
		number(x, &n.taken[i], math.MaxUint64)
	}
	first := n.count
	for c := range r.connsIn(silent, joined) {
		for k := c.queue.first; k != c.queue.next; k++ {
			first = min(first, c.queue.at(k).occasion)
		}
	}
	number(x, &first, math.MaxUint64)
	number(x, &n.count, math.MaxUint64)
	number(x, &n.missed, math.MaxInt)
	kept, room := n.count-first, uint64(len(n.ring))
	x.need(kept <= room || room > 0 && kept <= min(maxEvents, uint64(len(x.b))))
	for x.reads && !x.wrong && n.count-first > uint64(len(n.ring)) {
		n.grow(2 * len(n.ring))
	}
	if x.reads {
		for i := range n.before {
			n.before[i] = first
		}
	}
	for k := first; k < n.count && !x.wrong; k++ {
		o, value := n.at(k)
		number(x, &o.about, math.MaxUint64)
		number(x, &o.which, uint64(len(n.messages)-1))
		x.raw(value)
	}
	n.first = n.count
}

func (x *stateCoder) conn(c *Conn) {
	if number(x, &c.phase, uint64(joined)); c.phase == unused || x.wrong {
		return
	}
	if x.reads {
		phase := c.phase
		c.reset()
		c.phase, c.link = phase, nowhere{}
	}
	now := uint64(c.table.tick)
	for _, tick := range []*uint32{&c.line.base, &c.heard} {
		number(x, tick, now)
	}
	x.u32(&c.line.trip)
	x.u16(&c.line.sequence)
	x.slots(c, now)
	x.packets(c, now)
	x.inputs(&c.inputs)
	x.events(c)
	for i := range c.keys.ring {
		number(x, &c.keys.ring[i].id, math.MaxUint64)
		x.u16(&c.keys.ring[i].Number)
		x.u8(&c.keys.ring[i].Count)
	}
	last := uint8(c.keys.last % keysKept)
	number(x, &last, keysKept-1)
	c.keys.last = int(last)
	f := &c.flow
	number(x, &f.budget, math.MaxUint16)
	f.bound()
	number(x, &f.judged, window)
	number(x, &f.course, uint64(full))
	number(x, &f.left, held)
	for _, n := range []*int{&f.sent, &f.arrived, &f.was, &f.wasGot, &f.quick} {
		number(x, n, math.MaxUint32)
	}
	s := &c.stats
	for _, n := range []*int{
		&s.Datagrams, &s.Bytes, &s.Entered, &s.Updated, &s.Differences, &s.Left, &s.Cut, &s.Events,
		&s.Unsaid, &s.NoSlot, &s.Refused,
	} {
		number(x, n, math.MaxInt)
	}
}

func (x *stateCoder) slots(c *Conn, now uint64) {
	n, indexes := len(c.slots.all), len(c.table.rows)/c.table.stride
	number(x, &n, uint64(cap(c.slots.all)))
	if x.wrong {
		return
	}
	c.slots.all = c.slots.all[:n]
	unused := 0
	for k := range c.slots.all {
		e := &c.slots.all[k]
		if number(x, &e.state, uint64(leaving)); e.state == free {
			*e = slot{}
			unused++
			continue
		}
		number(x, &e.id, math.MaxUint64)
		x.need(uint(e.id.Index()) < uint(indexes))
		for _, tick := range []*uint32{&e.since, &e.ack, &e.sent, &e.seen} {
			number(x, tick, now)
		}
		x.u32(&e.in)
		x.u16(&e.priority)
		x.u8(&e.weight)
		x.flag(&e.own)
		x.flag(&e.gone)
		x.u16(&e.key.Number)
		x.u8(&e.key.Count)
	}
	refs := n * len(c.table.schema.refs)
	for i := range refs {
		number(x, &c.slots.refs[i], uint64(cap(c.slots.all)))
		number(x, &c.slots.refTicks[i], now)
	}
	x.empty(c, unused)
}

// empty codes the free slots, in the order of their reuse.
func (x *stateCoder) empty(c *Conn, n int) {
	if x.wrong {
		return
	}
	c.slots.empty = c.slots.empty[:n]
	seen := make([]bool, len(c.slots.all))
	for i := range c.slots.empty {
		k := &c.slots.empty[i]
		if number(x, k, uint64(len(c.slots.all)-1)); x.wrong {
			return
		}
		x.need(c.slots.all[*k].state == free && !seen[*k])
		seen[*k] = true
	}
}

func (x *stateCoder) packets(c *Conn, now uint64) {
	for i := range c.line.packets {
		p := &c.line.packets[i]
		x.flag(&p.out)
		x.u16(&p.sequence)
		x.u16(&p.size)
		number(x, &p.tick, now)
	}
}

func (x *stateCoder) inputs(n *inputs) {
	x.raw(n.bytes)
	for i := range n.seen {
		number(x, &n.seen[i], math.MaxUint32)
	}
	x.u32(&n.has)
	x.u16(&n.used)
	slack := uint8(n.slack)
	x.u8(&slack)
	n.slack = int8(slack)
}

// events codes the events that wait for a client.
func (x *stateCoder) events(c *Conn) {
	x.u16(&c.queue.first)
	x.u16(&c.queue.next)
	x.need(int(c.queue.next-c.queue.first) <= len(c.queue.ring))
	n, now := c.log, uint64(c.table.tick)
	for k := c.queue.first; k != c.queue.next && !x.wrong; k++ {
		p := c.queue.at(k)
		number(x, &p.occasion, math.MaxUint64)
		x.need(n.count-p.occasion-1 < uint64(len(n.ring)))
		number(x, &p.tick, now)
		x.need(len(c.slots.all) > 0)
		number(x, &p.slot, uint64(len(c.slots.all)-1))
		x.u32(&p.in)
		x.flag(&p.done)
		for i := range p.places {
			number(x, &p.places[i], uint64(len(c.slots.all)))
		}
	}
}
