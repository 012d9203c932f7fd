package session_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/session"
)

var (
	speed = layout.NewField[[2]float32]("push speed") // world units per step; x, z
	body  = layout.NewKind("pushed body", speed)
	spark = layout.NewMark("spark")

	pushing = world.NewQuery(world.Write(heroes.Position, speed))
)

// push is a step in which each player, by one byte, pushes every body of theirs, and makes and
// disposes objects.
func push(s world.State, inputs []byte) world.State {
	for player, input := range inputs {
		for b := range pushing.In(s) {
			p, v := world.Column(b, heroes.Position), world.Column(b, speed)
			for i := range p {
				if b.ID(i).Index()%uint32(len(inputs)) == uint32(player) {
					v[i][0] += float32(float32(input&15)*0.125) - 0.5
					v[i][1] += float32(float32(input>>4)*0.125) - 0.5
					p[i][0] += v[i][0]
					p[i][2] += v[i][1]
				}
			}
		}
		switch input % 5 {
		case 0:
			if next, _, err := world.CreateWith(s, spark); err == nil {
				s = next
			}
		case 1:
			for id := range world.GameObjects(s) {
				if world.Has(s, id, spark) {
					s, _ = world.Dispose(s, id)
					break
				}
			}
		}
	}
	s, _ = world.NextStream(s)
	return world.Advance(s)
}

// arena returns a world that push works on.
func arena(tb testing.TB, bodies int) world.State {
	tb.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: bodies + 20, Seed: 3,
		Kinds: layout.Kinds(body.Count(bodies), spark.Count(0), heroes.Position.Count(bodies)),
	}))
	for range bodies {
		s, _ = world.Must2(world.CreateWith(s, heroes.Position, body))
	}
	return s
}

// A match is players in one process.
type match struct {
	t        *testing.T
	network  *link.Network
	states   []world.State
	sessions []*session.Session
	random   *rand.Rand
	hold     []byte           // input of each player, held for a while
	digests  []map[int]uint64 // of each player, per frame that is confirmed
	waited   int
	gone     map[int]bool // players who left
}

func newMatch(t *testing.T, players int, c link.Conditions, set func(o *session.Options)) *match {
	t.Helper()
	m := &match{
		t: t, network: link.NewNetwork(players, c), random: rand.New(rand.NewPCG(c.Seed, 1)),
		hold: make([]byte, players), gone: map[int]bool{},
	}
	for player := range players {
		o := session.Options{
			ID: 42, Local: player, Links: m.network.Links(player), InputBytes: 1, Delay: 2, Step: push,
		}
		if set != nil {
			set(&o)
		}
		state := arena(t, 12)
		s := world.Must(session.New(state, o))
		m.states, m.sessions = append(m.states, state), append(m.sessions, s)
		m.digests = append(m.digests, map[int]uint64{})
	}
	return m
}

// frame advances every player who is there, and returns the first error other than waiting.
func (m *match) frame() (first error) {
	m.network.Step()
	for player := range m.sessions {
		if m.gone[player] {
			continue
		}
		if err := m.advance(player); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func (m *match) advance(player int) (err error) {
	s := m.sessions[player]
	if m.random.IntN(6) == 0 {
		m.hold[player] = byte(m.random.Uint32())
	}
	m.states[player], err = s.Advance(m.states[player], m.hold[player:player+1])
	m.note(player)
	if errors.Is(err, session.ErrWaiting) {
		m.waited++
		return nil
	}
	return err
}

// note keeps the digests of frames that became final. They must not change any more.
func (m *match) note(player int) {
	h, known := m.sessions[player].History(), m.digests[player]
	first, next := h.Frames()
	for frame := first; frame < min(next, m.sessions[player].Status().Confirmed+1); frame++ {
		digest := world.Must(h.Digest(frame))
		if before, ok := known[frame]; ok {
			require.Equal(m.t, before, digest, "player %d, frame %d: final frames stay", player, frame)
		}
		known[frame] = digest
	}
}

// agree checks that all players who are there have the same digest of every frame that is final, and
// returns how many frames all have.
func (m *match) agree() (frames int) {
	first := 0
	for m.gone[first] {
		first++
	}
	for frame, digest := range m.digests[first] {
		all := true
		for player, known := range m.digests {
			other, ok := known[frame]
			if all = all && (ok || m.gone[player]); ok && !m.gone[player] {
				require.Equal(m.t, digest, other, "player %d, frame %d", player, frame)
			}
		}
		if all {
			frames++
		}
	}
	return frames
}
