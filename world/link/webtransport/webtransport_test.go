//go:build !js

package webtransport_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/quic-go/quic-go/http3"
	wt "github.com/quic-go/webtransport-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/webtransport"
)

// serve starts a listener on a socket of this machine, and returns its URL.
func serve(t *testing.T, o webtransport.Options) (*webtransport.Listener, string) {
	t.Helper()
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	l := webtransport.Listen(socket, o)
	t.Cleanup(func() { assert.NoError(t, l.Close()) })
	return l, "https://" + socket.LocalAddr().String()
}

// dial connects as a page of an origin does, which knows the hash of the certificate.
func dial(t *testing.T, l *webtransport.Listener, url, origin string) (*wt.Session, error) {
	t.Helper()
	hash, err := l.Hash()
	require.NoError(t, err)
	client := wt.Transport{TLSClientConfig: &tls.Config{
		NextProtos: []string{http3.NextProtoH3}, InsecureSkipVerify: true, //nolint:gosec // see below
		VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
			if sum := sha256.Sum256(raw[0]); !bytes.Equal(sum[:], hash) {
				return errors.New("another certificate")
			}
			return nil
		},
	}}
	head := http.Header{}
	if origin != "" {
		head.Set("Origin", origin)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answer, session, err := client.Dial(ctx, url, head)
	if err != nil {
		if answer != nil {
			return nil, fmt.Errorf("%d: %w", answer.StatusCode, err)
		}
		return nil, err
	}
	t.Cleanup(func() { _ = session.CloseWithError(0, "") })
	return session, nil
}

func connect(t *testing.T, l *webtransport.Listener, url string) *wt.Session {
	t.Helper()
	s, err := dial(t, l, url, "")
	require.NoError(t, err)
	return s
}

// eventually waits until f, which is often true at once.
func eventually(t *testing.T, f func() bool, what string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), "this does not come about: %s", what)
	}
}

func accept(t *testing.T, l link.Listener) (c link.Client) {
	t.Helper()
	eventually(t, func() (ok bool) { c, ok = l.Accept(); return ok }, "Accept")
	return c
}

// arrives sends a datagram, again where it is lost, until it is received.
func arrives(t *testing.T, send func(d []byte), receive func() []byte, d []byte) {
	t.Helper()
	eventually(t, func() bool {
		send(d)
		return bytes.Equal(d, receive())
	}, "a datagram")
}

// ends are both ends of a connection as functions.
func ends(t *testing.T, c *wt.Session, s link.Client) (up, down func(d []byte)) {
	t.Helper()
	fromClient := func() []byte {
		d, _ := s.Receive()
		assert.LessOrEqual(t, len(d), link.MaxDatagram)
		return slices.Clone(d)
	}
	fromServer := func() []byte {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		d, _ := c.ReceiveDatagram(ctx)
		return d
	}
	up = func(d []byte) {
		t.Helper()
		arrives(t, func(d []byte) { assert.NoError(t, c.SendDatagram(d)) }, fromClient, d)
	}
	return up, func(d []byte) {
		t.Helper()
		arrives(t, s.Send, fromServer, d)
	}
}

func TestDatagramsGoBothWays(t *testing.T) {
	l, url := serve(t, webtransport.Options{Clients: 2})
	c := connect(t, l, url+"/play")
	s := accept(t, l)
	assert.Equal(t, uint64(1), s.ID())
	up, down := ends(t, c, s)
	for _, d := range [][]byte{{0}, []byte("up"), bytes.Repeat([]byte{7}, link.MaxDatagram)} {
		up(d)
		down(d)
	}
	s.Send(nil)
	s.Send(make([]byte, link.MaxDatagram+1))
	down([]byte("last"))
	for range 9 {
		require.NoError(t, c.SendDatagram(make([]byte, link.MaxDatagram+1)))
	}
	up([]byte("last"))
	_, ok := l.Accept()
	assert.False(t, ok, "a client comes once")
	require.NoError(t, s.Err())
	assert.Equal(t, webtransport.Stats{Clients: 1}, l.Stats())
	s.Close()
	eventually(t, func() bool { return c.Context().Err() != nil }, "the client hears of the end")
	eventually(t, func() bool { return l.Stats().Clients == 0 }, "its place is free")

	c = connect(t, l, url)
	s = accept(t, l)
	assert.Equal(t, uint64(2), s.ID())
	require.NoError(t, c.CloseWithError(0, ""))
	eventually(t, func() bool { return s.Err() != nil }, "the server hears of the end")
}

// Pages of other hosts do not get in, rooms that are not open are named, and a server is full.
func TestWhoComesIn(t *testing.T) {
	var rooms link.Rooms
	l, url := serve(t, webtransport.Options{
		Clients: 4, Origins: []string{"*.example.com"},
		Enter: func(r *http.Request) (uint64, []byte, error) {
			room := []byte(r.URL.Query().Get("room"))
			return uint64(len(r.URL.RawQuery)), room, rooms.Admit(room)
		},
	})
	rooms.Add(l)
	red, blue := rooms.Open('r'), rooms.Open('b')
	var last *wt.Session
	for i, of := range []struct {
		origin, query string
		want          string
	}{
		{"https://play.example.com", "room=r", ""},
		{url, "room=b&", ""},
		{"https://example.org", "room=r&&", "403"},
		{"https://example.com.evil.org", "room=r&&", "403"},
		{"null", "room=r&&", "403"},
		{"", "room=x", "404"},
	} {
		s, err := dial(t, l, url+"/?"+of.query, of.origin)
		if of.want == "" {
			require.NoError(t, err, i)
			last = s
		} else {
			require.ErrorContains(t, err, of.want, i)
		}
	}
	assert.Equal(t, "r", string(accept(t, red).Data()))
	first := accept(t, blue)
	assert.Equal(t, "b", string(first.Data()))
	connect(t, l, url+"/?room=b&") // it was loaded again
	eventually(t, func() bool { return last.Context().Err() != nil }, "the first one goes")
	assert.Equal(t, first.ID(), accept(t, blue).ID())
	require.Error(t, first.Err())
	connect(t, l, url+"/?room=b&&&")
	connect(t, l, url+"/?room=b&&&&")
	_, err := dial(t, l, url+"/?room=b&&&&&", "")
	require.ErrorContains(t, err, "503")
	assert.Equal(t, webtransport.Stats{Clients: 4, Full: 1, Refused: 4}, l.Stats())
}

// A client to which nothing is sent stays connected.
func TestIdleClientsStay(t *testing.T) {
	t.Parallel() // it waits
	l, url := serve(t, webtransport.Options{Clients: 2, Patience: 4 * time.Second})
	c := connect(t, l, url)
	up, _ := ends(t, c, accept(t, l))
	time.Sleep(5 * time.Second)
	up([]byte("still here"))
}

// Nothing is left of a listener and its clients.
func TestCloseEndsAll(t *testing.T) {
	before := runtime.NumGoroutine()
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	l := webtransport.Listen(socket, webtransport.Options{Clients: 9})
	var all []*wt.Session
	for range 5 {
		all = append(all, connect(t, l, "https://"+socket.LocalAddr().String()))
	}
	s := accept(t, l)
	require.NoError(t, l.Close())
	require.NoError(t, l.Close())
	require.Error(t, s.Err())
	s.Send([]byte{1})
	for _, c := range all {
		<-c.Context().Done()
	}
	eventually(t, func() bool { return runtime.NumGoroutine() <= before }, "goroutines")
}

func TestListenPanics(t *testing.T) {
	assert.Panics(t, func() { webtransport.Listen(nil, webtransport.Options{Clients: 1}) })
}
