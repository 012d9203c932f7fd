package udp

import (
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// Options are the options of a [Listener].
type Options struct {
	Protocol uint64           // of the game and its version, as in tokens
	Key      Key              // of the matchmaker
	Clients  int              // at most at once
	Public   []netip.AddrPort // as tokens name this server; none: the socket's own address
	State    []byte           // of AppendState, in the program before; nil: there was none

	// Admit says by an error that a client with a right token may not come in, by its Data, such as
	// [link.Rooms.Admit]; nil: all may. It is called by the listener, and does not call it.
	Admit func(data []byte) error
}

const (
	maxClients  = 1 << 16
	perBeat     = 500     // requests that are looked into; more of them cost next to nothing
	perPlace    = 2       // of them from addresses that have the same place in a table
	socketBytes = 4 << 20 // of the system's, for each direction
	clientBytes = 1 << 18
)

// Stats count what a [Listener] received.
type Stats struct {
	Clients, Pending int // connected now; with a right token, and no answer to the challenge yet
	Refused          int // requests: malformed, expired, of another key, of a token in use
	Skipped          int // requests that were too many
	Denied           int // clients refused for lack of room, or by Options.Admit
	Strange          int // packets that no client sent: damaged, repeated, of unknown addresses
	Lost             int // datagrams that the program did not receive in time
}

// A Listener is a server's end of connections to many clients, over one socket. A goroutine of its
// own reads, keeps connections alive, and finds out which ended. Its methods may be called by
// several goroutines at once.
type Listener struct {
	options Options
	socket  *net.UDPConn
	batch   *batch
	done    chan struct{}

	mu        sync.Mutex // guards these
	turn      sync.Cond  // paused or rests has changed
	paused    bool
	rests     bool // nothing is read
	closed    bool
	secret    cipher.AEAD // of tokens
	with      []byte      // what a token is sealed with
	riddle    codec       // of challenges
	riddles   uint64
	first     uint64 // of the packets to a client
	number    uint64 // of the next packet to those that are no clients yet
	addresses map[netip.AddrPort]*client
	ids       map[uint64]*client      // those that are connected
	free      []int                   // numbers of clients
	waiting   int                     // those that are pending
	arrived   queue.Arrivals[*client] // that Accept did not return yet
	tokens    history
	left      int // requests that may be looked into in this beat
	asked     [1 << 12]uint8
	seed      maphash.Seed // of places in asked
	stats     Stats
	scratch   [8 + challengeSize]byte
}

var _ link.Listener = (*Listener)(nil)

// Listen returns a listener on a socket, which is the listener's from now on. It panics if
// Options.Clients is not in [1, 65,536], or the socket is nil. The error is that the socket has no
// address that tokens could name, if Options.Public has none, or wraps [ErrState]. Clients of
// Options.State are connected: Accept returns them first.
func Listen(socket *net.UDPConn, o Options) (*Listener, error) {
	if socket == nil || o.Clients < 1 || o.Clients > maxClients {
		panic(fmt.Sprintf("udp: Listen with socket %v for %d clients; have one of net.ListenUDP, "+
			"and 1 to %d", socket, o.Clients, maxClients))
	}
	own := socket.LocalAddr().(*net.UDPAddr).AddrPort()
	if len(o.Public) == 0 {
		if own.Addr().IsUnspecified() {
			return nil, fmt.Errorf("udp: the socket is on all addresses, %v; name those in tokens "+
				"in Options.Public", own)
		}
		o.Public = []netip.AddrPort{own}
	}
	secret, err := chacha20poly1305.NewX(o.Key[:])
	if err != nil {
		return nil, err
	}
	_ = socket.SetReadBuffer(socketBytes) // the system may give less
	_ = socket.SetWriteBuffer(socketBytes)
	l := &Listener{
		options: o, socket: socket, batch: newBatch(socket), done: make(chan struct{}),
		secret: secret, riddle: newCodec(NewKey(), 0), number: shared, left: perBeat,
		addresses: map[netip.AddrPort]*client{}, ids: map[uint64]*client{},
		tokens: history{ring: make([]use, 8*o.Clients), byMac: map[[macSize]byte]int{}},
		seed:   maphash.MakeSeed(),
	}
	for i := range o.Clients {
		l.free = append(l.free, o.Clients-1-i)
	}
	l.turn.L = &l.mu
	if o.State != nil {
		if err := l.restore(o.State); err != nil {
			return nil, err
		}
	}
	go l.read()
	return l, nil
}

// Addr returns the address of the socket.
func (l *Listener) Addr() netip.AddrPort { return l.socket.LocalAddr().(*net.UDPAddr).AddrPort() }

// Accept implements [link.Listener]. A client comes once, connected.
func (l *Listener) Accept() (link.Client, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.arrived.Take()
	if !ok {
		return nil, false
	}
	return c, true
}

// Flush implements [link.Listener]. It is called for a program that does not, ten times a second.
func (l *Listener) Flush() { l.batch.flush() }

// Stats returns what was counted so far.
func (l *Listener) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.stats
	s.Clients, s.Pending = len(l.ids), l.waiting
	return s
}

// Close implements [link.Listener]. It waits for the listener's goroutine.
func (l *Listener) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	l.turn.Broadcast()
	for _, c := range l.addresses {
		l.end(c, true)
	}
	l.batch.flush()
	l.mu.Unlock()
	err := l.socket.Close()
	<-l.done
	return err
}

// read reads datagrams until the socket is closed. One call reads one: those of x/net that read
// many make two new values per datagram.
func (l *Listener) read() {
	defer close(l.done)
	buffer := make([]byte, maxPacket+1)
	next := time.Now()
	for {
		rested := l.rest()
		now := time.Now()
		if rested || !now.Before(next) {
			next = now.Add(beat)
			if l.socket.SetReadDeadline(next) != nil {
				return
			}
			l.mu.Lock()
			l.tend(now)
			l.mu.Unlock()
		}
		n, from, err := l.socket.ReadFromUDPAddrPort(buffer)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case errors.Is(err, os.ErrDeadlineExceeded):
		case err != nil: // of what was sent before, on some systems
			time.Sleep(time.Millisecond)
		default:
			l.mu.Lock()
			l.take(buffer[:n], from, now)
			l.mu.Unlock()
		}
	}
}

// take takes a datagram in.
func (l *Listener) take(d []byte, from netip.AddrPort, now time.Time) {
	key := netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
	c := l.addresses[key]
	if len(d) == requestSize && d[0] == request {
		l.request(d, key, from, now)
		return
	}
	if c == nil {
		l.stats.Strange++
		return
	}
	kind, body, ok := c.in.open(d, serverTakes, &c.had)
	if !ok {
		l.stats.Strange++
		return
	}
	switch phase := c.phase.Load(); {
	case kind == response:
		l.answer(c, body, now)
	case phase != connected:
	case kind == disconnect:
		l.end(c, false)
	default:
		c.last = now
		c.heard.Store(true)
		if kind == payload {
			c.mu.Lock()
			l.stats.Lost += c.queue.Put(body)
			c.mu.Unlock()
		}
	}
}

// connect makes a pending client a connected one.
func (l *Listener) connect(c *client, now time.Time) {
	c.index = l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	l.waiting--
	l.ids[c.proof.client] = c
	c.last = now
	c.queue = queue.New(waiting)
	c.phase.Store(connected)
	l.arrived.Put(c, l.options.Clients)
	l.tokens.useUp(c.proof.mac)
}

// end ends a connection, or an attempt at one.
func (l *Listener) end(c *client, tell bool) {
	switch c.phase.Load() {
	case ended:
		return
	case pending:
		l.waiting--
	case connected:
		delete(l.ids, c.proof.client)
		l.free = append(l.free, c.index)
		l.batch.mu.Lock()
		for i := 0; tell && i < farewells; i++ {
			c.add(disconnect)
		}
		l.batch.mu.Unlock()
	}
	delete(l.addresses, c.from)
	c.phase.Store(ended)
}

// tend keeps connections alive, and ends those of which nothing came.
func (l *Listener) tend(now time.Time) {
	l.left = perBeat
	clear(l.asked[:])
	for _, c := range l.addresses {
		limit := time.Duration(c.proof.timeout) * time.Second
		isPending := c.phase.Load() == pending
		if isPending && (limit <= 0 || limit > defaultTimeout) {
			limit = defaultTimeout
		}
		if limit > 0 && now.Sub(c.last) > limit {
			l.end(c, false)
			continue
		}
		if isPending {
			continue
		}
		l.batch.mu.Lock()
		if c.number == c.idle {
			c.add(keepAlive)
		}
		c.idle = c.number
		l.batch.mu.Unlock()
	}
	l.batch.flush()
}

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
