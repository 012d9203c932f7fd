package inspect_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/inspect"
)

// An event is one of a stream.
type event struct {
	name  string
	found map[string]any
}

// listen opens a stream, and returns what reads its next event and what closes it.
func listen(tb testing.TB, url string) (next func() event, stop func()) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 10*time.Second)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(tb, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(tb, err)
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
	i := inspector(t, s)
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
	e := next()
	require.Equal(t, "times", e.name)
	assert.InDelta(t, 1, e.found["count"], 0)
	assert.Len(t, part(t, e.found, "interval", "historyMs"), 1)
	e = next()
	require.Equal(t, "overview", e.name)
	assert.InDelta(t, 2, e.found["frame"], 0)
	e = next()
	require.Equal(t, "times", e.name, "watchers and kinds change slowly")
	assert.Empty(t, part(t, e.found, "interval", "historyMs"), "told already")
}

func TestStreamsAreFew(t *testing.T) {
	server := httptest.NewServer(inspector(t, small(t, 1)).Handler())
	t.Cleanup(server.Close) // after the streams were left
	url := server.URL + "/debug/ecs/api/events"
	for range 16 {
		next, stop := listen(t, url)
		next()
		t.Cleanup(stop)
	}
	answer, err := http.Get(url)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	assert.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	assert.NotEmpty(t, answer.Header.Get("Retry-After"))
}

func TestAStreamThatIsLeftIsGone(t *testing.T) {
	server := httptest.NewServer(inspector(t, small(t, 1)).Handler())
	defer server.Close()
	url := server.URL + "/debug/ecs/api/events"
	for range 20 {
		next, stop := listen(t, url)
		assert.Equal(t, "overview", next().name)
		stop()
		require.Eventually(t, func() bool {
			answer, err := http.Head(url)
			if err != nil {
				return false
			}
			_ = answer.Body.Close()
			return answer.StatusCode == http.StatusOK
		}, 5*time.Second, 10*time.Millisecond)
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	i := inspector(t, small(t, 5))
	l, err := i.Listen(":0")
	require.NoError(t, err)
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
	case <-time.After(5 * time.Second):
		require.Fail(t, "it serves on")
	}
}

func TestAddressesToListenOn(t *testing.T) {
	i := inspector(t, small(t, 1))
	taken, err := i.Listen("127.0.0.1:0")
	require.NoError(t, err)
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
	l, err := open.Listen("0.0.0.0:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
}
