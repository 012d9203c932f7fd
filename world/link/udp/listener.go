package udp

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/flatecs/flatecs/world/link"
)

// Options are the options of a [Listener].
type Options struct {
	Protocol uint64           // of the game and its version, as in tokens
	Key      Key              // of the matchmaker
	Clients  int              // at most at once
	Public   []netip.AddrPort // addresses that tokens name; none: the socket's own address
	State    []byte           // from AppendState of the previous program; or nil

	// Admit refuses a client with a valid token by returning an error, based on its Data, such as
	// [link.Rooms.Admit]; nil admits all. The listener calls it; it must not call the listener.
	Admit func(data []byte) error
}

const (
	maxClients  = 1 << 16
	socketBytes = 4 << 20 // buffered by the system, for each direction
	clientBytes = 1 << 18
)

// Stats are the counts of a [Listener].
type Stats struct {
	Clients, Pending int // connected now; with a valid token, without an answer yet
	Refused          int // requests: malformed, expired, with another key, with a used token
	Skipped          int // requests beyond the limit
	Denied           int // clients refused for lack of room, or by Options.Admit
	Strange          int // packets from no client: damaged, repeated, from unknown addresses
	Lost             int // datagrams that the program did not receive in time
}

// A Listener is a server's end of connections to many clients, over one socket. Its own goroutine
// reads, keeps connections alive, and detects ended ones. Its methods may be called by several
// goroutines at once.
type Listener struct {
	options Options
	socket  *net.UDPConn
	batch   *batch
	done    chan struct{}

	mu      sync.Mutex // guards the fields below
	pause   pause
	closed  bool
	clients clients
	gate    gate
	stats   Stats
}

var _ link.Listener = (*Listener)(nil)

// Listen returns a listener on a socket, which it owns from now on. It panics if Options.Clients is
// not in [1, 65,536], or the socket is nil. It returns an error if the socket has no address that
// tokens could name and Options.Public is empty, or an error that wraps [ErrState]. Clients of
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
	_ = socket.SetReadBuffer(socketBytes) // the system may grant less
	_ = socket.SetWriteBuffer(socketBytes)
	l := &Listener{options: o, socket: socket, batch: newBatch(socket), done: make(chan struct{})}
	l.pause.changed.L = &l.mu
	l.clients = newClients(l, o.Clients)
	var err error
	if l.gate, err = newGate(&l.options); err != nil {
		return nil, err
	}
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

// Accept implements [link.Listener]. It returns each client once, connected.
func (l *Listener) Accept() (link.Client, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.clients.arrived.Take()
	if !ok {
		return nil, false
	}
	return c, true
}

// Flush implements [link.Listener]. If the program does not call it, the listener does, ten times a
// second.
func (l *Listener) Flush() { l.batch.flush() }

// Stats returns the counts so far.
func (l *Listener) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.stats
	s.Clients, s.Pending = len(l.clients.byID), l.clients.pending
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
	l.pause.changed.Broadcast()
	for _, c := range l.clients.byAddress {
		l.clients.end(c, true)
	}
	l.batch.flush()
	l.mu.Unlock()
	err := l.socket.Close()
	<-l.done
	return err
}

// read reads datagrams until the socket is closed, one per call: the calls of x/net that read many
// allocate two values per datagram.
func (l *Listener) read() {
	defer close(l.done)
	buffer := make([]byte, maxPacket+1)
	next := time.Now()
	for {
		rested := l.waitForResume()
		now := time.Now()
		if rested || !now.Before(next) {
			next = now.Add(beat)
			if l.socket.SetReadDeadline(next) != nil {
				return
			}
			l.mu.Lock()
			l.gate.limit.reset()
			l.clients.keepAlive(now)
			l.batch.flush()
			l.mu.Unlock()
		}
		n, from, err := l.socket.ReadFromUDPAddrPort(buffer)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case errors.Is(err, os.ErrDeadlineExceeded):
		case err != nil: // on some systems, an error of an earlier send
			time.Sleep(time.Millisecond)
		default:
			l.mu.Lock()
			l.handle(buffer[:n], from, now)
			l.mu.Unlock()
		}
	}
}

// handle processes a datagram.
func (l *Listener) handle(d []byte, from netip.AddrPort, now time.Time) {
	key := netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
	c := l.clients.byAddress[key]
	if len(d) == requestSize && d[0] == request {
		l.handleRequest(d, key, from, now)
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
		l.handleAnswer(c, body, now)
	case phase != connected:
	case kind == disconnect:
		l.clients.end(c, false)
	default:
		c.last = now
		c.heard.Store(true)
		if kind == payload {
			l.stats.Lost += c.waits.Came(body)
		}
	}
}

// handleRequest processes a request by the steps of the standard in their order, except that cheap
// steps come first. It answers only a valid token, with fewer bytes than the request.
//
//	0      1        14        22       30     54
//	│ kind │ version │ protocol │ expires │ nonce │ private part │
func (l *Listener) handleRequest(d []byte, key, from netip.AddrPort, now time.Time) {
	was := l.clients.byAddress[key]
	if was != nil && was.phase.Load() == connected {
		return // the client does not know yet
	}
	expires, ok := l.gate.readHead(d, now)
	if !ok {
		l.stats.Refused++
		return
	}
	if !l.gate.limit.allow(key) {
		l.stats.Skipped++
		return
	}
	p, ok := l.gate.readProof(d, expires)
	if !ok || l.clients.byID[p.client] != nil || !l.gate.tokens.use(p.mac, key) {
		l.stats.Refused++
		return
	}
	c := was
	if c == nil || c.proof.mac != p.mac {
		if was != nil {
			l.clients.end(was, false)
		}
		c = l.clients.create(p, key, from, now)
	}
	if len(l.clients.free) == 0 || l.options.Admit != nil && l.options.Admit(p.data[:]) != nil {
		l.deny(c)
		return
	}
	if l.clients.byAddress[key] != c && !l.clients.addPending(c) {
		l.stats.Skipped++
		return
	}
	l.clients.reply(c, challenge, l.gate.challenges.next(&c.proof))
}

func (l *Listener) deny(c *client) {
	l.stats.Denied++
	l.clients.reply(c, denied, nil)
}

// handleAnswer processes the answer to a challenge.
func (l *Listener) handleAnswer(c *client, body []byte, now time.Time) {
	if c.phase.Load() != pending {
		return // the client does not know yet
	}
	if !l.gate.challenges.answered(body, &c.proof) || l.clients.byID[c.proof.client] != nil {
		l.stats.Refused++
		return
	}
	if len(l.clients.free) == 0 {
		l.deny(c)
		return
	}
	l.clients.connect(c, now)
	l.gate.tokens.useUp(c.proof.mac)
}
