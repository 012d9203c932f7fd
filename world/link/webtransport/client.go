//go:build !js

package webtransport

import (
	"context"

	"github.com/quic-go/webtransport-go"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// A client is a Listener's end of a connection. Two goroutines of its own read and write.
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

// begin has the client write.
func (c *client) begin(s *webtransport.Session) {
	c.session, c.waits = s, queue.NewBoth(waiting, link.MaxDatagram)
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
					c.waits.Lose() // it is longer than the path to the client takes
				}
			}
		}
	}
}

// Send implements [link.Link]. It does not wait: another goroutine writes.
func (c *client) Send(datagram []byte) { c.waits.Send(datagram) }

// Receive implements [link.Link].
func (c *client) Receive() ([]byte, bool) { return c.waits.Receive() }
