package udp_test

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/link/udp"
	"github.com/flatecs/flatecs/world/replica"
)

// A pilot is a client's program.
type pilot struct {
	id     uint64
	conn   *udp.Conn
	state  world.State
	mirror *replica.Mirror
	me     *replica.Predictor
	input  int8
}

func newPilot(tb testing.TB, id uint64, conn *udp.Conn) *pilot {
	tb.Helper()
	p := &pilot{id: id, conn: conn, state: world.Must(world.CreateState(schema.Counts(16)))}
	p.mirror = replica.NewMirror(p.state, schema, 16, replica.Show{Tick: turnOf})
	p.me = replica.NewPredictor(p.mirror, 1, func(s world.State, input []byte) world.State {
		for id := range p.mirror.Own() {
			s = drive(s, id, input)
		}
		return s
	})
	tb.Cleanup(func() { world.Close(p.state) })
	return p
}

func (p *pilot) frame(tb testing.TB, now time.Duration) {
	tb.Helper()
	require.NoError(tb, p.conn.Err(), "client %d", p.id)
	for d, ok := p.conn.Receive(); ok; d, ok = p.conn.Receive() {
		var err error
		p.state, err = p.mirror.Apply(p.state, d)
		require.NoError(tb, err)
	}
	for p.mirror.Due(now) {
		p.state = p.me.Step(p.state, []byte{byte(p.input)})
		p.conn.Send(p.mirror.Append(nil, p.me))
	}
	p.state = p.mirror.Present(p.state, now)
}

// own returns whose tank the pilot has, and when it was born.
func (p *pilot) own() (id, since uint64) {
	for o := range p.mirror.Own() {
		return world.Must(world.Get(p.state, o, driver)), world.Must(world.Get(p.state, o, born))
	}
	return 0, 0
}

// A hall is a supervisor, its programs, and the clients of them.
type hall struct {
	*testing.T
	dir     string
	orders  chan hand.Order
	events  chan hand.Event
	players []*pilot
	began   time.Time
}

func newHall(t *testing.T, clients int) *hall {
	t.Helper()
	h := &hall{
		T: t, dir: t.TempDir(), orders: make(chan hand.Order), events: make(chan hand.Event, 1000),
		began: time.Now(),
	}
	require.NoError(t, os.WriteFile(filepath.Join(h.dir, "key"), key[:], 0o600))
	done := make(chan error)
	go func() {
		_, err := hand.Supervise(hand.Supervisor{
			Path: h.version("first"), Args: []string{"serve", h.dir}, Orders: h.orders,
			Keep: 10 * turnOf, Revive: time.Nanosecond, Trial: time.Millisecond,
			Deadline: lasting, Still: lasting, Told: func(e hand.Event) { h.events <- e },
		})
		done <- err
	}()
	t.Cleanup(func() {
		assert.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
		assert.NoError(t, <-done)
	})
	h.after(hand.Plays)
	var address netip.AddrPort
	eventually(t, func() bool {
		b, err := os.ReadFile(filepath.Join(h.dir, "address"))
		if err == nil {
			address, err = netip.ParseAddrPort(string(b))
		}
		return err == nil
	}, "address")
	for n := range clients {
		token := sealed(t, udp.Token{
			Client: uint64(n) + 1, Servers: []netip.AddrPort{address}, Timeout: lasting,
		})
		h.players = append(h.players, newPilot(t, uint64(n)+1, dial(t, token)))
	}
	return h
}

func (h *hall) version(name string) string {
	h.Helper()
	path := filepath.Join(h.dir, name)
	self, err := os.Executable()
	require.NoError(h, err)
	require.NoError(h, os.Symlink(self, path))
	return path
}

// after plays until an event, which is of a kind.
func (h *hall) after(what hand.EventKind) {
	h.Helper()
	var e hand.Event
	h.until(func() bool {
		select {
		case e = <-h.events:
			return true
		default:
			return false
		}
	}, "an event")
	require.Equal(h, what, e.What, "%v", e)
}

// until plays until something is so.
func (h *hall) until(f func() bool, what string) {
	h.Helper()
	for end := time.Now().Add(lasting); !f(); time.Sleep(turnOf / 2) {
		require.True(h, time.Now().Before(end), "this does not come about: %s", what)
		for _, p := range h.players {
			p.frame(h, time.Since(h.began))
		}
	}
}

// says returns the lines of the servers that are whole.
func (h *hall) says() []string {
	h.Helper()
	b, err := os.ReadFile(filepath.Join(h.dir, "says"))
	require.NoError(h, err)
	all := strings.Split(string(b), "\n")
	return all[:len(all)-1]
}

// rests waits until all stand still, and each pilot sees what the server has.
func (h *hall) rests() {
	h.Helper()
	for _, p := range h.players {
		p.input = 0
	}
	h.until(func() bool {
		all := slices.DeleteFunc(h.says(), func(line string) bool { return line == "copy" })
		_, shown, _ := strings.Cut(all[len(all)-1], " ")
		for _, p := range h.players {
			if p.mirror.Whole() != p.mirror.Tick() || fmt.Sprint(picture(p.state)) != shown {
				return false
			}
		}
		return strings.Count(shown, "/") == 3*len(h.players)
	}, "all mirrors are equal to the server's world")
}

// drives has all drive for so many ticks of the server.
func (h *hall) drives(ticks int, way int8) {
	h.Helper()
	for n, p := range h.players {
		p.input = way * int8(n%2*2-1)
	}
	from := len(h.says())
	h.until(func() bool { return len(h.says()) >= from+ticks }, "ticks of the server")
}

// A server is killed, handed over, and followed by one that dies in its trial, while its clients
// drive: they stay, see what it has, and have the tanks that they had, and none joins again.
func TestAServedWorldOutlivesItsPrograms(t *testing.T) {
	h := newHall(t, 5)
	h.rests()
	var since []uint64
	for _, p := range h.players {
		_, b := p.own()
		since = append(since, b)
	}
	rounds := 9
	if testing.Short() {
		rounds = 3
	}
	from := h.count("copy")
	h.until(func() bool { return h.count("copy") > from+1 }, "a copy with all clients")
	for n := range rounds {
		h.drives(7+n, int8(1-n%2*2))
		for _, p := range h.players { // who moves no more is what it was
			p.input = 0
		}
		switch n % 3 {
		case 0:
			all, pid := h.says(), 0
			for i := len(all) - 1; pid == 0; i-- {
				_, _ = fmt.Sscan(all[i], &pid)
			}
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			h.after(hand.Died)
			h.after(hand.Plays)
		case 1:
			h.orders <- hand.Order{Path: h.version(fmt.Sprint("next-", n))}
			h.after(hand.Plays)
			h.after(hand.Kept)
		case 2:
			h.rests() // so that nothing else is sent
			h.orders <- hand.Order{Path: h.version(fmt.Sprint(n, "-panics"))}
			h.after(hand.Plays)
			h.after(hand.Back)
		}
		if n%2 == 1 {
			h.drives(5, int8(n%2*2-1))
		}
		h.rests()
		for i, p := range h.players {
			id, b := p.own()
			assert.Equal(t, p.id, id)
			assert.Equal(t, since[i], b, "it is the tank that it was")
		}
	}
	assert.Equal(t, len(h.players), h.count("joined"))
	assert.Zero(t, h.count("gone"))
}

// count is how many lines begin with a word.
func (h *hall) count(word string) (n int) {
	h.Helper()
	for _, line := range h.says() {
		if strings.HasPrefix(line, word) {
			n++
		}
	}
	return n
}
