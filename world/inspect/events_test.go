package inspect_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An event is one of a stream.
type event struct {
	name  string
	found map[string]any
}

// listen opens a stream, and returns what reads its next event and what closes it.
func listen(tb testing.TB, url string) (next func() event, stop func()) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 5*time.Minute)
	r := world.Must(http.NewRequestWithContext(ctx, http.MethodGet, url, nil))
	answer := world.Must(http.DefaultClient.Do(r))
	require.Equal(tb, http.StatusOK, answer.StatusCode)
	require.Equal(tb, "text/event-stream", answer.Header.Get("Content-Type"))
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	next = func() (e event) {
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				e.name = value
			case "data":
				require.NoError(tb, json.Unmarshal([]byte(value), &e.found))
				return e
			}
		}
		require.NoError(tb, lines.Err())
		return e
	}
	return next, func() { cancel(); _ = answer.Body.Close() }
}

func TestAStreamTellsOfTheWorldAsItRuns(t *testing.T) {
	s := small(t, 10)
	var now atomic.Int64 // in quarters of a second
	i := world.Must(inspect.New(s, inspect.Options{Clock: func() time.Duration {
		return time.Duration(now.Load()) * time.Second / 4
	}}))
	server := httptest.NewServer(i.Handler())
	defer server.Close()
	next, stop := listen(t, server.URL+"/debug/ecs/api/events?topics=times,overview,watchers,kinds")
	defer stop()
	for _, name := range []string{"times", "overview", "watchers", "kinds"} {
		e := next()
		require.Equal(t, name, e.name)
		if name == "overview" {
			assert.InDelta(t, 1, e.found["frame"], 0)
		}
	}
	require.NoError(t, i.Publish(s))
	require.NoError(t, i.Publish(s))
	now.Add(1)
	e := next()
	require.Equal(t, "times", e.name)
	assert.InDelta(t, 1, e.found["count"], 0)
	assert.Len(t, part(t, e.found, "interval", "historyMs"), 1)
	e = next()
	require.Equal(t, "overview", e.name)
	assert.InDelta(t, 2, e.found["frame"], 0)
	now.Add(1)
	e = next()
	require.Equal(t, "times", e.name, "watchers and kinds change slowly")
	assert.Empty(t, part(t, e.found, "interval", "historyMs"), "told already")
}

// Streams are few, and one that is left makes room for another.
func TestStreamsAreFew(t *testing.T) {
	server := httptest.NewServer(inspector(t, small(t, 1)).Handler())
	t.Cleanup(server.Close) // after the streams were left
	url := server.URL + "/debug/ecs/api/events"
	head := func() (status int, header http.Header) {
		answer := world.Must(http.Head(url))
		return answer.StatusCode, answer.Header
	}
	for n := range 36 {
		next, stop := listen(t, url)
		assert.Equal(t, "overview", next().name)
		if n < 15 {
			t.Cleanup(stop)
			continue
		}
		status, header := head()
		assert.Equal(t, http.StatusServiceUnavailable, status)
		assert.NotEmpty(t, header.Get("Retry-After"))
		stop()
		require.Eventually(t, func() bool { status, _ := head(); return status == http.StatusOK },
			time.Minute, 10*time.Millisecond)
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	i := inspector(t, small(t, 5))
	l := world.Must(i.Listen(":0"))
	assert.Contains(t, l.Addr().String(), "127.0.0.1:", "without a host, on this machine alone")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- i.ServeListener(ctx, l) }()
	next, stop := listen(t, "http://"+l.Addr().String()+"/debug/ecs/api/events")
	defer stop()
	assert.Equal(t, "overview", next().name)
	cancel()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		require.Fail(t, "it serves on")
	}
}

func TestAddressesToListenOn(t *testing.T) {
	i := inspector(t, small(t, 1))
	taken := world.Must(i.Listen("127.0.0.1:0"))
	defer func() { _ = taken.Close() }()
	for _, c := range []struct {
		name string
		addr string
		err  error
		says string
	}{
		{"taken", taken.Addr().String(), inspect.ErrAddress, "is in use by another program"},
		{"every network", "0.0.0.0:0", inspect.ErrRemote, "; give 127.0.0.1:0, or set Options.Remote"},
		{"every network of IPv6", "[::]:0", inspect.ErrRemote, "; give"},
		{"another machine's", "192.0.2.1:0", inspect.ErrRemote, "; give"},
		{"a name", "flatecs.example:0", inspect.ErrRemote, "; give"},
		{"no port", "127.0.0.1", inspect.ErrAddress, "; give HOST:PORT"},
		{"no such port", "127.0.0.1:70000", inspect.ErrAddress, "70000"},
		{"nothing", "", inspect.ErrAddress, "; give HOST:PORT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := i.Listen(c.addr)
			require.ErrorIs(t, err, c.err)
			assert.Nil(t, l)
			assert.Contains(t, err.Error(), c.says)
			require.ErrorIs(t, i.Serve(t.Context(), c.addr), c.err)
		})
	}
	open, err := inspect.New(small(t, 1), inspect.Options{Clock: (&hand{}).read, Remote: true})
	require.NoError(t, err)
	l := world.Must(open.Listen("0.0.0.0:0"))
	require.NoError(t, l.Close())
}

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
	inner := world.Must(i.Listen(":0"))
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
	require.Eventually(t, gone, time.Minute, 10*time.Millisecond, "connections")
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+1 }, // a timer's
		time.Minute, 10*time.Millisecond, "goroutines")
	assert.Less(t, heap()-bytes, int64(1<<20))
	require.NoError(t, i.Publish(s), "and it goes on")
	stop()
	require.NoError(t, <-ended)
}
