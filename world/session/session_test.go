package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/session"
)

// bad is a network with 100 ms of delay at 60 frames per second, on which one datagram in ten gets
// lost, and others overtake each other, come twice or broken.
var bad = link.Conditions{Delay: 6, Jitter: 3, Loss: 0.1, Duplicates: 0.05, Broken: 0.02, Seed: 1}

func TestPlayersAgreeOnEveryFrame(t *testing.T) {
	frames := 3000
	if !worldtest.AtLength() {
		frames = 300
	}
	lockstep := func(o *session.Options) { o.Window, o.Delay = -1, 3 }
	narrow := func(o *session.Options) { o.Window, o.Delay = 1, 0 }
	wide := func(o *session.Options) { o.Window, o.Delay = 15, 0 }
	for _, c := range []struct {
		name       string
		players    int
		conditions link.Conditions
		set        func(o *session.Options)
	}{
		{"perfect network", 2, link.Conditions{}, nil},
		{"two players", 2, bad, nil},
		{"two players who predict a lot", 2, bad, wide},
		{"two players who predict little", 2, bad, narrow},
		{"two players in lockstep", 2, bad, lockstep},
		{"three players", 3, bad, nil},
		{"four players", 4, bad, nil},
		{"four players who predict a lot", 4, bad, wide},
		{"half is lost", 3, link.Conditions{Delay: 1, Loss: 0.5, Duplicates: 0.5, Seed: 2}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMatch(t, c.players, c.conditions, c.set)
			for range frames {
				require.NoError(t, m.frame())
			}
			agreed := m.agree()
			assert.Greater(t, agreed, frames/10)
			for player, s := range m.sessions {
				st := s.Status()
				t.Logf("player %d: %+v, %d agreed", player, st, agreed)
				assert.Equal(t, frames, st.Frame+st.Waited)
				require.NoError(t, tool.Verify(m.states[player]))
			}
		})
	}
}

func TestWithinTheWindowNobodyWaits(t *testing.T) {
	for delay, network := range map[int]int{0: 6, 5: 3} {
		m := newMatch(t, 2, link.Conditions{Delay: network, Seed: 1}, func(o *session.Options) {
			o.Delay = max(delay, 2)
		})
		for range 600 {
			require.NoError(t, m.frame())
		}
		st := m.sessions[0].Status()
		assert.Equal(t, []int{0, 600}, []int{m.waited, st.Frame})
		assert.Equal(t, delay < network, st.Rollbacks > 0, "a longer delay needs no rollback")
		assert.LessOrEqual(t, st.Longest, 8)
	}
}

func TestAStepWaitsForOthersAndSaysSo(t *testing.T) {
	m := newMatch(t, 2, link.Conditions{}, nil)
	s, state := m.sessions[0], m.states[0]
	var err error
	for range 8 {
		state = world.Must(s.Advance(state, []byte{1}))
	}
	before := world.Digest(state)
	for range 5 {
		state, err = s.Advance(state, []byte{2})
		require.ErrorIs(t, err, session.ErrWaiting)
	}
	assert.Equal(t, before, world.Digest(state))
	st := s.Status()
	assert.Equal(t, []session.Player{
		{Known: 10, Left: -1}, {Known: 0, Silence: 13, Lag: 8, Left: -1},
	}, st.Players)
	st.Players = nil
	assert.Equal(t, session.Status{Frame: 8, Confirmed: 0, Waited: 5, Ahead: st.Ahead}, st)
}

func TestAnErrorOfAHistoryLosesNothing(t *testing.T) {
	m := newMatch(t, 2, bad, nil)
	reading := world.NewQuery(world.Read(speed))
	for range 100 {
		m.network.Step()
		for player, s := range m.sessions {
			for range reading.In(m.states[player]) {
				if _, err := s.Advance(m.states[player], []byte{1}); !errors.Is(err, session.ErrWaiting) {
					require.ErrorIs(t, err, world.ErrWalking)
				}
				break
			}
			require.NoError(t, m.advance(player))
			st := s.Status()
			require.Equal(t, st.Frame+2, st.Players[player].Known, "only inputs of steps are used")
		}
	}
	require.Greater(t, m.agree(), 50)
}

// goesWrong makes the step of frame 100 of the last player go wrong.
func goesWrong(o *session.Options) {
	if o.Local != len(o.Links)-1 {
		return
	}
	o.Step = func(s world.State, inputs []byte) world.State {
		if world.Tick(s) == 101 { // of frame 100
			v := world.GetRow(s, speed, 7)
			v[1] += 1. / 1024
			s = world.SetRow(s, speed, 7, v)
		}
		return push(s, inputs)
	}
}

func TestADesyncIsFoundAndLocated(t *testing.T) {
	for _, c := range []struct {
		name       string
		players    int
		conditions link.Conditions
		found      int // frames later
	}{
		{"perfect network", 2, link.Conditions{}, 3},
		{"two players", 2, bad, 10 + bad.Delay},
		{"three players", 3, bad, 10 + bad.Delay},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMatch(t, c.players, c.conditions, goesWrong)
			var desync *session.DesyncError
			frames := 0
			for ; desync == nil; frames++ {
				require.Less(t, frames, 200)
				if err := m.frame(); err != nil {
					require.ErrorAs(t, err, &desync)
				}
			}
			assert.Equal(t, 101, desync.Frame, "the first frame that differs")
			assert.LessOrEqual(t, frames-101, c.found)
			assert.NotEqual(t, desync.Digests[0], desync.Digests[1])
			require.ErrorContains(t, desync, "desync before frame 101: player ")
			everyoneHears(m)
			note := noteDesync(t, m)
			assert.Equal(t, "desync 101", fmt.Sprint(note.What, " ", note.Frame))
			assert.Contains(t, note.Text, "Silence:")

			last := m.sessions[c.players-1]
			d, differ := world.Must2(m.sessions[0].History().FirstDifference(last.History()))
			require.True(t, differ)
			assert.Equal(t, 101, d.Frame)
			assert.Equal(t, uint32(7), d.Object.Index())
			assert.Equal(t, "pushed body", d.Kind)
			assert.Equal(t, "push speed", d.Field)
		})
	}
}

// noteDesync returns the note in a recording by the first player.
func noteDesync(t *testing.T, m *match) record.Note {
	t.Helper()
	var file bytes.Buffer
	rec := world.Must(record.New(&file, m.states[0], record.Options{}))
	seat := Seat{state: m.states[0], session: m.sessions[0], rec: rec}
	seat.recorded, _ = seat.session.History().Frames()
	require.ErrorContains(t, seat.Frame([]byte{3}), "desync before frame 101")
	require.NoError(t, rec.Close())
	past := world.Must(record.ReadFrom(bytes.NewReader(file.Bytes()), int64(file.Len())))
	require.NoError(t, past.Replay(world.CountsOf(seat.state), push, record.Options{}, nil))
	return past.Notes[0]
}

// everyoneHears checks that a desync stops all players, and that informed players continue to
// inform the others.
func everyoneHears(m *match) {
	for range 60 {
		_ = m.frame()
	}
	for player, s := range m.sessions {
		before := world.Digest(m.states[player])
		var desync *session.DesyncError
		require.ErrorAs(m.t, m.advance(player), &desync, "player %d", player)
		assert.Equal(m.t, before, world.Digest(m.states[player]))
		assert.Equal(m.t, 101, desync.Frame)
		assert.Less(m.t, s.Status().Frame, 130)
	}
}

func TestAnotherBeginningIsADesync(t *testing.T) {
	m := newMatch(t, 2, link.Conditions{}, nil)
	m.states[1] = push(m.states[1], []byte{0, 0})
	var err error
	for i := 0; err == nil; i++ {
		require.Less(t, i, 10)
		err = m.frame()
	}
	var desync *session.DesyncError
	require.ErrorAs(t, err, &desync)
	assert.Zero(t, desync.Frame)
	assert.ErrorContains(t, err, "began with another world")
}

func TestWhoIsFasterIsAhead(t *testing.T) {
	for _, delay := range []int{0, 4} {
		t.Run(fmt.Sprint("delay of ", delay), func(t *testing.T) {
			m := newMatch(t, 2, link.Conditions{Delay: delay}, func(o *session.Options) { o.Window = 15 })
			for range 5 { // a head start
				m.network.Step()
				require.NoError(t, m.advance(0))
			}
			for range 100 {
				require.NoError(t, m.frame())
			}
			assert.InDelta(t, 5, m.sessions[0].Status().Ahead, 1)
			assert.Zero(t, m.sessions[1].Status().Ahead)
		})
	}
}

func TestAllocsOfASession(t *testing.T) {
	m := newMatch(t, 2, bad, nil)
	input := []byte{0}
	var rolled int
	frame := func() {
		m.network.Step()
		input[0]++
		for player, s := range m.sessions {
			m.states[player], _ = s.Advance(m.states[player], input)
		}
	}
	for range 100 {
		frame()
	}
	rolled = m.sessions[0].Status().Rollbacks
	assert.Zero(t, testing.AllocsPerRun(200, frame))
	assert.Greater(t, m.sessions[0].Status().Rollbacks, rolled)
}

func TestOptionsThatDoNotFitPanic(t *testing.T) {
	links := link.NewNetwork(2, link.Conditions{}).Links(0)
	state := arena(t, 1)
	for want, change := range map[string]func(o *session.Options){
		"1 players; give a link for each":     func(o *session.Options) { o.Links = links[:1] },
		"player 2 of 2; Local counts from 0":  func(o *session.Options) { o.Local = 2 },
		"inputs of 5000 bytes; have them fit": func(o *session.Options) { o.InputBytes = 5000 },
		"a delay of 65, a window of 0":        func(o *session.Options) { o.Delay = 65 },
		"nobody ever begins":                  func(o *session.Options) { o.Window = -1 },
		"a default input of 2 bytes; Options": func(o *session.Options) { o.Default = []byte{1, 2} },
		"no step; set Options.Step":           func(o *session.Options) { o.Step = nil },
		"the link of player 0; all but":       func(o *session.Options) { o.Local = 1 },
	} {
		t.Run(want, func(t *testing.T) {
			o := session.Options{Links: links, Step: push, InputBytes: 1}
			change(&o)
			defer func() { assert.Contains(t, recover(), want) }()
			_, _ = session.New(state, o)
		})
	}
	s := world.Must(session.New(state, session.Options{Links: links, Step: push, InputBytes: 1}))
	assert.PanicsWithValue(t, "session: an input of 2 bytes; Options.InputBytes says 1",
		func() { _, _ = s.Advance(state, []byte{1, 2}) })
	for _, wrong := range [][2]int{{0, 0}, {2, 0}, {-1, 0}, {1, 1025}} {
		worldtest.PanicsWith(t, func() { s.Drop(wrong[0], wrong[1]) }, "player 0 of 2 drops", "up to 1024")
	}
}

func TestSyncTestOfAGoodStep(t *testing.T) {
	state, alone := arena(t, 8), arena(t, 8)
	again := 0
	test, err := session.NewSyncTest(state, 6, 2, func(s world.State, inputs []byte) world.State {
		if history.Resimulating(s) {
			again++
		}
		return push(s, inputs)
	})
	require.NoError(t, err)
	for frame := range 50 {
		inputs := []byte{byte(frame * 7), byte(frame * 31)}
		state = world.Must(test.Advance(state, inputs))
		alone = push(alone, inputs)
		require.Equal(t, world.Digest(alone), world.Digest(state))
		require.False(t, history.Resimulating(state))
	}
	assert.Equal(t, 1+2+3+4+5+45*6, again)
}

func TestSyncTestFindsWhatAStepHides(t *testing.T) {
	state := arena(t, 8)
	calls := 0 // what a step must not depend on
	first := uint64(0)
	test, err := session.NewSyncTest(state, 4, 1, func(s world.State, inputs []byte) world.State {
		if calls++; world.Tick(s) == 10 {
			s = world.SetRow(s, speed, 3, [2]float32{float32(calls), 0})
		}
		again := history.Resimulating(s)
		if s = push(s, inputs); !again {
			first = world.Digest(s)
		}
		return s
	})
	require.NoError(t, err)
	for frame := 0; err == nil; frame++ {
		require.Less(t, frame, 20)
		state, err = test.Advance(state, []byte{3})
	}
	var desync *session.DesyncError
	require.ErrorAs(t, err, &desync)
	assert.Equal(t, 10, desync.Frame)
	assert.Equal(t, -1, desync.Player)
	assert.Equal(t, uint32(3), desync.Difference.Object.Index())
	assert.Equal(t, "push speed", desync.Difference.Field)
	require.ErrorContains(t, err, "see that it depends on the world's bytes and the input alone")
	assert.Equal(t, first, world.Digest(state), "as after the first run")
	state, err = test.Advance(state, []byte{3})
	require.ErrorIs(t, err, desync)
	assert.Equal(t, first, world.Digest(state))
}

func TestASyncTestGoesOnAfterAPanic(t *testing.T) {
	state := arena(t, 8)
	panics := 0
	test := world.Must(session.NewSyncTest(state, 4, 1, func(s world.State, inputs []byte) world.State {
		if panics--; panics == 0 {
			panic("cut")
		}
		return push(s, inputs)
	}))
	for frame := range 12 {
		if frame == 6 {
			panics = 1
			require.Panics(t, func() { _, _ = test.Advance(state, []byte{1}) })
			state = world.Must(world.Recovered(state))
		}
		state = world.Must(test.Advance(state, []byte{byte(frame)}))
	}
}

var (
	speed = layout.NewField[[2]float32]("push speed") // world units per step; x, z
	body  = layout.NewKind("pushed body", speed)
	spark = layout.NewMark("spark")

	pushing = world.NewQuery(world.Write(heroes.Position, speed))
)

// push is a step in which each player, by one byte, pushes all of its bodies, and creates and
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

// frame advances every present player, and returns the first error other than waiting.
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

// agree checks that all present players have the same digest of every final frame, and returns the
// number of frames that all have.
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
