package hand

import (
	"net"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A latecomer is a listener that accepts a connection at the very moment of a deadline.
type latecomer struct {
	comes chan struct{}
	conn  net.Conn
}

func (l *latecomer) Accept() (net.Conn, error) {
	<-l.comes
	if l.conn == nil {
		return nil, os.ErrDeadlineExceeded
	}
	c := l.conn
	l.conn = nil
	return c, nil
}

func (l *latecomer) SetDeadline(t time.Time) error {
	if !t.IsZero() {
		l.comes <- struct{}{}
	}
	return nil
}

func (l *latecomer) Close() error            { close(l.comes); return nil }
func (l *latecomer) Addr() net.Addr          { return nil }
func (l *latecomer) File() (*os.File, error) { return nil, os.ErrInvalid }

// TestAcceptedAtTheMomentOfAPause: the connection is given to the program after the pause.
func TestAcceptedAtTheMomentOfAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, other := net.Pipe()
		defer other.Close()
		l := newListener(&latecomer{comes: make(chan struct{}), conn: one}, "key")
		given := make(chan net.Conn, 1)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				given <- c
			}
		}()
		synctest.Wait()
		require.NoError(t, l.pause(true))
		synctest.Wait()
		assert.Empty(t, given)
		assert.Equal(t, []net.Conn{one}, l.kept)
		require.NoError(t, l.pause(false))
		assert.Equal(t, one, <-given)
		synctest.Wait()
		require.NoError(t, l.Close())
	})
}

// TestAPauseWaitsForTheProgram: until it has noted the connection that it was given, but not long.
func TestAPauseWaitsForTheProgram(t *testing.T) {
	for _, takes := range []time.Duration{nextAccept / 2, 10 * nextAccept} {
		synctest.Test(t, func(t *testing.T) {
			one, other := net.Pipe()
			defer other.Close()
			inner := &latecomer{comes: make(chan struct{}, 2), conn: one}
			inner.comes <- struct{}{}
			l := newListener(inner, "key")
			var noted atomic.Bool
			go func() {
				if _, err := l.Accept(); err == nil {
					time.Sleep(takes)
					noted.Store(true)
					_, _ = l.Accept()
				}
			}()
			synctest.Wait()
			begin := time.Now()
			require.NoError(t, l.pause(true))
			assert.Equal(t, min(takes, nextAccept), time.Since(begin))
			synctest.Wait()
			assert.Equal(t, takes < nextAccept, noted.Load())
			time.Sleep(20 * nextAccept)
			require.NoError(t, l.Close())
		})
	}
}

// TestCloseEndsListening: no connection is accepted after Close.
func TestCloseEndsListening(t *testing.T) {
	h, err := Join(Options{Signals: true})
	require.NoError(t, err)
	l, err := h.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	h.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err == nil {
		_ = c.Close()
	}
	assert.Error(t, err)
}
