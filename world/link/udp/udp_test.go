package udp_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/udp"
)

const game = 0x1122334455667788

var key = udp.NewKey()

// must returns v of a call that has to succeed.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func localhost(tb testing.TB) *net.UDPConn {
	tb.Helper()
	return must(net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))
}

func listen(tb testing.TB, clients int) *udp.Listener {
	tb.Helper()
	l := must(udp.Listen(localhost(tb), udp.Options{Protocol: game, Key: key, Clients: clients}))
	tb.Cleanup(func() { assert.NoError(tb, l.Close()) })
	return l
}

func seal(tb testing.TB, l *udp.Listener, client uint64) []byte {
	tb.Helper()
	return sealed(tb, udp.Token{Client: client, Servers: []netip.AddrPort{l.Addr()}})
}

func sealed(tb testing.TB, token udp.Token) []byte {
	tb.Helper()
	if token.Protocol == 0 {
		token.Protocol = game
	}
	return must(token.Seal(key))
}

func dial(tb testing.TB, token []byte) *udp.Conn {
	tb.Helper()
	c := must(dialFor(tb, token, time.Minute))
	tb.Cleanup(func() { assert.NoError(tb, c.Close()) })
	return c
}

func dialFor(tb testing.TB, token []byte, d time.Duration) (*udp.Conn, error) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), d)
	defer cancel()
	return udp.Dial(ctx, token)
}

// eventually waits until f, which is often true at once.
func eventually(tb testing.TB, f func() bool, what ...any) {
	tb.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			require.Fail(tb, "this does not come about", what...)
		}
	}
}

func accept(tb testing.TB, l *udp.Listener) (c link.Client) {
	tb.Helper()
	eventually(tb, func() (ok bool) { c, ok = l.Accept(); return ok }, "Accept")
	return c
}

// received waits for a datagram.
func received(tb testing.TB, l link.Link) (d []byte) {
	tb.Helper()
	eventually(tb, func() (ok bool) { d, ok = l.Receive(); return ok }, "Receive")
	return append([]byte(nil), d...)
}

func TestDatagramsGoBothWays(t *testing.T) {
	l := listen(t, 2)
	token := sealed(t, udp.Token{
		Client: 7, Servers: []netip.AddrPort{l.Addr()}, Data: []byte("red team"),
	})
	c := dial(t, token)
	s := accept(t, l)
	assert.Equal(t, uint64(7), s.ID())
	assert.Equal(t, "red team", string(bytes.TrimRight(s.Data(), "\x00")))
	long := bytes.Repeat([]byte{1, 2, 3}, link.MaxDatagram/3)
	for _, d := range [][]byte{{0}, []byte("up"), long} {
		c.Send(d)
		assert.Equal(t, d, received(t, s))
		s.Send(d)
		l.Flush()
		assert.Equal(t, d, received(t, c))
	}
	c.Send(make([]byte, link.MaxDatagram+1))
	c.Send(nil)
	c.Send([]byte("last"))
	assert.Equal(t, "last", string(received(t, s)), "what is too long, or nothing, is not sent")
	_, ok := l.Accept()
	assert.False(t, ok, "a client comes once")
	assert.Equal(t, udp.Stats{Clients: 1}, l.Stats())
}

// A token names a room. Clients of a room that is not open are told that they are refused.
func TestRoomsByToken(t *testing.T) {
	var rooms link.Rooms
	l := must(udp.Listen(localhost(t), udp.Options{
		Protocol: game, Key: key, Clients: 9, Admit: rooms.Admit,
	}))
	defer func() { assert.NoError(t, l.Close()) }()
	rooms.Add(l)
	token := func(room byte) []byte {
		return sealed(t, udp.Token{
			Client: uint64(room), Servers: []netip.AddrPort{l.Addr()}, Data: []byte{room},
		})
	}
	one, two := rooms.Open(1), rooms.Open(2)
	second, first := dial(t, token(2)), dial(t, token(1))
	for room, c := range map[link.Listener]*udp.Conn{one: first, two: second} {
		var s link.Client
		eventually(t, func() (ok bool) { s, ok = room.Accept(); return ok }, "Accept")
		s.Send(s.Data()[:8])
		room.Flush()
		assert.Equal(t, s.Data()[:8], received(t, c))
	}
	_, err := dialFor(t, token(3), time.Minute)
	require.ErrorIs(t, err, udp.ErrDenied)
	require.ErrorContains(t, err, "the room that the token names is not open")
	assert.Equal(t, 1, l.Stats().Denied)
	require.NoError(t, two.Close())
	eventually(t, func() bool { return second.Err() != nil }, "the room's client hears of it")
	assert.NoError(t, first.Err())
}

func TestLinksAreDroppedByEitherEnd(t *testing.T) {
	l := listen(t, 2)
	c := dial(t, seal(t, l, 1))
	s := accept(t, l)
	s.Close()
	eventually(t, func() bool { return errors.Is(c.Err(), udp.ErrClosed) })
	c.Send([]byte{1}) // to no client
	s.Send([]byte{1})

	c = dial(t, seal(t, l, 1))
	s = accept(t, l)
	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
	eventually(t, func() bool { return l.Stats().Clients == 0 })
	s.Send([]byte{1})

	c = dial(t, seal(t, l, 1))
	require.NoError(t, l.Close())
	require.NoError(t, l.Close())
	eventually(t, func() bool { return errors.Is(c.Err(), udp.ErrClosed) })
	_, ok := l.Accept()
	assert.False(t, ok)
}

// A slow program loses the oldest datagrams.
func TestWhatIsNotReceivedIsLost(t *testing.T) {
	l := listen(t, 1)
	c := dial(t, seal(t, l, 1))
	s := accept(t, l)
	for i := range 40 {
		s.Send(bytes.Repeat([]byte{byte(i)}, 1000))
		c.Send(bytes.Repeat([]byte{byte(i)}, 1000))
	}
	l.Flush()
	eventually(t, func() bool { return c.Lost() == 40-16 && l.Stats().Lost == 40-16 })
	assert.Equal(t, byte(40-16), received(t, c)[0])
}

func TestAConnectionThatIsSilentIsKept(t *testing.T) {
	t.Parallel() // it waits, for longer than a busy machine lets a goroutine wait
	l := listen(t, 1)
	c := dial(t, sealed(t, udp.Token{
		Client: 1, Servers: []netip.AddrPort{l.Addr()}, Timeout: 4 * time.Second,
	}))
	s := accept(t, l)
	time.Sleep(5 * time.Second)
	require.NoError(t, c.Err())
	c.Send([]byte{1})
	s.Send([]byte{2})
	assert.Equal(t, []byte{1}, received(t, s))
	assert.Equal(t, []byte{2}, received(t, c), "the listener flushes for a program that does not")
}

func TestTheNextServerIsTried(t *testing.T) {
	l, full := listen(t, 1), listen(t, 1)
	dial(t, seal(t, full, 1))
	nobody := localhost(t)
	defer nobody.Close()
	c := dial(t, sealed(t, udp.Token{Client: 2, Timeout: 3 * time.Second, Servers: []netip.AddrPort{
		nobody.LocalAddr().(*net.UDPAddr).AddrPort(), full.Addr(), l.Addr(),
	}}))
	s := accept(t, l)
	s.Send([]byte{1})
	assert.Equal(t, []byte{1}, received(t, c))
	assert.NotZero(t, full.Stats().Denied)
}

func TestIPv6(t *testing.T) {
	socket, err := net.ListenUDP("udp6", &net.UDPAddr{IP: net.IPv6loopback})
	if err != nil {
		t.Skip("no IPv6 here:", err)
	}
	l := must(udp.Listen(socket, udp.Options{Protocol: game, Key: key, Clients: 1}))
	defer l.Close()
	c := dial(t, seal(t, l, 1))
	s := accept(t, l)
	s.Send([]byte{1})
	l.Flush()
	assert.Equal(t, []byte{1}, received(t, c))
}

// A dual-stack socket, as most servers have, sends to IPv4 too.
func TestBothFamilies(t *testing.T) {
	socket := must(net.ListenUDP("udp", nil))
	_, err := udp.Listen(socket, udp.Options{Protocol: game, Key: key, Clients: 1})
	require.ErrorContains(t, err, "name those in tokens in Options.Public")
	public := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"),
		socket.LocalAddr().(*net.UDPAddr).AddrPort().Port())
	l := must(udp.Listen(socket, udp.Options{
		Protocol: game, Key: key, Clients: 1, Public: []netip.AddrPort{public},
	}))
	defer l.Close()
	c := dial(t, sealed(t, udp.Token{Client: 1, Servers: []netip.AddrPort{public}}))
	s := accept(t, l)
	s.Send([]byte{1})
	l.Flush()
	assert.Equal(t, []byte{1}, received(t, c))
}

func TestListenPanics(t *testing.T) {
	assert.Panics(t, func() { _, _ = udp.Listen(nil, udp.Options{Clients: 1}) })
	socket := localhost(t)
	defer socket.Close()
	assert.Panics(t, func() { _, _ = udp.Listen(socket, udp.Options{}) })
}
