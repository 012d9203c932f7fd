//go:build !js

package web_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net/http"
	"net/http/httptest"
	"path"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/web"
)

// serve starts a server on a socket of this machine, and returns its URL.
func serve(t *testing.T, o web.Options) (*web.Listener, string) {
	t.Helper()
	l := web.NewListener(o)
	s := httptest.NewServer(l)
	t.Cleanup(func() {
		assert.NoError(t, l.Close())
		s.Close()
	})
	return l, "ws" + strings.TrimPrefix(s.URL, "http")
}

func dial(t *testing.T, url string) *web.Conn {
	t.Helper()
	c, err := web.Dial(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	return c
}

// raw is a client without this package.
func raw(t *testing.T, url string, o *websocket.DialOptions) (*websocket.Conn, error) {
	t.Helper()
	c, answer, err := websocket.Dial(t.Context(), url, o)
	if err != nil {
		if answer != nil && answer.Body != nil {
			_ = answer.Body.Close()
		}
		return nil, err
	}
	t.Cleanup(func() { _ = c.CloseNow() })
	c.SetReadLimit(1 << 20)
	return c, nil
}

// eventually waits until f, which is often true at once.
func eventually(t *testing.T, f func() bool, what string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), "this does not come about: %s", what)
	}
}

func accept(t *testing.T, l *web.Listener) (c link.Client) {
	t.Helper()
	eventually(t, func() (ok bool) { c, ok = l.Accept(); return ok }, "Accept")
	return c
}

func received(t *testing.T, l link.Link) (d []byte) {
	t.Helper()
	eventually(t, func() (ok bool) { d, ok = l.Receive(); return ok }, "Receive")
	return append([]byte(nil), d...)
}

func TestDatagramsGoBothWays(t *testing.T) {
	l, url := serve(t, web.Options{Clients: 2})
	c := dial(t, url)
	s := accept(t, l)
	assert.Equal(t, uint64(1), s.ID())
	assert.Empty(t, s.Data())
	for _, d := range [][]byte{{0}, []byte("up"), bytes.Repeat([]byte{7}, link.MaxDatagram)} {
		c.Send(d)
		assert.Equal(t, d, received(t, s))
		s.Send(d)
		l.Flush()
		assert.Equal(t, d, received(t, c))
	}
	c.Send(nil)
	c.Send(make([]byte, link.MaxDatagram+1))
	c.Send([]byte("last"))
	assert.Equal(t, "last", string(received(t, s)), "what is too long, or nothing, is not sent")
	_, ok := l.Accept()
	assert.False(t, ok, "a client comes once")
	assert.Equal(t, web.Stats{Clients: 1}, l.Stats())

	s.Close()
	eventually(t, func() bool { return c.Err() != nil }, "the client hears of the end")
	c = dial(t, url)
	assert.Equal(t, uint64(2), accept(t, l).ID())
	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
	eventually(t, func() bool { return l.Stats().Clients == 0 }, "the server hears of it")
}

// Pages of other hosts are refused, because they would connect in the name of their visitors.
func TestOriginsAreChecked(t *testing.T) {
	l, url := serve(t, web.Options{Clients: 9, Origins: []string{"*.example.com"}})
	for origin, in := range map[string]bool{
		"": true, "https://play.example.com": true, "http" + strings.TrimPrefix(url, "ws"): true,
		"https://example.org": false, "https://example.com.evil.org": false, "null": false,
	} {
		o := &websocket.DialOptions{HTTPHeader: http.Header{}}
		if origin != "" {
			o.HTTPHeader.Set("Origin", origin)
		}
		_, err := raw(t, url, o)
		assert.Equal(t, in, err == nil, origin)
	}
	assert.Equal(t, 3, l.Stats().Refused)
}

func TestEnterSaysWhoComes(t *testing.T) {
	l, url := serve(t, web.Options{Clients: 9, Enter: func(r *http.Request) (uint64, []byte, error) {
		if r.URL.Query().Get("token") != "right" {
			return 0, nil, errors.New("who is this?")
		}
		return 77, []byte("red team"), nil
	}})
	_, err := web.Dial(t.Context(), url)
	require.Error(t, err)
	first := dial(t, url+"?token=right")
	s := accept(t, l)
	assert.Equal(t, uint64(77), s.ID())
	assert.Equal(t, "red team", string(s.Data()))
	second := dial(t, url+"?token=right") // the page was loaded again
	again := accept(t, l)
	eventually(t, func() bool { return first.Err() != nil }, "the first one goes")
	again.Send([]byte{1})
	assert.Equal(t, []byte{1}, received(t, second))
	assert.Equal(t, web.Stats{Clients: 1, Refused: 1}, l.Stats())
}

// A path names a room; the answer to a wrong one says so.
func TestRoomsByPath(t *testing.T) {
	var rooms link.Rooms
	l, url := serve(t, web.Options{Clients: 9, Enter: func(r *http.Request) (uint64, []byte, error) {
		room, err := strconv.ParseUint(path.Base(r.URL.Path), 10, 64)
		data := binary.LittleEndian.AppendUint64(nil, room)
		if err != nil {
			return 0, nil, err
		}
		return room, data, rooms.Admit(data)
	}})
	rooms.Add(l)
	one, two := rooms.Open(1), rooms.Open(2)
	second, first := dial(t, url+"/play/2"), dial(t, url+"/play/1")
	for room, c := range map[link.Listener]*web.Conn{one: first, two: second} {
		var s link.Client
		eventually(t, func() (ok bool) { s, ok = room.Accept(); return ok }, "Accept")
		s.Send(s.Data())
		room.Flush()
		assert.Equal(t, s.Data(), received(t, c))
	}
	_, err := web.Dial(t.Context(), url+"/play/3")
	require.ErrorContains(t, err, "404")
	require.ErrorContains(t, err, `"link: there is no such room: 3; 2 others are open"`)
	_, err = web.Dial(t.Context(), url+"/play/here")
	require.ErrorContains(t, err, "403")
	require.ErrorContains(t, err, `the server says "Forbidden"`)
	require.NoError(t, two.Close())
	eventually(t, func() bool { return second.Err() != nil }, "the room's client hears of it")
	assert.NoError(t, first.Err())
}

func TestAServerThatIsFullSaysSo(t *testing.T) {
	l, url := serve(t, web.Options{Clients: 1})
	c := dial(t, url)
	_, err := web.Dial(t.Context(), url)
	require.ErrorContains(t, err, "503")
	require.NoError(t, c.Close())
	eventually(t, func() bool { return l.Stats().Clients == 0 }, "there is room")
	dial(t, url)
	assert.Equal(t, 1, l.Stats().Full)
}

func TestWhatIsNoDatagramEndsTheConnection(t *testing.T) {
	l, url := serve(t, web.Options{Clients: 9})
	for name, send := range map[string]func(c *websocket.Conn) error{
		"too long": func(c *websocket.Conn) error {
			return c.Write(t.Context(), websocket.MessageBinary, make([]byte, link.MaxDatagram+1))
		},
		"far too long": func(c *websocket.Conn) error {
			return c.Write(t.Context(), websocket.MessageBinary, make([]byte, 1<<19))
		},
		"text": func(c *websocket.Conn) error {
			return c.Write(t.Context(), websocket.MessageText, []byte("hello"))
		},
	} {
		c, err := raw(t, url, nil)
		require.NoError(t, err)
		s := accept(t, l)
		_ = send(c)
		eventually(t, func() bool { return l.Stats().Clients == 0 }, name)
		_, ok := s.Receive()
		assert.False(t, ok, name)
	}
	answer, err := http.Get("http" + strings.TrimPrefix(url, "ws")) // no WebSocket
	require.NoError(t, err)
	assert.Equal(t, http.StatusUpgradeRequired, answer.StatusCode)
	require.NoError(t, answer.Body.Close())
}

// A client that does not read loses old datagrams, and does not delay other clients.
func TestASlowClientLosesTheOldest(t *testing.T) {
	l, url := serve(t, web.Options{Clients: 9})
	slow, err := raw(t, url, nil)
	require.NoError(t, err)
	s := accept(t, l)
	quick := dial(t, url)
	q := accept(t, l)
	d, n := make([]byte, 1000), 3000
	for i := range n {
		d[0], d[1] = byte(i), byte(i>>8)
		began := time.Now()
		s.Send(d)
		assert.Less(t, time.Since(began), time.Minute)
		if i%500 == 0 {
			q.Send(d)
			assert.Equal(t, d, received(t, quick))
		}
	}
	last, came := -1, 0
	for ; last < n-1; came++ {
		_, got, err := slow.Read(t.Context())
		require.NoError(t, err)
		if len(got) == 0 {
			continue // says that it is there
		}
		now := int(got[0]) + int(got[1])<<8
		assert.Greater(t, now, last, "in their order")
		last = now
	}
	assert.Less(t, came, n)
}

func TestSilenceEndsConnections(t *testing.T) {
	l, url := serve(t, web.Options{Clients: 9, Patience: 200 * time.Millisecond})
	c, err := raw(t, url, nil)
	require.NoError(t, err)
	accept(t, l)
	eventually(t, func() bool { return l.Stats().Clients == 0 }, "it is given up")
	for err == nil { // empty messages come first
		_, _, err = c.Read(t.Context())
	}
	assert.Error(t, err)
}

// Nothing is left of a listener and its clients.
func TestCloseEndsAll(t *testing.T) {
	before := runtime.NumGoroutine()
	l := web.NewListener(web.Options{Clients: 50})
	server := httptest.NewServer(l)
	var clients []*web.Conn
	for range 20 {
		c, err := web.Dial(context.Background(), "ws"+strings.TrimPrefix(server.URL, "http"))
		require.NoError(t, err)
		clients = append(clients, c)
	}
	require.NoError(t, l.Close())
	_, err := web.Dial(context.Background(), "ws"+strings.TrimPrefix(server.URL, "http"))
	require.Error(t, err)
	for _, c := range clients {
		require.NoError(t, c.Close())
	}
	server.Close()
	http.DefaultClient.CloseIdleConnections()
	eventually(t, func() bool { return runtime.NumGoroutine() <= before }, "goroutines")
}

func TestNewListenerPanics(t *testing.T) {
	assert.Panics(t, func() { web.NewListener(web.Options{}) })
	assert.Panics(t, func() { web.NewListener(web.Options{Clients: 1, Patience: -1}) })
}
