package hand

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

// Listen returns the listener of an address that the program before has handed over, or opens it.
// It travels to the next program by itself: connections that nobody accepted yet are the next
// one's, and Accept waits while the world is offered. The network is tcp, tcp4, tcp6 or unix.
func (h *Hand) Listen(network, address string) (net.Listener, error) {
	key := network + " " + address
	h.made().mutex.Lock()
	defer h.mutex.Unlock()
	var inner net.Listener
	var err error
	if f := h.kept.Files["listener "+key]; f != nil {
		delete(h.kept.Files, "listener "+key)
		inner, err = net.FileListener(f)
		err = errors.Join(err, f.Close())
	} else {
		inner, err = net.Listen(network, address)
	}
	if err != nil {
		return nil, err
	}
	with, ok := inner.(deadlined)
	if !ok {
		return nil, errors.Join(fmt.Errorf("hand: a listener of %s does not travel: %w; "+
			"listen on tcp or unix", network, ErrRefused), inner.Close())
	}
	if unix, ok := inner.(*net.UnixListener); ok {
		unix.SetUnlinkOnClose(false) // the next one has it
	}
	l := &listener{deadlined: with, key: key}
	l.still.L = &l.mutex
	h.listeners = append(h.listeners, l)
	return l, nil
}

type deadlined interface {
	net.Listener
	SetDeadline(time.Time) error
	File() (*os.File, error)
}

// A listener accepts nothing while it is paused.
type listener struct {
	deadlined
	key    string
	mutex  sync.Mutex
	still  sync.Cond
	paused bool
	closed bool
}

// Accept waits for the next connection, and while the world is offered.
func (l *listener) Accept() (net.Conn, error) {
	for {
		if err := l.wait(); err != nil {
			return nil, err
		}
		c, err := l.deadlined.Accept()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			continue // it was paused
		}
		return c, err
	}
}

func (l *listener) wait() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for l.paused && !l.closed {
		l.still.Wait()
	}
	if l.closed {
		return net.ErrClosed
	}
	return nil
}

func (l *listener) pause(on bool) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.paused = on
	until := time.Time{}
	if on {
		until = time.Unix(1, 0)
	}
	l.still.Broadcast()
	return l.SetDeadline(until)
}

// Close ends accepting.
func (l *listener) Close() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.closed = true
	l.still.Broadcast()
	return l.deadlined.Close()
}
