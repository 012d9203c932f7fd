package udp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/link"
)

const game = 0x1122334455667788

// referenceKey is 0, 1, … 31.
var referenceKey = func() (k Key) {
	for i := range k {
		k[i] = byte(i)
	}
	return k
}()

// must returns v of a call that has to succeed.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The file is a token of netcode_generate_connect_token of the reference in C, version 1.4.0, for
// two servers, client 0x0123456789abcdef, and the bytes 255, 254, … 0 as its data.
func TestATokenOfTheReference(t *testing.T) {
	ticket := must(readTicket(must(os.ReadFile("testdata/reference.token"))))
	servers := []netip.AddrPort{
		netip.MustParseAddrPort("127.0.0.1:40000"), netip.MustParseAddrPort("[2001:db8::1:2]:40001"),
	}
	assert.Equal(t, servers, ticket.servers)
	assert.Equal(t, int32(5), ticket.timeout)
	assert.Equal(t, uint64(30), ticket.expires-ticket.created)
	assert.Equal(t, uint64(game), ticket.protocol)
	require.Len(t, ticket.request, requestSize)
	l := testListener(t, Options{Protocol: game, Key: referenceKey, Clients: 1})
	p, ok := readProof(l.gate.secret, ticket.request[30:54], ticket.request[54:],
		sealedWith(nil, game, ticket.expires))
	require.True(t, ok)
	assert.Equal(t, servers, p.servers)
	assert.Equal(t, uint64(0x0123456789abcdef), p.client)
	assert.Equal(t, ticket.up, p.up)
	assert.Equal(t, ticket.down, p.down)
	for i, c := range p.data {
		assert.Equal(t, byte(255-i), c)
	}
}

func testListener(tb testing.TB, o Options) *Listener {
	tb.Helper()
	l := must(Listen(must(net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})), o))
	tb.Cleanup(func() { assert.NoError(tb, l.Close()) })
	return l
}

func connectTo(tb testing.TB, l *Listener, token Token) (*Conn, *client) {
	tb.Helper()
	token.Protocol, token.Servers = game, []netip.AddrPort{l.Addr()}
	b := must(token.Seal(l.options.Key))
	c := must(Dial(tb.Context(), b))
	tb.Cleanup(func() { _ = c.Close() })
	s, ok := l.Accept()
	require.True(tb, ok)
	return c, s.(*client)
}

// Each end gives up a silent other end.
func TestSilenceEndsConnections(t *testing.T) {
	l := testListener(t, Options{Protocol: game, Key: referenceKey, Clients: 4})
	c, _ := connectTo(t, l, Token{Client: 1, Timeout: time.Second})
	require.NoError(t, c.socket.Close()) // without a word
	d, s := connectTo(t, l, Token{Client: 2, Timeout: time.Second})
	f, _ := connectTo(t, l, Token{Client: 3, Timeout: -1})
	l.mu.Lock()
	delete(l.clients.byAddress, s.from) // the server does not know it any more
	l.mu.Unlock()
	for end := time.Now().Add(time.Minute); time.Now().Before(end) &&
		(l.Stats().Clients > 2 || d.Err() == nil); {
		time.Sleep(5 * time.Millisecond)
	}
	assert.Equal(t, 2, l.Stats().Clients)
	l.mu.Lock()
	assert.Len(t, l.clients.byAddress, 1)
	assert.Len(t, l.clients.free, 2)
	l.mu.Unlock()
	assert.Equal(t, ErrTimeout, d.Err())
	assert.NoError(t, f.Err())
}

// The challenge of another client is no answer to one's own.
func TestAnswersAreOnesOwn(t *testing.T) {
	l := testListener(t, Options{Protocol: game, Key: referenceKey, Clients: 4})
	l.mu.Lock()
	defer l.mu.Unlock()
	var bodies [2][]byte
	var clients [2]*client
	for i := range clients {
		token := Token{Protocol: game, Client: uint64(i), Servers: []netip.AddrPort{l.Addr()}}
		ticket := must(readTicket(must(token.Seal(referenceKey))))
		from := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(9+i))
		l.handleRequest(ticket.request, from, from, time.Now())
		clients[i], bodies[i] = l.clients.byAddress[from], append([]byte(nil), l.gate.challenges.scratch[:]...)
	}
	l.handleAnswer(clients[0], append([]byte(nil), bodies[1]...), time.Now())
	assert.Equal(t, pending, clients[0].phase.Load())
	l.handleAnswer(clients[0], bodies[0][:308], time.Now())
	l.handleAnswer(clients[1], bodies[1], time.Now())
	assert.Equal(t, connected, clients[0].phase.Load())
	assert.Equal(t, connected, clients[1].phase.Load())
	assert.Equal(t, 1, l.stats.Refused)
}

// A window behaves like a set of all numbers, and refuses numbers that are 256 behind.
func TestWindowAgainstASet(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var w window
		start := []uint64{0, 1 << 63, 1<<64 - 2000}[r.IntN(3)]
		had, newest := map[uint64]bool{}, uint64(0)
		for range 500 {
			n := start + uint64(r.IntN(1500))
			if newest > 0 && r.IntN(4) > 0 {
				n = max(newest-uint64(r.IntN(300)), start) + uint64(r.IntN(4))
			}
			old := n <= newest && (had[n] || newest-n >= windowSize)
			require.Equal(t, old, w.seen(n))
			if !old {
				w.add(n)
				had[n], newest = true, max(newest, n)
			}
		}
	}
}

func TestNumbersOfPackets(t *testing.T) {
	c := newCodec(referenceKey, game)
	for number, size := range map[uint64]int{
		0: 1, 255: 1, 256: 2, 1000: 2, 1<<32 - 1: 4, 1 << 32: 5, 1 << 63: 8, 1<<64 - 1: 8,
	} {
		b := c.seal(nil, payload, number, []byte{9})
		assert.Len(t, b, 1+size+1+macSize)
		assert.Equal(t, byte(size<<4|payload), b[0])
		kind, body, ok := c.open(append([]byte(nil), b...), serverTakes, &window{})
		assert.True(t, ok)
		assert.Equal(t, byte(payload), kind)
		assert.Equal(t, []byte{9}, body)
		for i := range b {
			changed := append([]byte(nil), b...)
			changed[i] ^= 1
			_, _, ok = c.open(changed, serverTakes, &window{})
			assert.False(t, ok)
		}
	}
	assert.Equal(t, []byte{0xE8, 0x03}, c.seal(nil, payload, 1000, []byte{9})[1:3]) // the standard's
}

// Each kind has its allowed lengths, for each kind and length.
func TestKindsHaveTheirLengths(t *testing.T) {
	c := newCodec(referenceKey, game)
	for kind := range byte(16) {
		for _, size := range []int{0, 1, 7, 8, 9, 307, 308, 309, 1200, 1201} {
			b := c.seal(nil, kind, 5, make([]byte, size))
			_, _, up := c.open(append([]byte(nil), b...), serverTakes, &window{})
			_, _, down := c.open(b, clientTakes, &window{})
			fits := kind == payload && size >= 1 && size <= 1200 || kind == keepAlive && size == 8 ||
				kind == disconnect && size == 0
			assert.Equal(t, fits || kind == response && size == 308, up, "%d of %d", size, kind)
			assert.Equal(t, fits || kind == challenge && size == 308 || kind == denied && size == 0, down)
		}
	}
}

func TestAllocsOfDatagrams(t *testing.T) {
	l := testListener(t, Options{Protocol: game, Key: referenceKey, Clients: 4})
	c, s := connectTo(t, l, Token{Client: 1})
	up, number, d := newCodec(s.proof.up, game), uint64(1000), make([]byte, 500)
	packet, now := make([]byte, 0, maxPacket), time.Now()
	for name, f := range map[string]func(){
		"taken": func() {
			number++
			packet = up.seal(packet[:0], payload, number, d)
			l.mu.Lock()
			l.handle(packet, s.from, now)
			l.mu.Unlock()
			_, _ = s.Receive()
		},
		"sent": func() {
			for range room {
				s.Send(d)
			}
			l.Flush()
		},
		"of a client": func() {
			c.Send(d)
			_, _ = c.Receive()
		},
		"strange": func() {
			l.mu.Lock()
			l.handle(packet, s.from, now)
			l.mu.Unlock()
		},
	} {
		least := testing.AllocsPerRun(100, f)
		for i := 0; i < 20 && least >= 0.5; i++ { // others allocate beside this
			least = min(least, testing.AllocsPerRun(100, f))
		}
		assert.Less(t, least, 0.5, name)
	}
}

// Arbitrary datagrams from any address break nothing, and connect no client.
func FuzzDatagrams(f *testing.F) {
	l := testListener(f, Options{Protocol: game, Key: referenceKey, Clients: 2})
	_, s := connectTo(f, l, Token{Client: 1})
	right, err := Token{Protocol: game, Client: 2, Servers: []netip.AddrPort{l.Addr()}}.Seal(referenceKey)
	require.NoError(f, err)
	ticket := must(readTicket(right))
	codec := newCodec(s.proof.up, game)
	f.Add(ticket.request, false)
	f.Add(ticket.request, true)
	for kind := range byte(kinds) {
		f.Add(codec.seal(nil, kind, 1<<40, make([]byte, 8)), true)
		f.Add(codec.seal(nil, kind, 1<<40, make([]byte, 308)), true)
	}
	stranger := netip.MustParseAddrPort("127.0.0.1:9")
	f.Fuzz(func(t *testing.T, d []byte, known bool) {
		from := stranger
		if known {
			from = s.from
		}
		l.mu.Lock()
		l.handle(append([]byte(nil), d...), from, time.Now())
		left := len(l.clients.byAddress)
		l.mu.Unlock()
		assert.LessOrEqual(t, left, 2)
		assert.LessOrEqual(t, l.Stats().Clients, 1)
		kind, body, ok := codec.open(append([]byte(nil), d...), clientTakes|serverTakes, &window{})
		assert.True(t, !ok || fits(kind, len(body)))
	})
}

func FuzzTokens(f *testing.F) {
	f.Add(must(os.ReadFile("testdata/reference.token")))
	f.Fuzz(func(t *testing.T, b []byte) {
		ticket, err := readTicket(b)
		if err != nil {
			assert.ErrorIs(t, err, ErrToken)
			return
		}
		assert.Len(t, ticket.request, requestSize)
		assert.LessOrEqual(t, len(ticket.servers), maxServers)
		assert.Equal(t, b[1085:1085+8], ticket.append(nil)[:8])
	})
}

var sink link.Link

// BenchmarkSend is the time per datagram of 520 bytes, sent 64 at once, to a client that does not
// read. Seal is the part that seals.
func BenchmarkSend(b *testing.B) {
	l := testListener(b, Options{Protocol: game, Key: referenceKey, Clients: 4})
	c, s := connectTo(b, l, Token{Client: 1, Timeout: -1})
	sink = c
	d := make([]byte, 520)
	b.Run("datagram", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Send(d)
		}
	})
	l.Flush()
	b.Run("one by one", func(b *testing.B) {
		for b.Loop() {
			s.Send(d)
			l.Flush()
		}
	})
	b.Run("seal", func(b *testing.B) {
		packet := make([]byte, 0, maxPacket)
		for b.Loop() {
			s.out.seal(packet, payload, 1<<20, d)
		}
	})
}

var stateKey = NewKey()

func stateOptions(state []byte) Options {
	return Options{Protocol: 5, Key: stateKey, Clients: 8, State: state}
}

// A heir is a listener that is followed by others, and its clients.
type heir struct {
	*testing.T
	*Listener
	links  map[uint64]link.Client
	conns  map[uint64]*Conn
	tokens map[uint64][]byte
}

func newHeir(t *testing.T) *heir {
	t.Helper()
	socket := must(net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))
	l := must(Listen(socket, stateOptions(nil)))
	h := &heir{t, l, nil, map[uint64]*Conn{}, map[uint64][]byte{}}
	h.links = map[uint64]link.Client{}
	t.Cleanup(func() { assert.NoError(t, h.Close()) })
	return h
}

func (h *heir) dial(client uint64) {
	h.Helper()
	token := must(Token{
		Protocol: 5, Client: client, Servers: []netip.AddrPort{h.Addr()}, Data: fmt.Append(nil, client),
	}.Seal(stateKey))
	ctx, stop := context.WithTimeout(h.Context(), time.Minute)
	defer stop()
	c := must(Dial(ctx, token))
	h.Cleanup(func() { assert.NoError(h, c.Close()) })
	h.conns[client], h.tokens[client] = c, token
	h.accept()
}

// accept accepts the new clients.
func (h *heir) accept() {
	for c, ok := h.Accept(); ok; c, ok = h.Accept() {
		h.links[c.ID()] = c
	}
}

// follow has another listener take this one's place.
func (h *heir) follow(socket *net.UDPConn, state []byte) {
	h.Helper()
	h.Listener, h.links = must(Listen(socket, stateOptions(state))), map[uint64]link.Client{}
	h.accept()
	require.Len(h, h.links, len(h.conns))
}

// talk sends a datagram to each client and back.
func (h *heir) talk(word string) {
	h.Helper()
	wait := func(l link.Link, want string) {
		end := time.Now().Add(time.Minute)
		for d, ok := l.Receive(); string(d) != want; d, ok = l.Receive() {
			require.False(h, ok, "%q", d)
			require.True(h, time.Now().Before(end), "nothing comes")
			time.Sleep(time.Millisecond)
		}
	}
	for id, c := range h.conns {
		require.NoError(h, c.Err())
		assert.Equal(h, fmt.Append(nil, id), h.links[id].Data()[:len(fmt.Append(nil, id))])
		h.links[id].Send([]byte(word))
		h.Flush()
		wait(c, word)
		c.Send([]byte(word + " back"))
		wait(h.links[id], word+" back")
	}
}

// next is the least number of the next packets.
func (h *heir) next() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.batch.mu.Lock()
	defer h.batch.mu.Unlock()
	least := h.clients.number &^ shared
	for _, c := range h.clients.byID {
		least = min(least, c.number)
	}
	return least
}

// Clients stay with the next listener: if it got the socket, if it is another one of the same
// address after a death, and if the next one was given up. Numbers of packets are never used twice.
func TestClientsStay(t *testing.T) {
	h := newHeir(t)
	for id := range uint64(5) {
		h.dial(id + 10)
	}
	h.talk("first")
	assert.Equal(t, uint64(12), h.links[12].ID())

	f := must(h.Pause())
	before := h.Listener
	socket := must(SocketOf(f))
	h.follow(socket, before.AppendState([]byte("x"))[1:])
	h.talk("second")
	assert.Greater(t, h.next(), uint64(1)<<40)
	h.dial(20)
	h.talk("third")
	state, address := h.AppendState(nil), h.Addr()

	require.NoError(t, before.socket.Close())
	for range 2 { // each of them dies at once, the second time with an older state
		number := h.next()
		require.NoError(t, h.socket.Close())
		<-h.done
		socket = must(net.ListenUDP("udp4", net.UDPAddrFromAddrPort(address)))
		h.follow(socket, state)
		assert.Greater(t, h.next(), number)
		h.talk("again")
	}

	number := h.next()
	f = must(h.Pause())
	require.NoError(t, f.Close())
	h.Resume()
	assert.Greater(t, h.next(), number)
	h.mu.Lock()
	h.batch.mu.Lock()
	for id, c := range h.clients.byID {
		assert.GreaterOrEqual(t, c.number, h.clients.first, "the next one may have sent to %d", id)
	}
	h.batch.mu.Unlock()
	h.mu.Unlock()
	h.talk("last")
	before.Resume() // its goroutine ends
	<-before.done
	for id, token := range h.tokens {
		ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, err := Dial(ctx, token)
		require.Error(t, err, "the token of %d is used", id)
		stop()
	}
}

// States that are damaged are refused, and none makes a listener that fails.
func TestDamagedStatesAreRefused(t *testing.T) {
	h := newHeir(t)
	h.dial(1)
	h.dial(2)
	state := h.AppendState(nil)
	random := rand.New(rand.NewPCG(1, 2))
	try := func(state []byte, o Options) error {
		socket := must(net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))
		o.State = state
		l, err := Listen(socket, o)
		if err != nil {
			require.ErrorIs(t, err, ErrState)
			return socket.Close()
		}
		return l.Close()
	}
	for n := range state {
		_, err := Listen(h.socket, stateOptions(state[:n]))
		require.ErrorIs(t, err, ErrState, n)
	}
	_, err := Listen(h.socket, stateOptions(append(state, 0)))
	require.ErrorIs(t, err, ErrState)
	few := stateOptions(state)
	few.Clients = 1
	_, err = Listen(h.socket, few)
	require.ErrorContains(t, err, "it has 2 clients, and Options.Clients are 1")
	for range 300 {
		forged := append([]byte(nil), state...)
		forged[random.IntN(len(forged))] ^= 1 << random.IntN(8)
		require.NoError(t, try(forged, stateOptions(nil)))
	}
}
