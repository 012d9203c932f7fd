//go:build !js

package webtransport

import (
	"context"
	"sync"

	"github.com/quic-go/webtransport-go"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// A client is what a Listener has of one. Two goroutines of its own read and write.
type client struct {
	session *webtransport.Session
	id      uint64
	data    []byte
	ctx     context.Context // ends with the connection
	cancel  context.CancelCauseFunc
	wake    chan struct{} // there is something to write

	mu   sync.Mutex // guards these
	in   queue.Queue
	out  queue.Queue
	lost int
	read [link.MaxDatagram]byte
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

// begin has the client write.
func (c *client) begin(s *webtransport.Session) {
	c.session, c.wake = s, make(chan struct{}, 1)
	c.in, c.out = queue.New(waiting), queue.New(waiting)
	c.ctx, c.cancel = context.WithCancelCause(s.Context())
}

// reading reads until the connection ends.
func (c *client) reading() {
	for {
		d, err := c.session.ReceiveDatagram(c.ctx)
		if err != nil {
			c.cancel(err)
			return
		}
		if n := len(d); n > 0 && n <= link.MaxDatagram {
			c.mu.Lock()
			c.lost += c.in.Put(d)
			c.mu.Unlock()
		}
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
		case <-c.wake:
			for c.next(&buffer) {
				if c.session.SendDatagram(buffer) != nil && c.ctx.Err() == nil {
					c.mu.Lock()
					c.lost++ // it is longer than the path to the client takes
					c.mu.Unlock()
				}
			}
		}
	}
}

// next takes the oldest datagram that waits to be written.
func (c *client) next(buffer *[]byte) (ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*buffer, ok = c.out.Take((*buffer)[:0])
	return ok
}

// Send implements [link.Link]. It does not wait: another goroutine writes.
func (c *client) Send(datagram []byte) {
	if n := len(datagram); n < 1 || n > link.MaxDatagram {
		return
	}
	c.mu.Lock()
	c.lost += c.out.Put(datagram)
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Receive implements [link.Link].
func (c *client) Receive() ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.in.Take(c.read[:0])
}
