package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

const (
	waiting = 1 << 14 // bytes of waiting datagrams, each way
	patient = 10 * time.Second
	beats   = 10 // without hearing anything, until an end gives the other one up
)

// ErrTimeout is the error of a connection whose other end was silent.
var ErrTimeout = errors.New("web: nothing came from the other end for too long")

// A Conn is one end of a connection: a [link.Link]. It has two goroutines, for reading and writing.
// Its methods may be called by several goroutines at once.
type Conn struct {
	socket   *websocket.Conn
	patience time.Duration
	ctx      context.Context // ends with the connection
	cancel   context.CancelCauseFunc
	waits    *queue.Both
	wait     sync.WaitGroup
	heard    atomic.Bool // something arrived in this beat
}

var _ link.Link = (*Conn)(nil)

// Dial connects to a server's [Listener] at a URL such as wss://example.com/play. The context is
// for dialling only.
func Dial(ctx context.Context, url string) (*Conn, error) {
	socket, answer, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return nil, fmt.Errorf("web: %w%s", err, refusalText(answer))
	}
	c := newConn(socket, patient)
	c.wait.Go(c.reading)
	return c, nil
}

// refusalText returns the answer of a server that refuses to connect, if any.
func refusalText(answer *http.Response) string {
	if answer == nil || answer.Body == nil {
		return ""
	}
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 200)) // as much as there is
	if len(text) == 0 {
		return ""
	}
	return fmt.Sprintf("; the server says %q", strings.TrimSpace(string(text)))
}

// newConn returns a connection that writes, and does not read yet.
func newConn(socket *websocket.Conn, patience time.Duration) *Conn {
	c := &Conn{socket: socket, patience: patience, waits: queue.NewBoth(waiting, link.MaxDatagram)}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	socket.SetReadLimit(link.MaxDatagram)
	c.wait.Go(c.writing)
	return c
}

// reading reads until the connection ends.
func (c *Conn) reading() {
	buffer := make([]byte, link.MaxDatagram+1)
	for {
		n, err := c.message(buffer)
		if err != nil {
			c.cancel(fmt.Errorf("web: %w", err))
			return
		}
		c.heard.Store(true)
		c.waits.Came(buffer[:n])
	}
}

// message reads a message into a buffer, which must be longer than any message.
func (c *Conn) message(buffer []byte) (n int, err error) {
	kind, r, err := c.socket.Reader(c.ctx)
	if err != nil {
		return 0, err
	}
	if kind != websocket.MessageBinary {
		return 0, errors.New("a message of text came; have binary ones")
	}
	for n < len(buffer) {
		k, err := r.Read(buffer[n:])
		n += k
		if err == io.EOF { // of the message; the end of the connection is wrapped
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, fmt.Errorf("a message of more than %d bytes came", link.MaxDatagram)
}

// writing writes until the connection ends, and ends it if nothing came for too long.
func (c *Conn) writing() {
	defer c.socket.CloseNow() //nolint:errcheck // it is closed
	stuck := time.AfterFunc(c.patience, func() { c.cancel(ErrTimeout) })
	stuck.Stop() // started during each write
	beat := time.NewTicker(max(c.patience/beats, time.Millisecond))
	defer beat.Stop()
	wrote, silent := false, 0
	buffer := make([]byte, 0, link.MaxDatagram)
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-beat.C:
			if silent++; c.heard.Swap(false) {
				silent = 0
			}
			if silent == beats {
				c.cancel(ErrTimeout)
				return
			}
			if !wrote && !c.write(nil, stuck) {
				return
			}
			wrote = false
		case <-c.waits.Wake():
			for c.waits.Next(&buffer) {
				if !c.write(buffer, stuck) {
					return
				}
				wrote = true
			}
		}
	}
}

// write writes a message, and reports whether the connection is still open.
func (c *Conn) write(message []byte, stuck *time.Timer) bool {
	stuck.Reset(c.patience)
	err := c.socket.Write(c.ctx, websocket.MessageBinary, message)
	if err != nil {
		c.cancel(fmt.Errorf("web: %w", err))
	}
	stuck.Stop()
	return err == nil
}

// Send implements [link.Link]. It does not wait: another goroutine writes.
func (c *Conn) Send(datagram []byte) { c.waits.Send(datagram) }

// Receive implements [link.Link].
func (c *Conn) Receive() ([]byte, bool) { return c.waits.Receive() }

// Err returns nil while the connection is open.
func (c *Conn) Err() error { return context.Cause(c.ctx) }

// Lost returns the number of datagrams that were not sent, because the connection is slow, or not
// received in time.
func (c *Conn) Lost() int { return c.waits.Lost() }

// errClosed is the cause of a connection that this end closed.
var errClosed = errors.New("web: the connection is closed")

// Close ends the connection, and waits for its goroutines.
func (c *Conn) Close() error {
	c.cancel(errClosed)
	c.wait.Wait()
	return nil
}
