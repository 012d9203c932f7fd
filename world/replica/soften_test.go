package replica

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

// A correction goes on from what is left of the one before, which is nothing after its time.
func TestCorrectionsAddUp(t *testing.T) {
	h := newShooting(t, link.Conditions{})
	for tick := range 20 {
		h.tick(tick, 0)
	}
	p := h.p
	at := world.Must(world.Get(h.c.s, h.c.m.slots[0].id, place))
	for since, left := range map[time.Duration]float32{
		0: 6, wearing / 2: 4, wearing: 2, 3 * wearing: 2,
	} {
		p.lanesOf(p.worn, 0)[0], p.corrected[0] = 4, p.mirror.clock.now-since
		copy(p.lanesOf(p.was, 0), []float32{at[0] + 2, at[1]})
		p.correct(h.c.s)
		require.InDelta(t, left, p.lanesOf(p.worn, 0)[0], 0.01, "%v after it", since)
		require.Equal(t, unseen, p.corrected[0])
	}
}

// Corrections of angles turn the shorter way.
func TestCorrectionsTurnTheShorterWay(t *testing.T) {
	h := newShooting(t, link.Conditions{})
	for tick := range 20 {
		h.tick(tick, 0)
	}
	p := NewPredictor(h.c.m, 1, h.step, Soften(heading, pace, 1), Soften(place, softly, 1))
	require.False(t, p.soft[1].turns)
	id := h.c.m.slots[0].id
	h.c.s = world.Must(world.Set(h.c.s, id, heading, -3.1))
	was := []float32{3.1}
	require.True(t, p.soft[0].correction(h.c.s, id, was))
	require.InDelta(t, 6.2-2*math.Pi, was[0], 0.001)
}

// Own objects are shown as they came last, predicted or not.
func TestOwnObjectsAreNotShownLate(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	c := a.clients[0]
	c.own = a.spawn(vec{250, 250})
	for tick := range 20 {
		at := vec{250, 250 + float32(tick)}
		a.s = world.Must(world.Set(a.s, c.own, place, at))
		a.tick()
		if c.s = c.m.Present(c.s, time.Duration(tick)*tickTime); tick > 3 {
			require.Equal(t, at, world.Must(world.Get(c.s, c.seat(c.own), place)))
		}
	}
}
