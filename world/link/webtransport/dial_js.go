package webtransport

import (
	"context"
	"errors"
	"fmt"
	"syscall/js"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/internal/queue"
)

const waiting = 1 << 14 // bytes of datagrams that the program has not received yet

// Errors of [Dial] and [Conn.Err].
var (
	// ErrUnsupported is the error of browsers without WebTransport, and of pages that are not
	// secure.
	ErrUnsupported = errors.New("webtransport: the browser has none for this page; connect by " +
		"package world/link/web")
	errClosed = errors.New("webtransport: the connection is closed")
)

// A Conn is a page's end of a connection: a [link.Link]. Its own goroutine reads.
type Conn struct {
	transport, reader, writer js.Value
	ctx                       context.Context // ends with the connection
	cancel                    context.CancelCauseFunc
	ignore                    js.Func // handles rejected promises that are not awaited
	done                      chan struct{}
	waits                     *queue.In
}

var _ link.Link = (*Conn)(nil)

// Dial connects to a server's Listener at a URL such as https://example.com:8080/play. The hash is
// the hash of the listener's own certificate, or nil for a certificate that browsers trust. The
// context is for dialling only. It returns ErrUnsupported, or an error of the context or the
// browser.
func Dial(ctx context.Context, url string, hash []byte) (c *Conn, err error) {
	class := js.Global().Get("WebTransport")
	if class.IsUndefined() {
		return nil, ErrUnsupported
	}
	defer func() {
		if thrown, ok := recover().(js.Error); ok { // because of the URL
			c, err = nil, fmt.Errorf("webtransport: %w", thrown)
		}
	}()
	options := js.Global().Get("Object").New()
	if len(hash) > 0 {
		one := js.Global().Get("Object").New()
		one.Set("algorithm", "sha-256")
		one.Set("value", bytes(hash))
		options.Set("serverCertificateHashes", js.Global().Get("Array").New(one))
	}
	c = &Conn{
		transport: class.New(url, options), done: make(chan struct{}),
		waits:  queue.NewIn(waiting, link.MaxDatagram),
		ignore: js.FuncOf(func(js.Value, []js.Value) any { return nil }),
	}
	c.transport.Get("closed").Call("catch", c.ignore)
	if _, err = await(ctx, c.transport.Get("ready")); err != nil {
		c.transport.Call("close")
		return nil, fmt.Errorf("webtransport: %w", err)
	}
	datagrams := c.transport.Get("datagrams")
	writable := datagrams.Get("writable")
	if writable.IsUndefined() {
		writable = datagrams.Call("createWritable")
	}
	c.reader = datagrams.Get("readable").Call("getReader")
	c.writer = writable.Call("getWriter")
	c.writer.Get("closed").Call("catch", c.ignore)
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	go c.reading()
	return c, nil
}

// bytes returns an Uint8Array.
func bytes(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

// await waits for a promise.
func await(ctx context.Context, promise js.Value) (js.Value, error) {
	type settled struct {
		value js.Value
		err   error
	}
	done := make(chan settled, 1)
	var kept, broken js.Func
	end := func(s settled) {
		kept.Release()
		broken.Release()
		done <- s
	}
	kept = js.FuncOf(func(_ js.Value, args []js.Value) any {
		end(settled{value: args[0]})
		return nil
	})
	broken = js.FuncOf(func(_ js.Value, args []js.Value) any {
		end(settled{err: errors.New(args[0].Call("toString").String())})
		return nil
	})
	promise.Call("then", kept, broken)
	select {
	case s := <-done:
		return s.value, s.err
	case <-ctx.Done():
		return js.Undefined(), context.Cause(ctx)
	}
}

// reading reads until the connection ends.
func (c *Conn) reading() {
	defer close(c.done)
	var buffer [link.MaxDatagram]byte
	for {
		result, err := await(c.ctx, c.reader.Call("read"))
		if err == nil && result.Get("done").Bool() {
			err = errClosed
		}
		if err != nil {
			c.cancel(fmt.Errorf("webtransport: %w", err))
			c.transport.Call("close")
			return
		}
		value := result.Get("value")
		if value.Length() <= link.MaxDatagram {
			c.waits.Came(buffer[:js.CopyBytesToGo(buffer[:], value)])
		}
	}
}

// Send implements [link.Link]. If the browser's buffer is full, the datagram is lost.
func (c *Conn) Send(datagram []byte) {
	if n := len(datagram); n < 1 || n > link.MaxDatagram || c.ctx.Err() != nil {
		return
	}
	if room := c.writer.Get("desiredSize"); room.Type() != js.TypeNumber || room.Float() <= 0 {
		c.waits.Lose()
		return
	}
	c.writer.Call("write", bytes(datagram)).Call("catch", c.ignore)
}

// Receive implements [link.Link].
func (c *Conn) Receive() ([]byte, bool) { return c.waits.Receive() }

// Err returns nil while the connection is open.
func (c *Conn) Err() error { return context.Cause(c.ctx) }

// Lost returns the number of datagrams that were not sent, or not received in time.
func (c *Conn) Lost() int { return c.waits.Lost() }

// Close ends the connection, and waits for its goroutine.
func (c *Conn) Close() error {
	c.cancel(errClosed)
	<-c.done
	return nil
}
