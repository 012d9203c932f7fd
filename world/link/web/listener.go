//go:build !js

package web

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// Options are the options of a [Listener].
type Options struct {
	Clients int // at most at once

	// Origins are hosts of pages that may connect, such as "example.com" or "*.example.com". Pages
	// of the server's own host may always connect, and so may programs, which send no origin.
	Origins []string

	// Enter returns a client's ID and Data from its request: by a cookie, or by a token in the URL.
	// An error refuses the client; clients get the text of errors that wrap [link.ErrRoom]. nil
	// accepts everyone, and numbers clients from 1. Several goroutines call it at once.
	Enter func(r *http.Request) (id uint64, data []byte, err error)

	// Patience is how long a client may be silent; 0: 10 s. Ends of package web send a message
	// every second.
	Patience time.Duration
}

const (
	maxClients  = 1 << 16
	socketBytes = 1 << 15 // of a slow client that the system buffers
)

// Stats are the counts of a [Listener].
type Stats struct {
	Clients int // connected or connecting
	Full    int // refused for lack of room
	Refused int // by Enter, by their origin, or without WebSocket
	Lost    int // datagrams of disconnected clients, as Conn.Lost
}

// A Listener is a server's end of connections to many clients: a handler for an [http.Server]. Each
// client has two goroutines. Its methods may be called by several goroutines at once.
type Listener struct {
	options Options
	places  *queue.Places[*client]
}

var _ link.Listener = (*Listener)(nil)

// A client is a Listener's end of a connection.
type client struct {
	*Conn
	id   uint64
	data []byte
}

var _ link.Client = (*client)(nil)

// ID implements [link.Client].
func (c *client) ID() uint64 { return c.id }

// Data implements [link.Client].
func (c *client) Data() []byte { return c.data }

// Close implements [link.Client].
func (c *client) Close() { _ = c.Conn.Close() }

// End implements [queue.Client].
func (c *client) End(why error) { c.cancel(why) }

// NewListener returns a listener. It panics if Options.Clients is not in [1, 65,536], or
// Options.Patience is negative.
func NewListener(o Options) *Listener {
	if o.Clients < 1 || o.Clients > maxClients || o.Patience < 0 {
		panic(fmt.Sprintf("web: NewListener for %d clients with a patience of %v; have 1 to %d, "+
			"and none that is negative", o.Clients, o.Patience, maxClients))
	}
	o.Patience = cmp.Or(o.Patience, patient)
	again := errors.New("web: the client connected again")
	return &Listener{o, queue.NewPlaces[*client](o.Clients, again)}
}

// ServeHTTP implements [http.Handler]: it accepts a client, and returns when the client is gone. A
// client with the ID of another one replaces it.
func (l *Listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !l.places.Reserve() {
		http.Error(w, "web: the server is full; try another one, or later",
			http.StatusServiceUnavailable)
		return
	}
	defer l.places.Done()
	c, err := l.enter(w, r)
	switch {
	case l.places.Take(c, err):
		c.reading()
		c.Close()
		l.places.Leave(c)
	case err == nil:
		c.Close()
	}
}

// enter identifies a client by Options.Enter, and connects it.
func (l *Listener) enter(w http.ResponseWriter, r *http.Request) (c *client, err error) {
	c = &client{}
	if l.options.Enter == nil {
		c.id = l.places.NewID()
	} else if c.id, c.data, err = l.options.Enter(r); err != nil {
		if errors.Is(err, link.ErrRoom) {
			http.Error(w, err.Error(), http.StatusNotFound)
		} else {
			http.Error(w, http.StatusText(http.StatusForbidden), http.StatusForbidden)
		}
		return nil, err
	}
	options := &websocket.AcceptOptions{OriginPatterns: l.options.Origins}
	socket, err := websocket.Accept(bounded{w}, r, options)
	if err != nil {
		return nil, err
	}
	c.Conn = newConn(socket, l.options.Patience)
	return c, nil
}

// bounded limits the data that the system buffers for a slow client.
type bounded struct{ http.ResponseWriter }

// Hijack implements [http.Hijacker].
func (b bounded) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(b.ResponseWriter).Hijack()
	inner := conn
	if over, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS
		inner = over.NetConn()
	}
	if tcp, ok := inner.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(socketBytes) // on failure, slow clients get older datagrams
	}
	return conn, buffers, err
}

// Accept implements [link.Listener]. It returns each client once.
func (l *Listener) Accept() (link.Client, bool) {
	if c, ok := l.places.Accept(); ok {
		return c, true
	}
	return nil, false
}

// Flush implements [link.Listener]. It does nothing, because each client has a goroutine that
// writes.
func (l *Listener) Flush() {}

// Stats returns the counts so far.
func (l *Listener) Stats() Stats { return Stats(l.places.Counted()) }

// Close implements [link.Listener]. It waits for the goroutines of all clients, and refuses new
// ones. The program closes the http.Server.
func (l *Listener) Close() error {
	l.places.End(errClosed)
	l.places.Wait()
	return nil
}
