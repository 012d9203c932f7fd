package inspect_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// A counted listener knows how many of its connections are open.
type counted struct {
	net.Listener
	open atomic.Int64
}

func (l *counted) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.open.Add(1)
	return &countedConn{Conn: c, of: l}, nil
}

type countedConn struct {
	net.Conn
	of     *counted
	closed sync.Once
}

func (c *countedConn) Close() error {
	c.closed.Do(func() { c.of.open.Add(-1) })
	return c.Conn.Close()
}

// heap returns the bytes that are in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC() // the second one takes what pools keep from the first
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

var polled = []string{
	"overview", "times", "kinds", "watchers", "rows?kind=position&size=500", "objects?q=hero",
	"object?id=7", "column?kind=position&field=xyz", "column?kind=position&field=xyz&rows=mounted",
	"events?topics=overview,times,kinds,watchers", "nothing", "../pprof/heap",
}

// poll asks for some of what there is, and leaves: politely, or in the middle of an answer.
func poll(t *testing.T, url string, n int) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{}}
	if n%2 == 0 { // others keep the connection
		defer client.CloseIdleConnections()
	}
	for i := range 3 {
		ctx, leave := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+polled[(n+5*i)%len(polled)], nil)
		if err != nil {
			t.Error(err)
		} else if answer, err := client.Do(r); err == nil {
			_, _ = io.CopyN(io.Discard, answer.Body, int64(1<<(n%16)))
			if n%3 == 0 {
				_ = answer.Body.Close()
			}
		} else {
			t.Error(err)
		}
		leave()
	}
}

func TestNothingStaysOfPollers(t *testing.T) {
	s := small(t, 20_000)
	i := inspector(t, s)
	inner, err := i.Listen(":0")
	require.NoError(t, err)
	l := &counted{Listener: inner}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- i.ServeListener(ctx, l) }()
	url := "http://" + l.Addr().String() + "/debug/ecs/api/"
	poll(t, url, 0) // what is made once
	gone := func() bool { return l.open.Load() == 0 }
	require.Eventually(t, gone, time.Minute, 10*time.Millisecond)
	goroutines, bytes := runtime.NumGoroutine(), heap()

	pollers, together := 1000, 50
	if !worldtest.AtLength() {
		pollers = 200
	}
	var all sync.WaitGroup
	for first := range together {
		all.Go(func() {
			for n := first; n < pollers; n += together {
				poll(t, url, n)
			}
		})
	}
	all.Wait()
	require.Eventually(t, gone, 50*time.Second, 10*time.Millisecond, "connections")
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+1 }, // a timer's
		time.Minute, 10*time.Millisecond, "goroutines")
	assert.Less(t, heap()-bytes, int64(1<<20))
	require.NoError(t, i.Publish(s), "and it goes on")
	stop()
	require.NoError(t, <-ended)
}
