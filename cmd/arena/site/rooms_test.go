//go:build !js

package site

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/udp"
	"github.com/flatecs/flatecs/world/link/web"
)

// A hall has rooms on one UDP socket and one web server.
type hall struct {
	*link.Rooms
	key      udp.Key
	programs *udp.Listener
	url      string
}

func newHall(t *testing.T) *hall {
	t.Helper()
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	h := &hall{Rooms: new(link.Rooms), key: udp.NewKey()}
	h.programs, err = udp.Listen(socket, udp.Options{Key: h.key, Clients: 9, Admit: h.Admit})
	require.NoError(t, err)
	browsers := web.NewListener(web.Options{
		Clients: 9, Enter: func(r *http.Request) (uint64, []byte, error) {
			n, err := strconv.ParseUint(path.Base(r.URL.Path), 10, 8)
			return n, []byte{byte(n)}, errors.Join(err, h.Admit([]byte{byte(n)}))
		},
	})
	s := httptest.NewServer(browsers)
	h.url = "ws" + strings.TrimPrefix(s.URL, "http")
	h.Add(h.programs)
	h.Add(browsers)
	t.Cleanup(func() {
		assert.NoError(t, h.programs.Close())
		assert.NoError(t, browsers.Close())
		s.Close()
	})
	return h
}

// dial connects to a room over UDP and over WebSocket.
func (h *hall) dial(t *testing.T, room byte) []link.Link {
	t.Helper()
	token, err := udp.Token{
		Data: []byte{room}, Client: uint64(room), Servers: []netip.AddrPort{h.programs.Addr()},
	}.Seal(h.key)
	require.NoError(t, err)
	first, err := udp.Dial(t.Context(), token)
	require.NoError(t, err)
	second, err := web.Dial(t.Context(), fmt.Sprint(h.url, "/", room))
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, first.Close())
		assert.NoError(t, second.Close())
	})
	return []link.Link{first, second}
}

// A party is a room of a hall with its players.
type party struct {
	host    *arena.Host
	door    link.Listener
	sent    map[string]bool // by its server
	players []*arena.Player
	links   []*kept
	came    uint64
}

func (h *hall) party(t *testing.T, room byte) *party {
	t.Helper()
	host, err := arena.NewHost(2, uint64(room)+1)
	require.NoError(t, err)
	t.Cleanup(host.Close)
	p := &party{host: host, door: h.Open(uint64(room)), sent: map[string]bool{}}
	for _, l := range h.dial(t, room) {
		k := &kept{Link: l}
		player, err := arena.NewPlayer(k, 1)
		require.NoError(t, err)
		t.Cleanup(player.Close)
		p.players, p.links = append(p.players, player), append(p.links, k)
	}
	return p
}

// tick takes a room a tick on, of which it is so many.
func (p *party) tick(t *testing.T, n int) {
	t.Helper()
	for c, ok := p.door.Accept(); ok; c, ok = p.door.Accept() {
		p.came++ // IDs of two listeners may be the same
		p.host.Accept(&noted{c, p.sent}, p.came, true)
	}
	p.host.Tick()
	p.door.Flush()
	now := time.Duration(n) * time.Second / arena.Ticks
	for _, player := range p.players {
		require.NoError(t, player.Frame(now, (*arena.Player).Pilot))
	}
}

// Two rooms share a UDP socket and a web server. Their players get what the server of their own
// room sends, and nothing of the other one's.
func TestRoomsAreApart(t *testing.T) {
	h := newHall(t)
	parties := []*party{h.party(t, 0), h.party(t, 1)}
	came := 0
	for tick := 0; tick < 100 || came < 200; tick++ {
		require.Less(t, tick, 5000, "nothing comes")
		for n, p := range parties {
			p.tick(t, tick)
			for _, l := range p.links {
				for _, d := range l.came {
					require.True(t, p.sent[d])
					nothing := d[15] == 0 // no groups: both may say so
					require.False(t, !nothing && parties[1-n].sent[d])
					came++
				}
				l.came = nil
			}
		}
		time.Sleep(time.Millisecond)
	}
	for _, p := range parties {
		for _, player := range p.players {
			assert.GreaterOrEqual(t, player.Status().Side, 0, "it plays")
		}
	}
	_, err := web.Dial(t.Context(), h.url+"/2")
	require.ErrorContains(t, err, "there is no such room: 2")
}

// A noted client notes what its server sends.
type noted struct {
	link.Client
	sent map[string]bool
}

func (n *noted) Send(d []byte) {
	n.sent[string(d)] = true
	n.Client.Send(d)
}

// A kept link keeps what comes.
type kept struct {
	link.Link
	came []string
}

func (k *kept) Receive() ([]byte, bool) {
	d, ok := k.Link.Receive()
	if ok {
		k.came = append(k.came, string(d))
	}
	return d, ok
}
