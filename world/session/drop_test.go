package session_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/session"
)

// TestThoseWhoStayPlayOn: in random matches in which several players leave, at once or one after
// the other, those who stay play on, equal to the bit. Before it leaves, the first one votes for
// dropping a player who stays: that is named, and drops nobody. Who comes back is refused, and told.
func TestThoseWhoStayPlayOn(t *testing.T) {
	for seed := range map[bool]uint64{false: 12, true: 200}[worldtest.AtLength()] {
		random := rand.New(rand.NewPCG(seed, 7))
		players, leave := 2+random.IntN(5), map[int]int{}
		order := random.Perm(players)
		liar, victim := order[0], order[players-1]
		for _, player := range order[:1+random.IntN(players-1)] {
			leave[player] = random.IntN(4) * (20 + random.IntN(15))
		}
		t.Run(fmt.Sprint(seed, ": ", leave, " of ", players), func(t *testing.T) {
			c := bad
			c.Seed, c.Loss = seed, float32(random.IntN(4))/10
			m := newMatch(t, players, c, func(o *session.Options) {
				o.Default = []byte{0x5a}
				if random.IntN(3) == 0 { // each waits for others, and keeps inputs, for another time
					o.Window, o.Delay = 1+random.IntN(20), random.IntN(10)
				}
			})
			lies := players-len(leave) > 1 && leave[liar] > 10 // one alone would believe it
			for frame := range 700 {
				if lies && frame == leave[liar]-10 {
					m.sessions[liar].Drop(victim, 0)
				}
				for player, s := range m.sessions {
					at, leaves := leave[player]
					m.gone[player] = leaves && frame >= at
					for other, p := range s.Status().Players {
						if !m.gone[player] && p.Silence > 40+3*player {
							s.Drop(other, int(seed%2)*p.Known)
						}
					}
				}
				require.NoError(t, m.frame(), "frame %d", frame)
			}
			var err error
			for range 100 {
				require.NoError(t, m.frame())
				for player := range leave {
					m.states[player], err = m.sessions[player].Advance(m.states[player], []byte{1})
				}
			}
			assert.True(t, len(leave) > 1 || errors.Is(err, session.ErrDropped), "who is alone is told")
			assert.Greater(t, m.agree(), 150)
			seen := m.sessions[victim].Status().Players
			assert.Equal(t, lies, slices.Contains(seen[victim].Votes, liar), "it is named")
			for player, s := range m.sessions {
				for other, p := range s.Status().Players {
					require.True(t, m.gone[player] || p.Left == seen[other].Left, "%d of %d", player, other)
					require.True(t, m.gone[player] || m.gone[other] == (p.Left >= 0))
				}
			}
			for other := range leave {
				if !lies || other != liar { // who has dropped the victim does not hear it
					assert.Greater(t, seen[other].Refused, 30)
					assert.Contains(t, m.sessions[other].Status().Players[other].Votes, victim)
				}
			}
		})
	}
}
