package hand

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/flatecs/flatecs/world/internal/failure"
)

// openListener returns the listener of an address from files, or opens it.
func openListener(network, address string, files map[string]*os.File) (*listener, error) {
	key := network + " " + address
	var inner net.Listener
	var err error
	if f := files["listener "+key]; f != nil {
		delete(files, "listener "+key)
		inner, err = net.FileListener(f)
		err = errors.Join(err, f.Close())
	} else {
		inner, err = net.Listen(network, address)
	}
	if err != nil {
		return nil, failure.About("hand", address, err, "give an address of this machine")
	}
	with, ok := inner.(deadlined)
	if !ok {
		return nil, errors.Join(fmt.Errorf("hand: a listener of %s does not travel: %w; "+
			"listen on tcp or unix", network, ErrRefused), inner.Close())
	}
	if unix, ok := inner.(*net.UnixListener); ok {
		unix.SetUnlinkOnClose(false) // the next program keeps using it
	}
	l := newListener(with, key)
	if err := l.takeAccepted(files); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func newListener(inner deadlined, key string) *listener {
	l := &listener{deadlined: inner, key: key}
	l.still.L = &l.mutex
	return l
}

type deadlined interface {
	net.Listener
	SetDeadline(time.Time) error
	File() (*os.File, error)
}

// nextAccept is how long a pause waits, after the program got a connection, for its next call of
// Accept: then a program that accepts in a loop has noted the connection.
const nextAccept = 100 * time.Millisecond

// A listener accepts nothing while it is paused. Connections that the system has accepted at that
// moment are kept, for the next program or until the end of the pause.
//
//	waiting   goroutines in the system's Accept, none of which returns a connection while paused
//	given     when the program was given its last connection; zero once it is back
type listener struct {
	deadlined
	key     string
	mutex   sync.Mutex
	still   sync.Cond // signals any change
	paused  bool
	closed  bool
	waiting int
	given   time.Time
	kept    []net.Conn
}

// Accept waits for the next connection. It also waits while the world is offered.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.begin()
		if c == nil && err == nil {
			c, err = l.deadlined.Accept()
			c, err = l.accepted(c, err)
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return c, err
		}
	}
}

// begin waits for the end of a pause. It returns a kept connection, if any.
func (l *listener) begin() (net.Conn, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.given = time.Time{}
	l.still.Broadcast()
	for l.paused && !l.closed {
		l.still.Wait()
	}
	switch {
	case l.closed:
		return nil, net.ErrClosed
	case len(l.kept) > 0:
		c := l.kept[0]
		l.kept, l.given = l.kept[1:], time.Now()
		return c, nil
	}
	l.waiting++
	return nil, nil
}

// accepted keeps a connection that arrived during a pause, and then returns a deadline error.
func (l *listener) accepted(c net.Conn, err error) (net.Conn, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.waiting--
	l.still.Broadcast()
	switch {
	case err != nil:
		return nil, err
	case l.paused:
		l.kept = append(l.kept, c)
		return nil, os.ErrDeadlineExceeded
	}
	l.given = time.Now()
	return c, nil
}

// pause returns once no goroutine waits for a connection, or lets them wait again.
func (l *listener) pause(on bool) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.paused = on
	l.still.Broadcast()
	if !on {
		return l.SetDeadline(time.Time{})
	}
	err := l.SetDeadline(time.Unix(1, 0))
	for err == nil && l.waiting > 0 && !l.closed {
		l.still.Wait()
	}
	for left := time.Until(l.given.Add(nextAccept)); left > 0 && !l.given.IsZero(); {
		wake := time.AfterFunc(left, l.still.Broadcast)
		l.still.Wait()
		wake.Stop()
		left = time.Until(l.given.Add(nextAccept))
	}
	return err
}

// Close ends accepting.
func (l *listener) Close() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.closed = true
	l.still.Broadcast()
	err := l.deadlined.Close()
	for _, c := range l.kept {
		err = errors.Join(err, c.Close())
	}
	l.kept = nil
	return err
}

// offer adds the listener and its kept connections to an offer.
func (l *listener) offer(o *Offer) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.closed {
		return nil
	}
	f, err := l.File()
	if err != nil {
		return err
	}
	if err := o.add("listener "+l.key, f); err != nil {
		return err
	}
	for i, c := range l.kept {
		with, ok := c.(interface{ File() (*os.File, error) })
		if !ok {
			continue // neither tcp nor unix
		}
		f, err := with.File()
		if err != nil {
			return err
		}
		if err := o.add(acceptedKey(l.key, i), f); err != nil {
			return err
		}
	}
	return nil
}

func acceptedKey(key string, i int) string { return fmt.Sprint("accepted ", i, " ", key) }

// takeAccepted adds the connections that the previous program accepted but did not use.
func (l *listener) takeAccepted(files map[string]*os.File) error {
	for i := 0; ; i++ {
		key := acceptedKey(l.key, i)
		f := files[key]
		if f == nil {
			return nil
		}
		delete(files, key)
		c, err := net.FileConn(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		l.kept = append(l.kept, c)
	}
}
