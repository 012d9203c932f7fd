package udp_test

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"net"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/link/udp"
)

// requestOf is the datagram by which a client shows a token, as the standard has it.
func requestOf(token []byte) []byte {
	d := append([]byte{0}, token[:13+8]...)      // version, protocol
	d = append(d, token[13+8+8:13+8+8+8]...)     // expires
	return append(d, token[13+24:13+24+1048]...) // nonce, private part
}

// answersOf returns the number of datagrams that arrive at a socket, after waiting for want of
// them, their bytes, and the last one.
func answersOf(t *testing.T, socket *net.UDPConn, want int) (n, size int, last []byte) {
	t.Helper()
	for b := make([]byte, 2000); ; n++ {
		wait := soon
		if n < want {
			wait = time.Minute
		}
		require.NoError(t, socket.SetReadDeadline(time.Now().Add(wait)))
		got, err := socket.Read(b)
		if err != nil {
			return n, size, last
		}
		size, last = size+got, append(last[:0], b[:got]...)
	}
}

func toServer(t *testing.T, l *udp.Listener) *net.UDPConn {
	t.Helper()
	socket := must(net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(l.Addr())))
	t.Cleanup(func() { _ = socket.Close() })
	return socket
}

const soon = 50 * time.Millisecond

func TestWrongTokensAreNotAnswered(t *testing.T) {
	l := listen(t, 4)
	servers := []netip.AddrPort{l.Addr()}
	right := sealed(t, udp.Token{Client: 1, Servers: servers})
	other := must(udp.Token{Protocol: game, Client: 1, Servers: servers}.Seal(udp.NewKey()))
	changed := func(at int) []byte {
		d := requestOf(right)
		d[at] ^= 1
		return d
	}
	for name, d := range map[string][]byte{
		"another key":      requestOf(other),
		"another protocol": requestOf(sealed(t, udp.Token{Protocol: 1, Servers: servers})),
		"expired": requestOf(sealed(t, udp.Token{
			Servers: servers, Created: time.Now().Add(-time.Hour), Life: time.Minute,
		})),
		"another server": requestOf(sealed(t, udp.Token{
			Servers: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:1")},
		})),
		"another version":  changed(12),
		"a later expiry":   changed(24),
		"another nonce":    changed(35),
		"a changed secret": changed(100),
		"a changed end":    changed(1077),
	} {
		socket := toServer(t, l)
		before := l.Stats().Refused
		must(socket.Write(d))
		eventually(t, func() bool { return l.Stats().Refused > before }, name)
		n, _, _ := answersOf(t, socket, 0)
		assert.Zero(t, n, name)
		assert.Equal(t, before+1, l.Stats().Refused, name)
	}
	socket := toServer(t, l)
	for _, d := range [][]byte{
		{}, {0}, requestOf(right)[:1077], append(requestOf(right), 0), make([]byte, 1500),
	} {
		must(socket.Write(d))
	}
	eventually(t, func() bool { return l.Stats().Strange >= 5 })
	n, _, _ := answersOf(t, socket, 0)
	assert.Zero(t, n)
	assert.Equal(t, 5, l.Stats().Strange)
	dial(t, right) // is right
}

func TestATokenIsForOneAddressAndOneConnection(t *testing.T) {
	l := listen(t, 4)
	token := seal(t, l, 1)
	first, second := toServer(t, l), toServer(t, l)
	numbers := map[[8]byte]bool{}
	for range 2 { // lost packets are sent again
		must(first.Write(requestOf(token)))
		n, size, packet := answersOf(t, first, 1)
		assert.Equal(t, 1, n)
		assert.Less(t, size, 1078, "never more than came")
		assert.Equal(t, byte(8<<4|2), packet[0], "numbers that packets to clients do not have")
		numbers[[8]byte(packet[1:9])] = true
	}
	assert.Len(t, numbers, 2)
	must(second.Write(requestOf(token)))
	n, _, _ := answersOf(t, second, 0)
	assert.Zero(t, n)

	token = seal(t, l, 2)
	c := dial(t, token)
	must(second.Write(requestOf(token)))
	n, _, _ = answersOf(t, second, 0)
	assert.Zero(t, n)
	from := c.LocalAddr()
	require.NoError(t, c.Close())
	eventually(t, func() bool { return l.Stats().Clients == 0 })
	again, err := net.DialUDP("udp4", net.UDPAddrFromAddrPort(from), net.UDPAddrFromAddrPort(l.Addr()))
	require.NoError(t, err)
	defer again.Close()
	must(again.Write(requestOf(token)))
	n, _, _ = answersOf(t, again, 0)
	assert.Zero(t, n, "the same keys and numbers would be used twice")
}

func TestAClientConnectsOnce(t *testing.T) {
	l := listen(t, 4)
	c := dial(t, seal(t, l, 1))
	_, err := dialFor(t, seal(t, l, 1), 300*time.Millisecond)
	require.ErrorIs(t, err, context.DeadlineExceeded, "nothing comes")
	socket := toServer(t, l)
	must(socket.Write(requestOf(seal(t, l, 1))))
	n, _, _ := answersOf(t, socket, 0)
	assert.Zero(t, n)
	require.NoError(t, c.Close())
	eventually(t, func() bool { return l.Stats().Clients == 0 })
	dial(t, seal(t, l, 1))
}

func TestAServerThatIsFullSaysSo(t *testing.T) {
	l := listen(t, 1)
	dial(t, seal(t, l, 1))
	_, err := dialFor(t, seal(t, l, 2), time.Minute)
	assert.ErrorIs(t, err, udp.ErrDenied)
}

// A relay stands between clients and a server, as a router does.
func relay(t *testing.T, server netip.AddrPort, pass func(up bool, d []byte) [][]byte) netip.AddrPort {
	t.Helper()
	front, back := localhost(t), localhost(t)
	var mu sync.Mutex
	var client netip.AddrPort
	var wait sync.WaitGroup
	copyTo := func(from, to *net.UDPConn, up bool) {
		for b := make([]byte, 2000); ; {
			n, at, err := from.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			mu.Lock()
			dest := client
			if up {
				client, dest = at, server
			}
			mu.Unlock()
			for _, d := range pass(up, append([]byte(nil), b[:n]...)) {
				_, _ = to.WriteToUDPAddrPort(d, dest)
			}
		}
	}
	wait.Go(func() { copyTo(front, back, true) })
	wait.Go(func() { copyTo(back, front, false) })
	t.Cleanup(func() {
		_ = front.Close()
		_ = back.Close()
		wait.Wait()
	})
	return front.LocalAddr().(*net.UDPAddr).AddrPort()
}

// Whoever can read and repeat all packets, and change copies of them, changes nothing.
func TestReplaysAndChangesAreIgnored(t *testing.T) {
	var kept [][]byte
	socket := localhost(t)
	address := relay(t, socket.LocalAddr().(*net.UDPAddr).AddrPort(), func(up bool, d []byte) [][]byte {
		changed := append([]byte(nil), d...)
		changed[len(changed)/2] ^= 4
		all := [][]byte{changed, d, d}
		if up {
			kept = append(kept, d)
			all = append(all, kept...)
		}
		return all
	})
	l := must(udp.Listen(socket, udp.Options{
		Protocol: game, Key: key, Clients: 2, Public: []netip.AddrPort{address},
	}))
	t.Cleanup(func() { assert.NoError(t, l.Close()) })
	c := dial(t, sealed(t, udp.Token{Client: 1, Servers: []netip.AddrPort{address}}))
	s := accept(t, l)
	for i := range byte(30) {
		c.Send([]byte{i})
		assert.Equal(t, []byte{i}, received(t, s))
		s.Send([]byte{i})
		l.Flush()
		assert.Equal(t, []byte{i}, received(t, c))
	}
	time.Sleep(soon)
	_, ok := s.Receive()
	assert.False(t, ok)
	_, ok = c.Receive()
	assert.False(t, ok)
	eventually(t, func() bool { return l.Stats().Strange > 100 })
}

// A client whose first keep-alive packets are lost learns from datagrams that it is connected.
func TestALostKeepAliveComesAgain(t *testing.T) {
	socket, lost := localhost(t), 0
	address := relay(t, socket.LocalAddr().(*net.UDPAddr).AddrPort(), func(up bool, d []byte) [][]byte {
		if kind := d[0] & 15; !up && kind == 4 && lost < 3 {
			lost++
			return nil
		}
		return [][]byte{d}
	})
	l := must(udp.Listen(socket, udp.Options{
		Protocol: game, Key: key, Clients: 2, Public: []netip.AddrPort{address},
	}))
	t.Cleanup(func() { assert.NoError(t, l.Close()) })
	token := sealed(t, udp.Token{Client: 1, Servers: []netip.AddrPort{address}})
	var wait sync.WaitGroup
	var done atomic.Bool
	wait.Go(func() {
		s := accept(t, l)
		for !done.Load() { // never idle
			s.Send([]byte{1})
			l.Flush()
			time.Sleep(time.Millisecond)
		}
	})
	c, err := dialFor(t, token, time.Minute)
	done.Store(true)
	wait.Wait()
	require.NoError(t, err)
	require.NoError(t, c.Close())
}

// A flood from addresses that proved nothing takes no memory, and others still connect.
func TestAFloodIsBounded(t *testing.T) {
	l := listen(t, 4)
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for i := range 2 {
		socket := toServer(t, l)
		wait.Go(func() {
			d := requestOf(seal(t, l, uint64(i)))
			for {
				select {
				case <-stop:
					return
				default:
				}
				_, _ = rand.Read(d[30:]) // all that is cheap to look at is right
				for range 16 {
					d[40]++
					_, _ = socket.Write(d)
				}
				time.Sleep(time.Millisecond / 2)
			}
		})
	}
	eventually(t, func() bool { return l.Stats().Skipped > 0 }, "some are skipped")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	// On a loaded machine its requests may be skipped for long.
	c := must(dialFor(t, sealed(t, udp.Token{
		Client: 77, Servers: []netip.AddrPort{l.Addr()}, Timeout: -1,
	}), time.Minute))
	t.Cleanup(func() { assert.NoError(t, c.Close()) })
	s := accept(t, l)
	time.Sleep(300 * time.Millisecond)
	eventually(t, func() bool {
		c.Send([]byte{5}) // what the socket has no room for is lost
		d, ok := s.Receive()
		return ok && d[0] == 5
	})
	close(stop)
	wait.Wait()
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.Less(t, int(after.HeapAlloc)-int(before.HeapAlloc), 1<<20)
	assert.Equal(t, 1, l.Stats().Clients)
	assert.Zero(t, l.Stats().Pending)
}

// Tokens that are right let in no more at once than there is room for.
func TestThoseOnTheirWayInAreBounded(t *testing.T) {
	l := listen(t, 1)
	socket := localhost(t)
	defer socket.Close()
	for i := range 200 {
		s := toServer(t, l)
		must(s.Write(requestOf(seal(t, l, uint64(i)))))
		eventually(t, func() bool { s := l.Stats(); return s.Pending+s.Skipped == i+1 })
	}
	assert.Equal(t, 2*1+64, l.Stats().Pending)
}

func TestDialFails(t *testing.T) {
	nobody := localhost(t)
	defer nobody.Close()
	servers := []netip.AddrPort{nobody.LocalAddr().(*net.UDPAddr).AddrPort()}
	_, err := dialFor(t, sealed(t, udp.Token{Servers: servers, Timeout: time.Second}), time.Minute)
	require.ErrorIs(t, err, udp.ErrTimeout)
	_, err = dialFor(t, sealed(t, udp.Token{Servers: servers, Life: time.Second, Timeout: -1}), time.Minute)
	require.ErrorIs(t, err, udp.ErrExpired)
	begin := time.Now()
	_, err = dialFor(t, sealed(t, udp.Token{Servers: servers}), 20*time.Millisecond)
	require.ErrorContains(t, err, "deadline")
	assert.Less(t, time.Since(begin), time.Minute)
	right := sealed(t, udp.Token{Servers: servers})
	none := append([]byte(nil), right...)
	binary.LittleEndian.PutUint32(none[13+24+1048+4:], 0)
	late := append([]byte(nil), right...)
	binary.LittleEndian.PutUint64(late[21:], 1<<62)
	for _, token := range [][]byte{nil, right[:2047], make([]byte, 2048), none, late} {
		_, err = dialFor(t, token, time.Second)
		assert.ErrorIs(t, err, udp.ErrToken)
	}
}

func TestSealRefuses(t *testing.T) {
	for _, token := range []udp.Token{
		{},
		{Servers: make([]netip.AddrPort, 33)},
		{Servers: make([]netip.AddrPort, 1)},
		{Servers: []netip.AddrPort{netip.MustParseAddrPort("[fe80::1%eth0]:1")}},
		{Servers: []netip.AddrPort{netip.MustParseAddrPort("[::1]:1")}, Data: make([]byte, 257)},
	} {
		_, err := token.Seal(key)
		assert.Error(t, err)
	}
}

// Nothing is left of a listener and its clients.
func TestCloseEndsAll(t *testing.T) {
	before := runtime.NumGoroutine()
	l := must(udp.Listen(localhost(t), udp.Options{Protocol: game, Key: key, Clients: 30}))
	var clients []*udp.Conn
	for i := range uint64(20) {
		clients = append(clients, must(dialFor(t, seal(t, l, i), time.Minute)))
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before+20+1,
		"one for each client's own end, one of the server; one of another test may have ended")
	require.NoError(t, l.Close())
	for _, c := range clients {
		require.NoError(t, c.Close())
	}
	eventually(t, func() bool { return runtime.NumGoroutine() <= before })
}
