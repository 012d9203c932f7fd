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
	Public   []netip.AddrPort // as tokens name this server; none: the socket's own address
	State    []byte           // of AppendState, in the program before; nil: there was none

	// Admit says by an error that a client with a right token may not come in, by its Data, such as
	// [link.Rooms.Admit]; nil: all may. It is called by the listener, and does not call it.
	Admit func(data []byte) error
}

const (
	maxClients  = 1 << 16
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

	mu      sync.Mutex // guards these
	pause   pause
	closed  bool
	clients clients
	gate    gate
	stats   Stats
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
	_ = socket.SetReadBuffer(socketBytes) // the system may give less
	_ = socket.SetWriteBuffer(socketBytes)
	l := &Listener{
		options: o, socket: socket, batch: newBatch(socket), done: make(chan struct{}),
	}
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

// Accept implements [link.Listener]. A client comes once, connected.
func (l *Listener) Accept() (link.Client, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.clients.arrived.Take()
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

// read reads datagrams until the socket is closed. One call reads one: those of x/net that read
// many make two new values per datagram.
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
			l.clients.tend(now)
			l.batch.flush()
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
			l.handle(buffer[:n], from, now)
			l.mu.Unlock()
		}
	}
}

// handle takes a datagram in.
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

// handleRequest takes a request in, by the steps of the standard in their order, but for what costs
// less first. What is answered is shorter than the request, and only to a token that is right.
//
//	0      1        14        22       30     54
//	│ kind │ version │ protocol │ expires │ nonce │ private part │
func (l *Listener) handleRequest(d []byte, key, from netip.AddrPort, now time.Time) {
	was := l.clients.byAddress[key]
	if was != nil && was.phase.Load() == connected {
		return // it did not hear of that yet
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

// handleAnswer takes the answer to a challenge in.
func (l *Listener) handleAnswer(c *client, body []byte, now time.Time) {
	if c.phase.Load() != pending {
		return // it did not hear of that yet
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
