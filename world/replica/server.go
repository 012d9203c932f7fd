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

// A Server sends each client its part of a world. It allocates all memory at the start. It belongs
// to one goroutine.
type Server struct {
	options Options
	table   *table
	log     *eventLog
	conns   []Conn
	lists   [][]world.GameObject // of Options.Queries
	views   []View
	tasks   []systems.Task
	see     func(v *View, c *Conn)
}

// NewServer returns a server for the world of s. It panics if options are out of range, or the
// world lacks a kind of the schema.
func NewServer(s world.State, schema *Schema, o Options) *Server {
	schema.mustBeMade()
	o.check(schema.leastBudget())
	workers := o.Workers.Count()
	r := &Server{options: o, table: newTable(s, schema, workers), conns: make([]Conn, o.Clients)}
	room := len(r.table.rows) / r.table.stride
	r.log = newEventLog(s, schema, room)
	r.lists = make([][]world.GameObject, len(o.Queries))
	for i := range r.lists {
		r.lists[i] = make([]world.GameObject, 0, room)
	}
	r.makeConns()
	r.views = make([]View, workers)
	for i := range r.views {
		v := &r.views[i]
		v.table, v.log, v.queries, v.lists = r.table, r.log, o.Queries, r.lists
		v.places = make([]uint16, room)
		v.coming = make([]candidate, 0, min(room, isComing-1))
		v.writing.make(schema)
		v.heard = make([]hearing, 0, pending)
		r.tasks = append(r.tasks, systems.Task{Run: []func(world.State) world.State{
			func(s world.State) world.State { return r.serve(s, i) },
		}})
	}
	return r
}

func (o *Options) check(leastBudget int) {
	o.Known, o.Patience = cmp.Or(o.Known, 512), cmp.Or(o.Patience, 200)
	o.Budget = cmp.Or(o.Budget, link.MaxDatagram)
	within := func(name string, n, least, most int) {
		if n < least || n > most {
			panic(fmt.Sprintf("replica: Options.%s is %d; have %d to %d", name, n, least, most))
		}
	}
	within("Clients", o.Clients, 1, maxClients)
	within("Known", o.Known, 1, maxKnown)
	within("Budget", o.Budget, leastBudget, link.MaxDatagram)
	within("Input", o.Input, 0, maxInput)
	within("Patience", o.Patience, 1, 1<<20)
}

func (r *Server) makeConns() {
	schema, o := r.table.schema, &r.options
	for i := range r.conns {
		c := &r.conns[i]
		*c = Conn{
			table: r.table, log: r.log, number: i, slots: newSlots(o.Known, len(schema.refs)),
			line:   line{arrived: make([]uint16, 0, packets)},
			flow:   flow{least: schema.leastBudget(), most: o.Budget},
			inputs: inputs{size: o.Input, bytes: make([]byte, waiting*o.Input)},
			out:    make([]byte, 0, link.MaxDatagram+8),
		}
		if len(schema.messages) > 0 {
			c.queue = newQueue(schema.wire.Refs)
		}
	}
}

func (r *Server) mustBeOpen() {
	if r == nil || r.table == nil {
		panic("replica: this Server is nil, or was not made; make one by NewServer")
	}
}

// Accept adds a client with a link, and returns its [Conn], which joins at its first datagram with
// the server's schema. It returns nil if there are already [Options.Clients].
func (r *Server) Accept(l link.Link) *Conn {
	r.mustBeOpen()
	if l == nil {
		panic("replica: Accept of a nil Link; give one that sends to the client")
	}
	for c := range r.connsIn(unused, unused) {
		c.reset()
		c.link, c.phase, c.heard = l, silent, r.table.tick
		return c
	}
	return nil
}

// connsIn yields the clients whose phase is between first and last.
func (r *Server) connsIn(first, last phase) iter.Seq[*Conn] {
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
	r.mustBeOpen()
	return func(yield func(*Conn) bool) {
		for c := range r.connsIn(silent, joined) {
			c.receive()
		}
		for c := range r.connsIn(joining, joining) {
			if c.phase = joined; !yield(c) {
				return
			}
		}
	}
}

// Gone yields the joined clients that sent nothing for [Options.Patience], whether or not their
// links are open, in the order of their numbers, and tells them; see [Mirror.Lost]. After the loop
// body, the Conn and its number may belong to another client. [Conn.Drop] does not wait.
func (r *Server) Gone() iter.Seq[*Conn] {
	r.mustBeOpen()
	return func(yield func(*Conn) bool) {
		for c := range r.connsIn(silent, joined) {
			if r.table.tick-c.heard <= uint32(r.options.Patience) {
				continue
			}
			was := c.phase
			if c.Drop(); was == joined && !yield(c) {
				return
			}
		}
	}
}

// Inputs yields the next input of each joined client, in the order of their numbers. A client whose
// input is late has no input in this tick; sending more inputs does not make a client faster.
func (r *Server) Inputs() iter.Seq2[*Conn, Input] {
	r.mustBeOpen()
	return func(yield func(*Conn, Input) bool) {
		for c := range r.connsIn(joined, joined) {
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
	r.mustBeOpen()
	if see == nil {
		panic("replica: Send with a nil function; pass one that names what a client sees")
	}
	s = r.table.look(s, r.options.Workers)
	r.log.collect(s)
	for i, q := range r.options.Queries {
		r.lists[i] = r.lists[i][:0]
		for id := range q.Objects(s) {
			r.lists[i] = append(r.lists[i], id)
		}
	}
	r.see = see
	s = systems.RunTasks(s, r.options.Workers, r.tasks)
	r.see = nil
	r.log.endTick()
	for i := range r.conns {
		if c := &r.conns[i]; c.phase == joined || c.phase == refused {
			c.link.Send(c.out)
		}
	}
	return s
}

// serve writes the datagrams of the clients of worker i.
func (r *Server) serve(s world.State, i int) world.State {
	v := &r.views[i]
	v.state = s
	for k := i; k < len(r.conns); k += len(r.views) {
		c := &r.conns[k]
		switch c.phase {
		case joined:
			v.begin(c)
			r.see(v, c)
			v.assignSlots()
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
