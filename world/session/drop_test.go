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
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/session"
)

// TestThoseWhoStayPlayOn: in random matches in which several players leave, at once or one after
// the other, the remaining players continue with equal bytes. Before it leaves, the first one votes
// for dropping a player who stays: Status shows the vote, and no player is dropped. Players who
// come back are refused, and told so if they are not the majority.
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
			told := map[int]error{}
			for range 100 {
				require.NoError(t, m.frame())
				for player := range leave {
					m.states[player], told[player] = m.sessions[player].Advance(m.states[player], []byte{1})
				}
			}
			for player, err := range told {
				is := errors.Is(err, session.ErrDropped)
				assert.True(t, is || errors.Is(err, session.ErrWaiting), "it takes no step")
				assert.True(t, is || lies && player == liar || 2*len(leave) > players, "it is told")
			}
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
				if !lies || other != liar { // a player that has dropped the victim ignores it
					assert.Greater(t, seen[other].Refused, 30)
					assert.Contains(t, m.sessions[other].Status().Players[other].Votes, victim)
				}
			}
		})
	}
}

// TestOneAloneEndsNoMatch: two of three stop for a while, and the third one drops them and plays on.
// They come back, drop it, and play on together.
func TestOneAloneEndsNoMatch(t *testing.T) {
	m := newMatch(t, 3, link.Conditions{Delay: 2, Seed: 5}, nil)
	frames := func(n int) {
		for range n {
			require.NoError(t, m.frame())
		}
	}
	frames(30)
	m.gone[1], m.gone[2] = true, true
	frames(30)
	m.sessions[0].Drop(1, 0)
	m.sessions[0].Drop(2, 0)
	frames(30)
	m.gone[1], m.gone[2] = false, false
	frames(30)
	m.gone[0] = true
	m.sessions[1].Drop(0, 0)
	m.sessions[2].Drop(0, 0)
	before := m.sessions[1].Status().Frame
	frames(60)
	require.Greater(t, m.sessions[1].Status().Frame, before+30)
	m.agree()
}
