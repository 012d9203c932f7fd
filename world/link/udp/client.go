package udp

import (
	"encoding/binary"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

const (
	waiting   = 1 << 14 // bytes of datagrams that the program did not receive yet
	beat      = 100 * time.Millisecond
	farewells = 10 // times that the end of a connection is told, as one may be lost
)

// A phase is how far a client has come.
type phase = int32

const (
	pending phase = iota // its token is right; it has to show that the address is its own
	connected
	ended
)

// A client is a Listener's end of a connection. Its token's keys are its own, so each has a new
// one.
type client struct {
	listener *Listener
	from     netip.AddrPort
	to       *net.UDPAddr
	proof    proof
	index    int
	phase    atomic.Int32
	heard    atomic.Bool // it knows that it is connected

	// The listener's mutex guards these.
	in   codec
	had  window
	last time.Time // when something came; of a pending client when its token came

	// The batch's mutex guards these.
	out    codec
	number uint64 // of the next packet
	idle   uint64 // what number was in the last beat

	mu    sync.Mutex // guards these
	queue queue.Queue
	read  [link.MaxDatagram]byte
}

var _ link.Client = (*client)(nil)

// ID implements [link.Client]: it is Token.Client.
func (c *client) ID() uint64 { return c.proof.client }

// Data implements [link.Client]: it is Token.Data, with zeros behind it.
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

// add adds a packet that is not the program's. The caller has locked the batch.
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
func (c *client) Receive() ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.queue.Take(c.read[:0])
}

// Close implements [link.Client].
func (c *client) Close() {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	c.listener.end(c, true)
	c.listener.batch.flush()
}
