package replica

import (
	"fmt"
	"iter"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

const stateName = "flatecs replica state 3\n"

// AppendState appends the state of the server and its clients to dst, for [ReadServer] in the next
// program, which gets the world by package hand or from a file. Call it between Send and the next
// Joined. It takes about as many bytes as the rows of all objects.
func (r *Server) AppendState(dst []byte) []byte {
	r.made()
	if t := r.table; len(dst) == cap(dst) {
		dst = slices.Grow(dst, t.used*(4*t.stride+8*ringTicks*len(t.past)))
	}
	x := traveler{b: append(dst, stateName...)}
	x.server(r)
	return le.AppendUint64(x.b, xxh3.Hash(x.b[len(dst):]))
}

// ReadServer returns a server that continues the one whose [Server.AppendState] made state: clients
// stay joined, and are sent what they would have been. The world must have the same objects as
// then, [Options.Known] and Input must be the same, and there must be as many Clients or more. Give
// a link to each of [Server.Conns] by [Conn.Resume], and [Server.Accept] links that had not joined.
// If the previous program died, lost is the most calls of Send after that state, up to 16,384: then
// clients drop what they have, and receive everything again within a round trip. The error wraps
// [ErrState] or [ErrSchema]. It panics like NewServer, and if lost is out of range.
func ReadServer(
	s world.State, schema *Schema, o Options, state []byte, lost int,
) (*Server, error) {
	r := NewServer(s, schema, o)
	if lost < 0 || lost > maxLost {
		panic(fmt.Sprintf("replica: ReadServer after %d lost ticks; have 0 to 16,384", lost))
	}
	end := len(state) - 8
	if end < len(stateName) || string(state[:len(stateName)]) != stateName {
		return nil, fmt.Errorf("replica: these bytes are not of AppendState: %w", ErrState)
	}
	x := traveler{b: state[len(stateName):end], reads: true}
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
	r.made()
	return func(yield func(*Conn) bool) {
		for i := range r.conns {
			if c := &r.conns[i]; c.phase == joined && !yield(c) {
				return
			}
		}
	}
}

// Skip continues after at most ticks ticks in which another program, which was tried and given up,
// served the clients: clients drop what they have, and receive everything again within a round
// trip. It panics if ticks is not in [1, 16,384].
func (r *Server) Skip(ticks int) {
	if r.made(); ticks < 1 || ticks > maxLost {
		panic(fmt.Sprintf("replica: Skip of %d ticks; have 1 to %d", ticks, maxLost))
	}
	r.skip(uint32(ticks))
}

// Renew sends everything again to a client with a new [Mirror], such as a page that was reloaded or
// lost its connection. The client stays joined, and keeps its number.
func (c *Conn) Renew() {
	c.made().skip(packets)
	c.inputs.reset()
	c.keys, c.lastKey = [keysKept]keyed{}, 0
}

// maxLost is how many ticks may be lost.
const maxLost = 1 << 14

// restore finds out what follows from the rows.
func (t *table) restore() {
	p := &t.schema.parts[0]
	for i := range uint32(t.used) {
		r := t.row(i)
		for k := range t.kinds {
			if bit := t.kinds[k].bit; bit == 0 || r[t.base+p.at]&bit != 0 {
				t.kinds[k].has[i>>6] |= 1 << (i & 63) // of the recipe's kinds, to be looked at
			}
		}
	}
}

// skip goes on after ticks that are not known: their numbers are not used again, and clients are
// told to give back all slots.
func (r *Server) skip(ticks uint32) {
	t := r.table
	t.tick += ticks
	for i := range uint32(t.used) {
		t.row(i)[1] = t.tick // what was before is not known
	}
	for i := range r.conns {
		if c := &r.conns[i]; c.phase != unused {
			c.skip(uint16(ticks) + packets)
		}
	}
}

func (c *Conn) skip(datagrams uint16) {
	now := c.server.table.tick
	c.sequence += datagrams // so that nothing of before is acknowledged
	c.heard, c.firstEvent = now, c.nextEvent
	c.slots, c.empty = c.slots[:cap(c.slots)], c.empty[:0]
	for k := range c.slots {
		c.slots[k] = slot{state: leaving, since: now}
	}
}

// nowhere is the link of a client until it has another one.
type nowhere struct{}

func (nowhere) Send([]byte)             {}
func (nowhere) Receive() ([]byte, bool) { return nil, false }

var _ link.Link = nowhere{}
