package arena

import (
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
	h, err := NewHost(bots, 1)
	require.NoError(tb, err)
	m := &match{host: h, network: link.NewNetwork(bots+1, c)}
	tb.Cleanup(h.Close)
	for n := range bots {
		h.Accept(m.network.Link(0, n+1))
		p, err := NewPlayer(m.network.Link(n+1, 0), uint64(n))
		require.NoError(tb, err)
		tb.Cleanup(p.Close)
		m.players = append(m.players, p)
	}
	return m
}

func (m *match) tick(tb testing.TB) {
	tb.Helper()
	m.now += time.Second / Ticks
	m.host.Tick()
	m.network.Step()
	for _, p := range m.players {
		require.NoError(tb, p.Frame(m.now, (*Player).Pilot))
	}
}

// Bots fight for a minute, over links that lose and delay. Every one of them has a tank, and of
// actors what its side saw; shells hit.
func TestBotsFight(t *testing.T) {
	m := newMatch(t, 40, link.Conditions{Loss: .05, Delay: 1, Jitter: 2, Seed: 1})
	shots, hurt, strangers := 0, 0, 0
	for range 60 * Ticks {
		m.tick(t)
		shots += shells.Count(m.host.state)
		for b := range standing.In(m.host.state) {
			for _, n := range world.Column(b, armour) {
				hurt += hits - int(n)
			}
		}
		for _, p := range m.players {
			if own, ok := p.Tank(); ok {
				mine := world.Must(world.Get(p.state, own, side))
				for b := range actors.In(p.state) {
					for _, of := range world.Column(b, side) {
						if of != mine {
							strangers++
						}
					}
				}
			}
		}
	}
	assert.Positive(t, shots)
	assert.Positive(t, hurt)
	assert.Positive(t, strangers)
	for _, p := range m.players {
		_, ok := p.Tank()
		assert.True(t, ok)
	}
	t.Log(shots, hurt, strangers)
}

// BenchmarkTick has bots of which each is a client.
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
		n += int(c.Stats().Bytes)
	}
	return n
}
