package replica

import (
	"math"
	"testing"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
	"github.com/stretchr/testify/require"
)

const tickTime = 50 * time.Millisecond

// After a pause, a client goes on with one tick, and does not catch up.
func TestPausesAreNotCaughtUpWith(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	m := a.clients[0].m
	due := func(now time.Duration) (n int) {
		for m.Due(now) {
			n++
		}
		return n
	}
	require.Equal(t, 1, due(0))
	require.InDelta(t, 3, due(3*tickTime), 1)
	require.Equal(t, 1, due(time.Minute))
}

// What is shown follows what comes, is never before it, and goes neither back nor far behind.
func TestShownFollowsWhatCame(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	c := a.clients[0]
	a.ticks(2)
	m, now := c.m, time.Duration(0)
	behind := func() float64 { return float64(m.base) - m.clock.shown }
	present := func(after time.Duration) {
		now += after
		c.s = m.Present(c.s, now)
		require.GreaterOrEqual(t, behind(), 0.)
	}
	present(0)
	for range 300 { // the server is 5 % faster than it says
		m.base++
		present(tickTime * 100 / 105)
		require.Less(t, behind(), 4., "and nothing jumps")
	}
	require.InDelta(t, 2, behind(), 1)
	was := m.clock.shown
	present(-time.Second)
	require.GreaterOrEqual(t, m.clock.shown, was)
	for range 20 { // nothing comes
		present(tickTime)
	}
	require.Less(t, behind(), 1.)
	m.base += 1000
	present(tickTime)
	require.InDelta(t, 2, behind(), 0.01, "a jump")
}

// What is predicted is shown as predicted, whatever came since the last step, and steps are taken
// again when something came.
func TestPredictionsStayUntilTheNextStep(t *testing.T) {
	h := newShooting(t, link.Conditions{Delay: 2})
	for tick := range 40 {
		h.tick(tick, 0)
	}
	predicted := func() vec { return world.Must(world.Get(h.c.s, h.c.seat(h.c.own), place)) }
	again, was := h.p.Again(), predicted()
	h.c.s = h.p.Step(h.c.s, []byte{0})
	require.Equal(t, again, h.p.Again(), "no news")
	require.NotEqual(t, was, predicted())
	was = predicted()
	h.s = world.Advance(h.s)
	h.serve()
	for range 3 {
		h.network.Step()
		h.c.take()
	}
	require.True(t, h.c.m.updated)
	h.c.s = h.c.m.Present(h.c.s, 41*tickTime)
	require.Equal(t, was, predicted())
	h.p.step = func(s world.State, _ []byte) world.State {
		if h.p.number < h.p.next-1 || h.p.repeats {
			var id world.GameObject
			s, id = h.p.Spawn(s)
			require.Equal(t, world.Nobody, id, "nothing new is spawned in a step that is taken again")
		}
		return s
	}
	h.c.s = h.p.Step(h.c.s, []byte{0})
	require.Greater(t, h.p.Again(), again)
	require.Empty(t, h.c.m.guesses)
}

// A datagram to the server has at most as many inputs as wait there, and as fit.
func TestInputsFitIntoADatagram(t *testing.T) {
	for _, size := range []int{0, 1, 200} {
		a := newArena(t, 20, 1, Options{Input: size}, link.Conditions{})
		c := a.clients[0]
		p := NewPredictor(c.m, size, func(s world.State, _ []byte) world.State { return s })
		for range 50 {
			c.s = p.Step(c.s, make([]byte, size))
		}
		b := c.m.Append(nil, p)
		require.LessOrEqual(t, len(b), link.MaxDatagram)
		require.EqualValues(t, min(waiting, (link.MaxDatagram-wire.UpSize)/max(size, 1)), b[wire.UpSize-1])
	}
}

// A field that is not smooth was what it was in the tick before.
func TestWasOfWhatIsNotSmooth(t *testing.T) {
	a := newArena(t, 20, 0, Options{}, link.Conditions{})
	a.server = NewServer(a.s, NewSchema(shownAs, Field(place, Fixed(0, size, 16).Delta())), a.options)
	c, id := a.server.Accept(nowhere{}), a.spawn(vec{0, 0})
	for tick := range 12 {
		a.s = world.Advance(a.s)
		a.s = world.Must(world.Set(a.s, id, place, vec{float32(10 * tick), 0}))
		a.send()
	}
	c.line.base = a.server.table.tick
	in := Input{Seen: Moment(c.line.base<<8 - 8<<8 + 128)}
	require.InDelta(t, 7.5, c.Back(in), 0)
	at, ok := Was(c, in, place, id)
	require.True(t, ok)
	require.InDelta(t, 30, at[0], 0.01)
}

// Corrections of angles turn the shorter way.
func TestCorrectionsTurnTheShorterWay(t *testing.T) {
	h := newShooting(t, link.Conditions{})
	for tick := range 20 {
		h.tick(tick, 0)
	}
	NewPredictor(h.c.m, 1, h.step, Soften(heading, pace, 1), Soften(place, softly, 1))
	require.False(t, h.c.m.soft.fields[1].turns)
	id := h.c.m.slots[0].id
	h.c.s = world.Must(world.Set(h.c.s, id, heading, -3.1))
	was := []float32{3.1}
	require.True(t, h.c.m.soft.fields[0].correction(h.c.s, id, was))
	require.InDelta(t, 6.2-2*math.Pi, was[0], 0.001)
}
