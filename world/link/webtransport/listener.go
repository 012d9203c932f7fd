//go:build !js

package webtransport

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// Options are the options of a [Listener].
type Options struct {
	Clients int         // at most at once
	TLS     *tls.Config // nil: certificates of its own, see [Listener.Hash]
	// Origins are hosts of pages that may connect, such as "example.com" or "*.example.com". Pages
	// of the server's own host and port may always connect, and so may programs, which send no
	// origin.
	Origins []string
	// Enter returns a client's ID and Data from its request, for example by a token in the URL. An
	// error refuses the client. nil accepts everyone, and numbers clients from 1. Several
	// goroutines call it at once.
	Enter func(r *http.Request) (id uint64, data []byte, err error)
	// Patience is how long a client may be silent; 0: 10 s.
	Patience time.Duration
}

const (
	maxClients = 1 << 16
	waiting    = 1 << 14 // bytes of waiting datagrams, each way
	patient    = 10 * time.Second
	streams    = 8 // of one connection; a session needs one
)

// errClosed is the cause of a connection that this end closed.
var errClosed = errors.New("webtransport: the connection is closed")

// Stats are the counts of a [Listener].
type Stats struct {
	Clients int // connected or connecting
	Full    int // refused for lack of room
	Refused int // by Enter, by their origin, or because they do not speak WebTransport
	Lost    int // datagrams of disconnected clients: too long, or not received in time
}

// A Listener is a server's end of connections to many clients. Its methods may be called by several
// goroutines at once.
type Listener struct {
	options Options
	socket  net.PacketConn
	server  *webtransport.Server
	signer  *signer
	serving sync.WaitGroup
	places  *queue.Places[*client]
}

var _ link.Listener = (*Listener)(nil)

// Listen returns a listener on a socket, which it owns from now on. It panics if Options.Clients is
// not in [1, 65,536], Options.Patience is negative, or the socket is nil.
func Listen(socket net.PacketConn, o Options) *Listener {
	if socket == nil || o.Clients < 1 || o.Clients > maxClients || o.Patience < 0 {
		panic(fmt.Sprintf("webtransport: Listen with socket %v for %d clients with a patience of "+
			"%v; have one of net.ListenUDP, 1 to %d, and none that is negative", socket, o.Clients,
			o.Patience, maxClients))
	}
	o.Patience = cmp.Or(o.Patience, patient)
	again := errors.New("webtransport: the client connected again")
	l := &Listener{options: o, socket: socket, places: queue.NewPlaces[*client](o.Clients, again)}
	config := o.TLS
	if config == nil {
		l.signer = &signer{now: time.Now}
		config = &tls.Config{GetCertificate: l.signer.certificate}
	}
	l.server = &webtransport.Server{
		H3: &http3.Server{
			TLSConfig: http3.ConfigureTLSConfig(config), Handler: l,
			QUICConfig: &quic.Config{
				MaxIdleTimeout: o.Patience, KeepAlivePeriod: o.Patience / 3,
				MaxIncomingStreams: streams, MaxIncomingUniStreams: streams,
			},
		},
		CheckOrigin: l.isWelcome,
	}
	l.serving.Go(func() { _ = l.server.Serve(socket) }) // until Close
	return l
}

// Hash returns the SHA-256 of the listener's own certificate, for a page that loads now, or nil
// with Options.TLS. The certificate changes after six days.
func (l *Listener) Hash() ([]byte, error) {
	if l.signer == nil {
		return nil, nil
	}
	return l.signer.hash()
}

// isWelcome reports whether a page may connect, by its origin.
func (l *Listener) isWelcome(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	if strings.EqualFold(u.Host, r.Host) {
		return true
	}
	return slices.ContainsFunc(l.options.Origins, func(pattern string) bool {
		ok, _ := path.Match(strings.ToLower(pattern), strings.ToLower(u.Host))
		return ok
	})
}

// ServeHTTP implements [http.Handler] for the listener's own server: it accepts a client, and
// returns when the client is gone. A client with the ID of another one replaces it.
func (l *Listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !l.places.Reserve() {
		http.Error(w, "webtransport: the server is full; try another one, or later",
			http.StatusServiceUnavailable)
		return
	}
	defer l.places.Done()
	c, err := l.enter(w, r)
	switch {
	case l.places.Take(c, err):
		var writing sync.WaitGroup
		writing.Go(c.writing)
		c.reading()
		l.places.Leave(c)
		writing.Wait()
	case err == nil:
		_ = c.session.CloseWithError(0, "")
	}
}

// enter identifies a client by Options.Enter, and connects it.
func (l *Listener) enter(w http.ResponseWriter, r *http.Request) (c *client, err error) {
	c = &client{}
	if l.options.Enter == nil {
		c.id = l.places.NewID()
	} else if c.id, c.data, err = l.options.Enter(r); err != nil {
		text, status := http.StatusText(http.StatusForbidden), http.StatusForbidden
		if errors.Is(err, link.ErrRoom) {
			text, status = err.Error(), http.StatusNotFound
		}
		http.Error(w, text, status)
		return nil, err
	}
	if c.session, err = l.server.Upgrade(w, r); err != nil {
		http.Error(w, http.StatusText(http.StatusForbidden), http.StatusForbidden)
		return nil, err
	}
	c.waits = queue.NewBoth(waiting, link.MaxDatagram)
	c.ctx, c.cancel = context.WithCancelCause(c.session.Context())
	return c, nil
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

// Close implements [link.Listener]. It waits for the goroutines of all clients.
func (l *Listener) Close() error {
	l.places.End(errClosed)
	err := l.server.Close()
	if closed := l.socket.Close(); !errors.Is(closed, net.ErrClosed) {
		err = errors.Join(err, closed)
	}
	l.serving.Wait()
	l.places.Wait()
	return err
}

// A client is a Listener's end of a connection. Two goroutines read and write.
type client struct {
	session *webtransport.Session
	id      uint64
	data    []byte
	ctx     context.Context // ends with the connection
	cancel  context.CancelCauseFunc
	waits   *queue.Both
}

var _ link.Client = (*client)(nil)

// ID implements [link.Client].
func (c *client) ID() uint64 { return c.id }

// Data implements [link.Client].
func (c *client) Data() []byte { return c.data }

// Err implements [link.Client].
func (c *client) Err() error { return context.Cause(c.ctx) }

// Close implements [link.Client].
func (c *client) Close() { c.cancel(errClosed) }

// End implements [queue.Client].
func (c *client) End(why error) { c.cancel(why) }

// Lost implements [queue.Client].
func (c *client) Lost() int { return c.waits.Lost() }

// reading reads until the connection ends.
func (c *client) reading() {
	for {
		d, err := c.session.ReceiveDatagram(c.ctx)
		if err != nil {
			c.cancel(err)
			return
		}
		c.waits.Came(d)
	}
}

// writing writes until the connection ends, and ends the session.
func (c *client) writing() {
	defer c.session.CloseWithError(0, "") //nolint:errcheck // it is closed
	stop := context.AfterFunc(c.ctx, func() { _ = c.session.CloseWithError(0, "") })
	defer stop()
	buffer := make([]byte, 0, link.MaxDatagram)
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-c.waits.Wake():
			for c.waits.Next(&buffer) {
				if c.session.SendDatagram(buffer) != nil && c.ctx.Err() == nil {
					c.waits.Lose() // longer than the path to the client allows
				}
			}
		}
	}
}

// Send implements [link.Link]. It does not wait: another goroutine writes.
func (c *client) Send(datagram []byte) { c.waits.Send(datagram) }

// Receive implements [link.Link].
func (c *client) Receive() ([]byte, bool) { return c.waits.Receive() }
