package udp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/link"
)

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

// accept takes in who came.
func (h *heir) accept() {
	for c, ok := h.Accept(); ok; c, ok = h.Accept() {
		h.links[c.ID()] = c
	}
}

// follow has another listener take this one's place.
func (h *heir) follow(socket *net.UDPConn, state []byte) {
	h.Helper()
	l := must(Listen(socket, stateOptions(state)))
	h.Listener, h.links = l, map[uint64]link.Client{}
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
	for range 2 { // each of which dies at once, the second time with a state that is older
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
