package arena

import (
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/link"
)

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
	for n := range ticks {
		m.tick(t)
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
		require.True(t, time.Now().Before(end), "goroutines are left") // those of finalizers end
	}
	t.Logf("%d of %d states were not shown before; %d times all rested; %d, then %d bytes of the "+
		"heap; %.1f bytes per client and tick; %v", sum.missed, sum.truths, rests, before, after,
		float64(m.bytes())/float64(*hourBots*ticks), time.Since(began))
}
