package arena

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

// recorded plays a match in which players come and go, and returns its recording and the digests.
func recorded(t *testing.T, ticks int) (text []byte, digests []uint64) {
	t.Helper()
	const players, late = 12, 3
	m := newMatch(t, players, link.Conditions{Loss: .05, Delay: 1, Jitter: 1, Seed: 1})
	var out bytes.Buffer
	w := NewWriter(&out, players, 1)
	m.host.Record(w)
	all := m.players
	m.players = all[:players-late]
	for n := range ticks {
		switch n {
		case ticks / 8:
			m.players = all
		case ticks / 2:
			m.players = all[2:] // of two nothing is heard any more
		}
		m.tick(t)
		digests = append(digests, world.Digest(m.host.state))
	}
	require.NoError(t, w.Close())
	return out.Bytes(), digests
}

// A recording is the match, tick by tick, from any of its worlds.
func TestARecordingIsTheMatch(t *testing.T) {
	ticks := 40 * Ticks
	if testing.Short() {
		ticks = 25 * Ticks
	}
	text, digests := recorded(t, ticks)
	for _, what := range []string{" +11:", " -0 ", "=10"} {
		require.Contains(t, string(text), what)
	}
	r, err := Read(bytes.NewReader(text))
	require.NoError(t, err)
	assert.Equal(t, digests, r.Digests)
	play, err := r.Scene().Open(r.Options())
	require.NoError(t, err)
	s := play.First
	defer func() { play.Close(s) }()
	half, err := world.NewSnapshot(s)
	require.NoError(t, err)
	defer half.Close()
	for n, want := range digests {
		s = play.Step(s, 0)
		require.Equal(t, want, world.Digest(s), "tick %d", n+1)
		if n == ticks/3 {
			require.NoError(t, half.Take(s))
		}
	}
	s = world.Must(world.Restore(s, half))
	for n := ticks/3 + 1; n < ticks; n++ {
		s = play.Step(s, scene.Input(n))
		require.Equal(t, digests[n], world.Digest(s), "tick %d, again", n+1)
	}
	for range 10 {
		s = play.Step(s, 0)
	}
}

// Recordings that are damaged are refused, or are those of another match, which is played without
// a failure.
func TestDamagedRecordings(t *testing.T) {
	text, _ := recorded(t, 30)
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		forged := bytes.Clone(text)
		for range 1 + random.IntN(3) {
			forged[random.IntN(len(forged))] = "0123456789abcdef+-=: \n"[random.IntN(22)]
		}
		end := len(forged) - random.IntN(2)*random.IntN(len(forged))
		r, err := Read(bytes.NewReader(forged[:end]))
		if err != nil {
			require.ErrorIs(t, err, ErrRecording)
			continue
		}
		play, err := r.Scene().Open(r.Options())
		require.NoError(t, err)
		s := play.First
		for range r.Digests {
			s = play.Step(s, 0)
		}
		play.Close(s)
	}
	huge := strings.Replace(string(text), "players 12", "players 5000", 1)
	for _, bad := range []string{"", Magic, huge} {
		_, err := Read(strings.NewReader(bad))
		require.ErrorIs(t, err, ErrRecording)
	}
}

// Who joins late has all that its side sees, as those who were there.
func TestWhoJoinsLateSees(t *testing.T) {
	m := newMatch(t, 20, link.Conditions{Delay: 1, Seed: 2})
	all := m.players
	m.players = all[:18]
	for range 8 * Ticks {
		m.tick(t)
	}
	m.players = all
	late := all[18] // of the side of the first
	for n := 0; ; n++ {
		require.Less(t, n, 2*Ticks, "it takes too long")
		m.tick(t)
		if _, ok := late.Tank(); ok && late.mirror.Whole() == late.mirror.Tick() {
			break
		}
	}
	for range 10 {
		m.now += 1e9 / Ticks
		require.NoError(t, m.host.Tick())
		m.network.Step()
		for _, p := range m.players {
			require.NoError(t, p.Frame(m.now, func(*Player) Input { return 0 }))
		}
	}
	h := m.host
	at := world.Must(world.Get(h.state, h.players[18], place))
	sees := 0
	for b := range actors.In(h.state) {
		for i, p := range world.Column(b, place) {
			seen := h.spotted[0][b.ID(i).Index()>>6]>>(b.ID(i).Index()&63)&1 != 0
			if b.ID(i) != h.players[18] && seen && square(at, p) <= view*view {
				sees++
			}
		}
	}
	require.Positive(t, sees)
	assert.Equal(t, sees, late.Status().Sees)
}
