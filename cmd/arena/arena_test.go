package arena

import (
	"errors"
	"flag"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

// A match is a host and bots in one process.
type match struct {
	host    *Host
	players []*Player
	network *link.Network
	now     time.Duration
}

func newMatch(tb testing.TB, bots int, c link.Conditions) *match {
	tb.Helper()
	h := world.Must(NewHost(bots, 1))
	m := &match{host: h, network: link.NewNetwork(bots+1, c)}
	tb.Cleanup(h.Close)
	for n := range bots {
		h.Accept(m.network.Link(0, n+1), uint64(n), false)
		p := world.Must(NewPlayer(m.network.Link(n+1, 0), uint64(n)))
		tb.Cleanup(p.Close)
		m.players = append(m.players, p)
	}
	return m
}

// tick takes the match a tick on, with pilots.
func (m *match) tick(tb testing.TB) {
	tb.Helper()
	m.step(tb, (*Player).Pilot)
}

func (m *match) step(tb testing.TB, press func(*Player) Input) {
	tb.Helper()
	m.now += time.Second / Ticks
	m.host.Tick()
	m.network.Step()
	for _, p := range m.players {
		require.NoError(tb, p.Frame(m.now, press))
	}
}

// Bots fight for half a minute, over links that lose and delay. Shells hit, and tanks break. A
// player has its own tank, and only those other tanks that its side has spotted, near tanks that it
// has too: dark parts of its picture were not sent.
func TestBotsFight(t *testing.T) {
	m := newMatch(t, 40, link.Conditions{Loss: .05, Delay: 1, Jitter: 2, Seed: 1})
	hurt, broken, others, dark := 0, 0, 0, 0
	for range 30 * Ticks {
		m.tick(t)
		for b := range standing.In(m.host.state) {
			for _, n := range world.Column(b, armour) {
				hurt += hits - int(n)
			}
		}
		for b := range fading.In(m.host.state) {
			for _, n := range world.Column(b, left) {
				if n == flame-1 {
					broken++
				}
			}
		}
		for n, p := range m.players {
			if own, ok := p.Tank(); ok {
				mine := world.Must(world.Get(p.state, own, side))
				require.Equal(t, n%sides, int(mine))
				var friends, enemies [][2]float32
				for b := range actors.In(p.state) {
					for i, of := range world.Column(b, side) {
						if at := world.Column(b, place)[i]; of != mine {
							enemies = append(enemies, at)
						} else if world.Column(b, part)[i] == Tank {
							friends = append(friends, at)
						}
					}
				}
				for _, e := range enemies {
					if others++; !slices.ContainsFunc(friends, func(f [2]float32) bool {
						return square(e, f) < (Sight+30)*(Sight+30) // they move while it travels
					}) {
						dark++
					}
				}
			}
		}
	}
	for _, p := range m.players {
		_, ok := p.Tank()
		assert.True(t, ok)
	}
	assert.Positive(t, hurt)
	assert.Positive(t, broken)
	assert.Positive(t, others)
	assert.Less(t, dark, others/1000, "some break, and are elsewhere before that is shown")
}

// A side's score is how many tanks of the other one broke, also where its players read it. At the
// goal all tanks stand still; then they are at their edges, as new, and the next game begins.
func TestGamesEndAndBeginAgain(t *testing.T) {
	m := newMatch(t, 20, link.Conditions{})
	want, strong, games := Score{}, map[world.GameObject]uint8{}, 0
	for ticks, stood := 0, float32(0); games < 2; ticks++ {
		require.Less(t, ticks, 600*Ticks)
		m.tick(t)
		broken, stands := Score{}, float32(0)
		for b := range standing.In(m.host.state) {
			for i, n := range world.Column(b, armour) {
				if n == 0 && strong[b.ID(i)] > 0 {
					broken[1-world.Column(b, side)[i]]++
				}
				strong[b.ID(i)] = n
				at := world.Column(b, place)[i][0]
				stands += at
				if want[sides] == 1 {
					require.True(t, n == hits && min(at, fieldWide-at) <= fieldWide/5)
				}
			}
		}
		switch {
		case want[sides] == 1:
			want, games = Score{}, games+1
		case want[sides] > 1:
			want[sides]--
			require.Zero(t, broken)
			require.True(t, stood == stands || want[sides] == pause-1)
		default:
			want[0], want[1] = want[0]+broken[0], want[1]+broken[1]
			if max(want[0], want[1]) >= goal {
				want[sides] = pause
			}
		}
		stood = stands
		require.Equal(t, want, world.Resource(m.host.state, score))
	}
	m.rest(t)
	assert.Equal(t, world.Resource(m.host.state, score), m.players[7].Status().Score)
}

// Players get no bytes about invisible objects: if an invisible tank is elsewhere, turned and
// damaged, the other side gets the same datagrams.
func TestFogIsNotInTheBytes(t *testing.T) {
	sent := func(hidden [2]float32, strong uint8) (all [][]byte) {
		m := newMatch(t, 3, link.Conditions{}) // 0 and 2 are red, 1 is blue
		for n := range 3 * Ticks {
			m.now += time.Second / Ticks
			m.host.Tick()
			if n > Ticks {
				s := m.host.state
				s = world.Must(world.Set(s, m.host.players[0], place, [2]float32{100, 100}))
				s = world.Must(world.Set(s, m.host.players[2], place, [2]float32{150, 100}))
				s = world.Must(world.Set(s, m.host.players[1], place, hidden))
				m.host.state = world.Must(world.Set(s, m.host.players[1], armour, strong))
			}
			m.network.Step()
			for i, p := range m.players {
				p.link = &kept{p.link, i != 1 && n > Ticks, &all}
				require.NoError(t, p.Frame(m.now, func(*Player) Input { return 0 }))
				p.link = p.link.(*kept).Link
			}
		}
		return all
	}
	first := sent([2]float32{1400, 900}, 3)
	require.NotEmpty(t, first)
	assert.Equal(t, first, sent([2]float32{1200, 500}, 1))
	assert.Equal(t, first, sent([2]float32{400, 100}, 1), "on the screen of the first, in the fog")
	assert.NotEqual(t, first, sent([2]float32{250, 100}, 1), "in Sight")
}

// A kept link keeps what comes.
type kept struct {
	link.Link
	on bool
	to *[][]byte
}

func (k *kept) Receive() ([]byte, bool) {
	d, ok := k.Link.Receive()
	if ok && k.on {
		*k.to = append(*k.to, slices.Clone(d))
	}
	return d, ok
}

// A tank turns, drives up to the edge of the field, and fires again when it is loaded.
func TestSteer(t *testing.T) {
	h := world.Must(NewHost(1, 1))
	defer func() { h.Close() }()
	s, id := enter(h.state, arrival{0, 1})
	steer := func(input Input, times int) (at [2]float32, angle float32, wait uint8) {
		for range times {
			s = Steer(s, id, input)
		}
		h.state = s
		return world.Must(world.Get(s, id, place)), world.Must(world.Get(s, id, heading)),
			world.Must(world.Get(s, id, loading))
	}
	before, _, _ := steer(0, 1)
	at, angle, wait := steer(Forward, 2)
	assert.Equal(t, [2]float32{before[0] + speed + speed, before[1]}, at)
	assert.Zero(t, wait)
	back, _, _ := steer(Back, 4)
	assert.InDelta(t, before[0], back[0], 1e-4)
	_, turned, _ := steer(Left, 1)
	assert.InDelta(t, -turn, turned-angle, 1e-6)
	_, turned, _ = steer(Right, 1)
	assert.InDelta(t, angle, turned, 1e-6)
	_, _, wait = steer(Fire, 1)
	assert.EqualValues(t, reload, wait)
	_, _, wait = steer(Fire, reload)
	assert.Zero(t, wait, "it is loaded")
	_, _, wait = steer(Fire, 1)
	assert.EqualValues(t, reload, wait)
	at, _, _ = steer(Forward, 2000)
	assert.EqualValues(t, fieldWide-margin, at[0])
}

// BenchmarkTick has bots, each of which is a client.
func BenchmarkTick(b *testing.B) {
	for name, bots := range map[string]int{"2": 2, "50": 50, "500": 500} {
		b.Run(name, func(b *testing.B) {
			m := newMatch(b, bots, link.Conditions{Loss: .05, Delay: 1, Jitter: 2, Seed: 1})
			for range 20 * Ticks {
				m.tick(b)
			}
			before, host := m.bytes(), time.Duration(0)
			for b.Loop() {
				began := time.Now()
				m.host.Tick()
				host += time.Since(began)
				m.now += time.Second / Ticks
				m.network.Step()
				for _, p := range m.players {
					require.NoError(b, p.Frame(m.now, (*Player).Pilot))
				}
			}
			n := float64(b.N * bots)
			b.ReportMetric(float64(m.bytes()-before)/n, "bytes/client")
			b.ReportMetric(host.Seconds()*1e6/n, "us-host/client")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func (m *match) bytes() (n int) {
	for c := range m.host.server.Conns() {
		n += c.Stats().Bytes
	}
	return n
}

// A dialled is a connection over a link that never ends.
type dialled struct{ link.Link }

func (dialled) Err() error   { return nil }
func (dialled) Close() error { return nil }

// A player whose first tries fail, or whose server is silent, connects again.
func TestPlayersDialAgain(t *testing.T) {
	tries := atomic.Int32{}
	n := link.NewNetwork(2, link.Conditions{})
	seat := NewSeat(1, func() (Connection, error) {
		if tries.Add(1) == 2 {
			return nil, errors.New("nobody listens")
		}
		return dialled{n.Link(1, 0)}, nil
	})
	require.NoError(t, seat.take(<-seat.dialed))
	require.False(t, seat.ended())
	for range 300 {
		seat.next.mirror.Append(nil, nil)
	}
	require.True(t, seat.ended())
	require.NoError(t, seat.Frame(0, func(*Player) Input { return 0 }))
	require.True(t, seat.Lost())
	require.NoError(t, seat.take(<-seat.dialed))
	require.False(t, seat.ended())
	require.EqualValues(t, 3, tries.Load())
	require.NoError(t, seat.Close())
}

// A tick of a match depends on the world and the inputs alone, and has the same bytes everywhere.
func TestAMatchHasOneDigest(t *testing.T) {
	a := world.Must(world.CreateState(Counts(2, 7)))
	b := world.Must(world.Clone(a))
	matches := []*Match{world.Must(NewMatch(a, 2)), world.Must(NewMatch(a, 2))}
	for n := range 400 {
		inputs := []Input{Input(n / 7 % 32), Input(n / 5 % 32)}
		a, b = matches[0].Step(a, inputs), matches[n%2].Step(b, inputs)
		require.True(t, world.Equal(a, b), n)
	}
	require.Equal(t, uint64(0x28013bf9bafc37b8), world.Digest(a))
}

var (
	hourBots  = flag.Int("bots", 50, "that play in TestBotsPlayOn")
	hourTicks = flag.Int("ticks", 0, "that they play; 72,000 are an hour; 0: a minute, or 10 s")
)

// lately is how many ticks are remembered of what a player was shown.
const lately = 64

// A watched player is one whose tank is compared with the server's.
type watched struct {
	shown  [lately]uint64 // digests of its tank, in its own ticks
	truths int            // states of the server's tank
	missed int            // that it was not shown before
}

// compare notes what a player is shown, and looks for the server's tank in what it was shown.
func (w *watched) compare(m *match, n, tick int) {
	own, ok := m.players[n].Tank()
	if !ok {
		return
	}
	w.truths++
	w.shown[tick%lately] = digest(m.players[n].state, own)
	truth := digest(m.host.state, m.host.players[n])
	for _, d := range w.shown {
		if d == truth {
			return
		}
	}
	w.missed++
}

// rest has all players press nothing until each tank is what the server has, to the bit.
func (m *match) rest(t *testing.T) {
	t.Helper()
	for equal, ticks := 0, 0; equal < len(m.players); ticks++ {
		require.Less(t, ticks, 10*Ticks, "the tanks of %d of %d players are the server's",
			equal, len(m.players))
		m.step(t, func(*Player) Input { return 0 })
		equal = 0
		for n, p := range m.players {
			if own, ok := p.Tank(); ok && ticks > 2*Ticks &&
				digest(p.state, own) == digest(m.host.state, m.host.players[n]) {
				equal++
			}
		}
	}
}

// heap returns how many bytes of Go's heap are in use.
func heap() int {
	var s runtime.MemStats
	runtime.GC()
	runtime.GC() // for what the first one has finalized
	runtime.ReadMemStats(&s)
	return int(s.HeapAlloc)
}

// Bots play over links that lose one datagram in twenty, and take 50 to 150 ms each way. A tank
// that a player is shown is what the server has later, but for inputs that are lost and for what
// others do; when all rest, each is the server's, to the bit. What they take of memory stays.
//
//	go test ./cmd/arena -run BotsPlayOn -v -timeout 1h -args -bots 50 -ticks 72000
func TestBotsPlayOn(t *testing.T) {
	routines, ticks := runtime.NumGoroutine(), *hourTicks
	if ticks == 0 && testing.Short() {
		ticks = 10 * Ticks
	} else if ticks == 0 {
		ticks = 60 * Ticks
	}
	m := newMatch(t, *hourBots, link.Conditions{Loss: .05, Delay: 1, Jitter: 2, Seed: 1})
	players := make([]watched, *hourBots)
	began, before, rests := time.Now(), 0, 0
	press := func(p *Player) Input { // pilots never drive back
		if p.ticks%16 == 0 {
			return Back
		}
		return p.Pilot()
	}
	for n := range ticks {
		m.step(t, press)
		for i := range players {
			players[i].compare(m, i, n)
		}
		if n%(30*Ticks) == 30*Ticks-1 {
			m.rest(t)
			rests++
		}
		if n == ticks/10 {
			before = heap()
		}
		if n%(10*60*Ticks) == 0 {
			t.Logf("%v played, in %v", time.Duration(n)*time.Second/Ticks, time.Since(began))
		}
	}
	after, sum := heap(), watched{}
	for i := range players {
		sum.truths += players[i].truths
		sum.missed += players[i].missed
	}
	assert.Greater(t, sum.truths, *hourBots*ticks*9/10, "they play")
	assert.Less(t, sum.missed, sum.truths/10, "states that were not shown before")
	assert.Less(t, after, before+before/10+1<<16, "bytes of the heap")
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > routines; runtime.Gosched() {
		require.True(t, time.Now().Before(end), "goroutines are left") // finalizers' goroutines end
	}
	t.Logf("%d of %d states were not shown before; %d times all rested; %d, then %d bytes of the "+
		"heap; %.1f bytes per client and tick; %v", sum.missed, sum.truths, rests, before, after,
		float64(m.bytes())/float64(*hourBots*ticks), time.Since(began))
}
