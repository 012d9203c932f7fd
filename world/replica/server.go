package replica

import (
	"cmp"
	"fmt"
	"iter"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// Options are the options of a [Server].
type Options struct {
	Clients  int              // at most at once
	Known    int              // objects that a client sees at most at once; 0: 512
	Budget   int              // bytes of a datagram, at most; 0: link.MaxDatagram
	Input    int              // bytes of an input
	Patience int              // ticks without a datagram until a client is gone; 0: 200
	Queries  []world.Query    // that View.Query may name
	Workers  *systems.Workers // may be nil
}

const (
	maxClients = 1 << 16
	maxKnown   = 1 << 14
	maxInput   = 256 // bytes
	minBudget  = 200 // bytes
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

// A Server sends each client its part of a world. It allocates all memory at the start. It belongs
// to one goroutine.
type Server struct {
	options Options
	table   *table
	news    *news
	conns   []Conn
	lists   [][]world.GameObject // of Options.Queries
	views   []View
	tasks   []systems.Task
	see     func(v *View, c *Conn)
}

// NewServer returns a server of the world of s. It panics if options are out of range, or the world
// lacks a kind of the schema.
func NewServer(s world.State, schema *Schema, o Options) *Server {
	schema.made()
	o.check(schema.leastBudget())
	workers := o.Workers.Count()
	r := &Server{options: o, table: newTable(s, schema, workers), conns: make([]Conn, o.Clients)}
	room := len(r.table.rows) / r.table.stride
	r.news = newNews(s, schema, room)
	r.lists = make([][]world.GameObject, len(o.Queries))
	for i := range r.lists {
		r.lists[i] = make([]world.GameObject, 0, room)
	}
	r.makeConns()
	r.views = make([]View, workers)
	for i := range r.views {
		v := &r.views[i]
		v.server, v.table = r, r.table
		v.places = make([]uint16, room)
		v.coming = make([]candidate, 0, min(room, isComing-1))
		v.writing.make(schema, o.Known)
		v.heard = make([]hearing, 0, pending)
		r.tasks = append(r.tasks, systems.Task{Run: []func(world.State) world.State{
			func(s world.State) world.State { return r.serve(s, i) },
		}})
	}
	return r
}

// leastBudget is the number of bytes that a datagram may have at least: there is room for the
// longest record.
func (s *Schema) leastBudget() int { return max(minBudget, s.least) }

func (o *Options) check(leastBudget int) {
	o.Known, o.Patience = cmp.Or(o.Known, 512), cmp.Or(o.Patience, 200)
	o.Budget = cmp.Or(o.Budget, link.MaxDatagram)
	for _, c := range []struct {
		name           string
		n, least, most int
	}{
		{"Clients", o.Clients, 1, maxClients},
		{"Known", o.Known, 1, maxKnown},
		{"Budget", o.Budget, leastBudget, link.MaxDatagram},
		{"Input", o.Input, 0, maxInput},
		{"Patience", o.Patience, 1, 1 << 20},
	} {
		if c.n < c.least || c.n > c.most {
			panic(fmt.Sprintf("replica: Options.%s is %d; have %d to %d", c.name, c.n, c.least,
				c.most))
		}
	}
}

func (r *Server) makeConns() {
	refs := len(r.table.schema.refs)
	for i := range r.conns {
		c := &r.conns[i]
		*c = Conn{
			server: r, number: i, slots: make([]slot, 0, r.options.Known),
			empty: make([]uint16, 0, r.options.Known), arrived: make([]uint16, 0, packets),
			refs:     make([]uint16, refs*r.options.Known),
			refTicks: make([]uint32, refs*r.options.Known),
			out:      make([]byte, 0, link.MaxDatagram+8),
		}
		if len(r.table.schema.messages) > 0 {
			c.events = make([]pend, pending)
			for k := range c.events {
				c.events[k].places = make([]uint16, r.table.schema.wire.Refs)
			}
		}
		c.inputs.size, c.inputs.bytes = r.options.Input, make([]byte, waiting*r.options.Input)
	}
}

func (r *Server) made() {
	if r == nil || r.table == nil {
		panic("replica: this Server is nil, or was not made; make one by NewServer")
	}
}

// Accept adds a client with a link, and returns its [Conn], which joins at its first datagram with
// the server's schema. It returns nil if there are already [Options.Clients].
func (r *Server) Accept(l link.Link) *Conn {
	r.made()
	if l == nil {
		panic("replica: Accept of a nil Link; give one that sends to the client")
	}
	for c := range r.those(unused, unused) {
		c.reset()
		c.link, c.phase, c.heard = l, silent, r.table.tick
		return c
	}
	return nil
}

// those yields the clients that have come as far as first, and no farther than last.
func (r *Server) those(first, last phase) iter.Seq[*Conn] {
	return func(yield func(*Conn) bool) {
		for i := range r.conns {
			if c := &r.conns[i]; c.phase >= first && c.phase <= last && !yield(c) {
				return
			}
		}
	}
}

// Joined receives the datagrams of all clients, and yields the clients that joined since the last
// call, in the order of their numbers. Call it once in each tick, before Inputs.
func (r *Server) Joined() iter.Seq[*Conn] {
	r.made()
	return func(yield func(*Conn) bool) {
		for c := range r.those(silent, joined) {
			c.receive()
		}
		for c := range r.those(joining, joining) {
			if c.phase = joined; !yield(c) {
				return
			}
		}
	}
}

// received is how many datagrams of a client are read in a tick, at most.
const received = 16

func (c *Conn) receive() {
	for range received {
		b, ok := c.link.Receive()
		if !ok {
			return
		}
		c.hear(b)
	}
}

// Gone yields the joined clients that sent nothing for [Options.Patience], in the order of their
// numbers, and tells them; see [Mirror.Lost]. After the loop body, the Conn and its number may
// belong to another client.
func (r *Server) Gone() iter.Seq[*Conn] {
	r.made()
	return func(yield func(*Conn) bool) {
		for c := range r.those(silent, joined) {
			if r.table.tick-c.heard <= uint32(r.options.Patience) {
				continue
			}
			was := c.phase
			c.phase = unused
			if was >= joining {
				c.link.Send(c.alone(wire.Gone))
			}
			if was == joined && !yield(c) {
				return
			}
		}
	}
}

// Inputs yields the next input of each joined client, in the order of their numbers. A client whose
// input is late has none in this tick; sending more inputs does not make a client faster.
func (r *Server) Inputs() iter.Seq2[*Conn, Input] {
	r.made()
	return func(yield func(*Conn, Input) bool) {
		for c := range r.those(joined, joined) {
			if in, ok := c.inputs.next(); ok && !yield(c, in) {
				return
			}
		}
	}
}

// Send ends a tick: it reads the world, calls see to name what each client sees, and sends each
// client its datagram. Several goroutines call see at once, for different clients; see reads the
// world by id. No byte of the world changes, and datagrams do not depend on the number of workers.
// It panics in a walk, and in a task.
func (r *Server) Send(s world.State, see func(v *View, c *Conn)) world.State {
	r.made()
	if see == nil {
		panic("replica: Send with a nil function; pass one that names what a client sees")
	}
	s = r.table.look(s, r.options.Workers)
	r.news.collect(s)
	for i, q := range r.options.Queries {
		r.lists[i] = r.lists[i][:0]
		for id := range q.Objects(s) {
			r.lists[i] = append(r.lists[i], id)
		}
	}
	r.see = see
	s = systems.RunTasks(s, r.options.Workers, r.tasks)
	r.see = nil
	r.news.forget()
	for i := range r.conns {
		if c := &r.conns[i]; c.phase == joined || c.phase == refused {
			c.link.Send(c.out)
		}
	}
	return s
}

// serve makes the datagrams of each client that is worker i's.
func (r *Server) serve(s world.State, i int) world.State {
	v := &r.views[i]
	v.state = s
	for k := i; k < len(r.conns); k += len(r.views) {
		c := &r.conns[k]
		switch c.phase {
		case joined:
			v.begin(c)
			r.see(v, c)
			v.settle()
			v.gather()
			v.write()
			v.end()
		case refused:
			c.out = c.alone(wire.Refused)
		}
	}
	v.state = world.State{}
	return s
}

// alone returns the datagram of a flag alone: for a client of another schema, or one that was given
// up.
func (c *Conn) alone(flag uint8) []byte {
	return (&wire.Head{Flags: flag}).Finish(wire.Begin(c.out[:0]))
}

// Number returns the number of a client, below [Options.Clients]. Another client may get it when
// this one is gone.
func (c *Conn) Number() int { return c.made().number }

// Stats returns counts of what was sent to c since it joined.
func (c *Conn) Stats() Stats {
	s := c.made().stats
	s.Budget, s.Missed = c.flow.budget, c.server.news.missed
	return s
}

// Resume gives a returning client another link, for example after its address changed. To both ends
// it looks like a long loss.
func (c *Conn) Resume(l link.Link) {
	if c.made(); l == nil {
		panic("replica: Resume with a nil Link; give one that sends to the client")
	}
	c.link = l
}

func (c *Conn) made() *Conn {
	if c == nil || c.server == nil {
		panic("replica: this Conn is nil or zero; take one of Accept or Joined")
	}
	return c
}
