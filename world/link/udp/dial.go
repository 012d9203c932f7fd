package udp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// Errors of [Dial] and [Conn.Err].
var (
	// ErrDenied is the error of a server that is full, or does not admit this client. The standard
	// has no way to tell which.
	ErrDenied = errors.New("udp: the server does not take the client in: it is full, or the room " +
		"that the token names is not open there; ask for another token, or later")
	// ErrTimeout is the error of a server that sent nothing, because it is not running, or does not
	// accept the token.
	ErrTimeout = errors.New("udp: nothing came from the server for the timeout of the token")
	// ErrExpired is the error of tokens that are too old.
	ErrExpired = errors.New("udp: the token expired; ask the matchmaker for another one")
	// ErrClosed is the error of a connection that either end closed.
	ErrClosed = errors.New("udp: the connection is closed")
)

// A Conn is a client's end of a connection: a [link.Link]. A goroutine of its own reads, and keeps
// the connection alive. Its methods may be called by several goroutines at once.
type Conn struct {
	socket *net.UDPConn
	limit  time.Duration // of silence; 0: none
	in     codec
	had    window
	index  int
	ctx    context.Context // ends with the connection
	cancel context.CancelCauseFunc
	wait   sync.WaitGroup

	out    sync.Mutex // guards the fields below
	up     codec
	number uint64 // of the next packet
	idle   uint64 // value of number in the last beat
	packet [maxPacket]byte
	body   [8]byte // of a keep-alive packet

	waits *queue.In
}

var _ link.Link = (*Conn)(nil)

// Dial connects to the first of the token's servers that accepts the client. A token is for one
// connection. It returns ErrToken, ErrExpired, ErrDenied, ErrTimeout, or an error of the context or
// of the system.
func Dial(ctx context.Context, token []byte) (*Conn, error) {
	t, err := readTicket(token)
	if err != nil {
		return nil, err
	}
	life := time.Duration(min(t.expires-t.created, 1<<32)) * time.Second
	ctx, cancel := context.WithTimeoutCause(ctx, life, ErrExpired)
	defer cancel()
	c := &Conn{
		limit: time.Duration(max(0, t.timeout)) * time.Second,
		in:    newCodec(t.down, t.protocol), up: newCodec(t.up, t.protocol),
		waits: queue.NewIn(waiting, link.MaxDatagram),
	}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	for _, server := range t.servers {
		if err = c.connect(ctx, server, t.request); err == nil {
			c.wait.Go(c.run)
			return c, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, fmt.Errorf("udp: %d servers of the token: %w", len(t.servers), err)
}

// connect connects to a server: it sends the token until a challenge arrives, and the answer until
// a keep-alive packet arrives.
func (c *Conn) connect(ctx context.Context, server netip.AddrPort, show []byte) (err error) {
	c.socket, err = net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(server))
	if err != nil {
		return err
	}
	_ = c.socket.SetReadBuffer(clientBytes) // the system may grant less
	stop := context.AfterFunc(ctx, func() { _ = c.socket.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	defer func() {
		if err != nil {
			_ = c.socket.Close()
		}
	}()
	var answer []byte
	last := time.Now()
	for ctx.Err() == nil {
		if answer == nil {
			_, _ = c.socket.Write(show) // repeated, so it may be lost
		} else {
			c.sendPacket(response, answer)
		}
		kind, body, err := c.await(ctx, answer != nil)
		if err != nil {
			return err
		}
		switch {
		case kind == challenge:
			answer, last = append([]byte(nil), body...), time.Now()
		case kind == keepAlive:
			c.index = int(uint32(body[0]) | uint32(body[1])<<8 | uint32(body[2])<<16)
			return nil
		case c.limit > 0 && time.Since(last) > c.limit:
			return ErrTimeout
		}
	}
	return context.Cause(ctx)
}

// await waits a beat for a relevant packet.
func (c *Conn) await(ctx context.Context, answered bool) (kind byte, body []byte, err error) {
	end := time.Now().Add(beat)
	if ctx.Err() == nil {
		_ = c.socket.SetReadDeadline(end)
	}
	buffer := make([]byte, maxPacket+1)
	for ctx.Err() == nil {
		n, err := c.socket.Read(buffer)
		if err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) { // the server is not running yet
				time.Sleep(time.Until(end))
			}
			return 0, nil, nil // the packet is sent again
		}
		kind, body, ok := c.in.open(buffer[:n], clientTakes, &c.had)
		switch {
		case !ok:
		case kind == denied:
			return 0, nil, ErrDenied
		case kind == challenge && !answered, kind == keepAlive && answered:
			return kind, body, nil
		}
	}
	return 0, nil, context.Cause(ctx)
}

// run reads until the connection ends.
func (c *Conn) run() {
	buffer := make([]byte, maxPacket+1)
	last := time.Now()
	next := last
	for {
		now := time.Now()
		if !now.Before(next) {
			next = now.Add(beat)
			_ = c.socket.SetReadDeadline(next) // if it fails, so does Read
			c.keepAlive()
		}
		n, err := c.socket.Read(buffer)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err == nil:
			if kind, body, ok := c.in.open(buffer[:n], clientTakes, &c.had); ok {
				if last = now; !c.take(kind, body) {
					return
				}
			}
		case !errors.Is(err, os.ErrDeadlineExceeded): // the server may be down for a while
			time.Sleep(time.Millisecond)
		}
		if c.limit > 0 && now.Sub(last) > c.limit {
			c.cancel(ErrTimeout)
			return
		}
	}
}

// take processes a packet, and reports whether the connection is still open.
func (c *Conn) take(kind byte, body []byte) bool {
	switch kind {
	case payload:
		c.waits.Came(body)
	case disconnect:
		c.cancel(ErrClosed)
		return false
	}
	return true
}

// keepAlive sends a packet if none was sent in the last beat.
func (c *Conn) keepAlive() {
	c.out.Lock()
	isIdle := c.number == c.idle
	c.out.Unlock()
	if isIdle {
		c.sendPacket(keepAlive, c.body[:])
	}
	c.out.Lock()
	c.idle = c.number
	c.out.Unlock()
}

func (c *Conn) sendPacket(kind byte, body []byte) {
	c.out.Lock()
	defer c.out.Unlock()
	_, _ = c.socket.Write(c.up.seal(c.packet[:0], kind, c.number, body)) // may be lost
	c.number++
}

// Send implements [link.Link]. It sends at once.
func (c *Conn) Send(datagram []byte) {
	if n := len(datagram); n > 0 && n <= link.MaxDatagram && c.Err() == nil {
		c.sendPacket(payload, datagram)
	}
}

// Receive implements [link.Link].
func (c *Conn) Receive() ([]byte, bool) { return c.waits.Receive() }

// Err returns nil while the connection is open, and then ErrTimeout or ErrClosed.
func (c *Conn) Err() error { return context.Cause(c.ctx) }

// Number returns the number of the client at the server, below its Options.Clients.
func (c *Conn) Number() int { return c.index }

// LocalAddr returns the address of the client's end.
func (c *Conn) LocalAddr() netip.AddrPort { return c.socket.LocalAddr().(*net.UDPAddr).AddrPort() }

// Lost returns the number of datagrams that the program did not receive in time.
func (c *Conn) Lost() int { return c.waits.Lost() }

// Close ends the connection, and tells the server. It waits for the connection's goroutine.
func (c *Conn) Close() error {
	if c.Err() == nil {
		c.cancel(ErrClosed)
		for range farewells {
			c.sendPacket(disconnect, nil)
		}
	}
	err := c.socket.Close()
	c.wait.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil // already closed
	}
	return err
}
