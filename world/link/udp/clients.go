package udp

import (
	"encoding/binary"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// clients are the clients of a listener, whose mutex guards them.
type clients struct {
	listener  *Listener
	most      int // connected ones
	byAddress map[netip.AddrPort]*client
	byID      map[uint64]*client      // the connected ones
	free      []int                   // numbers of clients
	pending   int                     // number of pending clients
	arrived   queue.Arrivals[*client] // not returned by Accept yet
	first     uint64                  // number of the first packet to a client
	number    uint64                  // of the next packet to addresses that are not clients yet
}

func newClients(l *Listener, most int) clients {
	all := clients{
		listener: l, most: most, number: shared,
		byAddress: map[netip.AddrPort]*client{}, byID: map[uint64]*client{},
	}
	for i := range most {
		all.free = append(all.free, most-1-i)
	}
	return all
}

// create returns a client without adding it.
func (all *clients) create(p proof, key, from netip.AddrPort, now time.Time) *client {
	protocol := all.listener.options.Protocol
	return &client{
		listener: all.listener, proof: p, from: key, to: net.UDPAddrFromAddrPort(from), last: now,
		number: all.first, in: newCodec(p.up, protocol), out: newCodec(p.down, protocol),
	}
}

// addPending adds a client to be challenged. It returns false if there are too many.
func (all *clients) addPending(c *client) bool {
	if all.pending >= 2*all.most+room {
		return false
	}
	all.byAddress[c.from] = c
	all.pending++
	return true
}

// reply sends a packet to an address that is not a client yet, at once. Its numbers differ from
// those of packets to clients, because the key is the same.
func (all *clients) reply(c *client, kind byte, body []byte) {
	b := all.listener.batch
	b.mu.Lock()
	b.add(c.to, &c.out, kind, all.number, body)
	b.send()
	b.mu.Unlock()
	all.number++
}

// connect turns a pending client into a connected one, and tells it.
func (all *clients) connect(c *client, now time.Time) {
	c.index = all.free[len(all.free)-1]
	all.free = all.free[:len(all.free)-1]
	all.pending--
	all.byID[c.proof.client] = c
	c.last = now
	c.waits = queue.NewIn(waiting, link.MaxDatagram)
	c.phase.Store(connected)
	all.arrived.Put(c, all.most)
	b := all.listener.batch
	b.mu.Lock()
	c.add(keepAlive)
	b.send()
	b.mu.Unlock()
}

// end ends a connection, or an attempt to connect.
func (all *clients) end(c *client, tell bool) {
	switch c.phase.Load() {
	case ended:
		return
	case pending:
		all.pending--
	case connected:
		delete(all.byID, c.proof.client)
		all.free = append(all.free, c.index)
		all.listener.batch.mu.Lock()
		for i := 0; tell && i < farewells; i++ {
			c.add(disconnect)
		}
		all.listener.batch.mu.Unlock()
	}
	delete(all.byAddress, c.from)
	c.phase.Store(ended)
}

// keepAlive keeps connections alive, and ends silent ones.
func (all *clients) keepAlive(now time.Time) {
	for _, c := range all.byAddress {
		limit := time.Duration(c.proof.timeout) * time.Second
		isPending := c.phase.Load() == pending
		if isPending && (limit <= 0 || limit > defaultTimeout) {
			limit = defaultTimeout
		}
		if limit > 0 && now.Sub(c.last) > limit {
			all.end(c, false)
			continue
		}
		if isPending {
			continue
		}
		all.listener.batch.mu.Lock()
		if c.number == c.idle {
			c.add(keepAlive)
		}
		c.idle = c.number
		all.listener.batch.mu.Unlock()
	}
}

const (
	waiting   = 1 << 14 // bytes of datagrams that the program has not received yet
	beat      = 100 * time.Millisecond
	farewells = 10 // times that an end of connection is sent, because some may be lost
)

// A phase is the state of a client's connection.
type phase = int32

const (
	pending phase = iota // its token is valid; it has yet to prove its address
	connected
	ended
)

// A client is a Listener's end of a connection. A token has keys of its own, so each token gets a
// new client.
type client struct {
	listener *Listener // for data shared by all clients
	from     netip.AddrPort
	to       *net.UDPAddr
	proof    proof
	index    int
	phase    atomic.Int32
	heard    atomic.Bool // it has sent a packet as a connected client

	// Guarded by the listener's mutex.
	in   codec
	had  window
	last time.Time // time of the last packet; for a pending client, of its token

	// Guarded by the batch's mutex.
	out    codec
	number uint64 // of the next packet
	idle   uint64 // value of number in the last beat

	waits *queue.In
}

var _ link.Client = (*client)(nil)

// ID implements [link.Client]: it is Token.Client.
func (c *client) ID() uint64 { return c.proof.client }

// Data implements [link.Client]: it is Token.Data, padded with zeros.
func (c *client) Data() []byte { return c.proof.data[:] }

// Err implements [link.Client].
func (c *client) Err() error {
	if c.phase.Load() == ended {
		return ErrClosed
	}
	return nil
}

// Send implements [link.Link]. The datagram is sent with others: see [Listener.Flush].
func (c *client) Send(datagram []byte) {
	if len(datagram) == 0 || len(datagram) > link.MaxDatagram {
		return
	}
	b := c.listener.batch
	b.mu.Lock()
	defer b.mu.Unlock()
	if c.phase.Load() != connected {
		return
	}
	if !c.heard.Load() {
		c.add(keepAlive)
	}
	b.add(c.to, &c.out, payload, c.number, datagram)
	c.number++
}

// add adds a packet that does not come from the program. The caller has locked the batch.
func (c *client) add(kind byte) {
	var body [8]byte
	size := 0
	if kind == keepAlive {
		size = 8
		binary.LittleEndian.PutUint32(body[:], uint32(c.index))
		binary.LittleEndian.PutUint32(body[4:], uint32(c.listener.options.Clients))
	}
	c.listener.batch.add(c.to, &c.out, kind, c.number, body[:size])
	c.number++
}

// Receive implements [link.Link].
func (c *client) Receive() ([]byte, bool) { return c.waits.Receive() }

// Close implements [link.Client].
func (c *client) Close() {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	c.listener.clients.end(c, true)
	c.listener.batch.flush()
}
