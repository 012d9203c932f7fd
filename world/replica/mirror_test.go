package replica

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

// A mirror takes each datagram once, and acknowledges the last one and those of the 32 before it
// that came.
func TestMirrorsRememberWhatCame(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	c := a.clients[0]
	a.tick()
	a.tick()
	s, err := c.m.Apply(c.s, c.latest)
	require.NoError(t, err)
	c.s = s
	require.Equal(t, 1, c.m.Late())

	m := NewMirror(c.s, seen, 8, Show{})
	for _, came := range []struct {
		sequence, last uint16
		before         uint32
	}{
		{5, 5, 0},
		{37, 37, 1 << 31},
		{38, 38, 1},
		{38, 38, 1},
		{12, 38, 1},
		{40, 40, 0b110},
		{73, 73, 0},
		{74, 74, 1},
	} {
		m.note(came.sequence)
		require.Equal(t, came.last, m.last)
		require.Equal(t, came.before, m.before, "after %d", came.sequence)
	}
}

// An object that comes to the slot of another one was never where that one was.
func TestSlotsBeginAnew(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	c, now := a.clients[0], time.Duration(0)
	shown := func() (at vec) {
		a.tick()
		now += 50 * time.Millisecond
		c.s = c.m.Present(c.s, now)
		if id := c.m.slots[0].id; id != world.Nobody {
			at = world.Must(world.Get(c.s, id, place))
		}
		return at
	}
	first := a.spawn(vec{250, 250})
	for i := range 10 {
		a.s = world.Must(world.Set(a.s, first, place, vec{250, 250 + float32(i)}))
		shown()
	}
	a.s = world.Must(world.Dispose(a.s, first))
	shown()
	shown()
	second := a.spawn(vec{280, 220})
	for i := range 6 {
		if at := shown(); i > 0 {
			require.InDelta(t, 220, at[1], 0.01, "tick %d", i)
		}
	}
	require.Equal(t, second, c.conn.slots[0].id)
}

// A reference to a slot is to nobody when its object left, be there another one before the server
// says so.
func TestReferencesAreNotToTheNextOne(t *testing.T) {
	s := world.Must(world.CreateState(seen.Counts(8)))
	defer func() { world.Close(s) }()
	m := NewMirror(s, seen, 8, Show{})
	others, now := seen.masks[0], time.Duration(0)
	aims := func(b []byte) world.GameObject {
		next, err := m.Apply(s, b)
		require.NoError(t, err)
		now += time.Second
		s = m.Present(next, now)
		return world.Must(world.Get(s, m.slots[2].id, aim))
	}
	enter := func(slots ...uint64) forgedGroup {
		return forgedGroup{groupEnter, uint64(others), slots, widthOf(others) * len(slots), nil}
	}
	require.Equal(t, world.Nobody, aims(forge(1, 0, enter(0, 2))))
	ref := forgedGroup{0, 1 << 9, []uint64{2}, 0, []byte{1, 0}}
	for tick := range uint32(3) { // two ticks behind
		aims(forge(2+tick, 0, ref))
	}
	require.Equal(t, m.slots[0].id, aims(forge(5, 0)))
	require.Equal(t, world.Nobody, aims(forge(8, 0, forgedGroup{groupLeave, 0, []uint64{0}, 0, nil})))
	require.Equal(t, world.Nobody, aims(forge(11, 0, enter(0))))
}

// An own object that comes to the slot of another one has nothing to wear off.
func TestCorrectionsAreOfOneObject(t *testing.T) {
	h := newShooting(t, link.Conditions{})
	tick := 0
	pass := func(n int) {
		for range n {
			h.tick(tick, 0)
			tick++
		}
	}
	pass(20)
	require.Equal(t, h.c.own, h.c.conn.slots[0].id)
	h.s = world.Must(world.Dispose(h.s, h.c.own))
	h.c.own = world.Nobody
	h.see = func(v *View, c *Conn) {
		if h.c.own != world.Nobody {
			v.Own(h.c.own)
		}
	}
	for range 4 {
		h.s = world.Advance(h.s)
		h.tickOf()
	}
	require.Empty(t, h.c.conn.slotsOf(live))
	h.p.lanesOf(h.p.worn, 0)[0], h.p.corrected[0] = 5, unseen
	h.c.own = h.spawn(vec{300, 250})
	for h.c.seat(h.c.own) == world.Nobody {
		pass(1)
	}
	mine := h.c.m.slots[0].id
	require.Equal(t, mine, h.c.seat(h.c.own))
	require.Equal(t, world.Must(world.Get(h.c.s, mine, place)), world.Must(world.Get(h.c.s, mine, softly)))
}

// What came near stays until it is farther away than that.
func TestNearHasTwoRadii(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	id := a.spawn(vec{size / 2, size / 2})
	for _, c := range []struct {
		away float32
		sees int
	}{{65, 0}, {59, 1}, {65, 1}, {68, 1}, {70, 0}, {65, 0}} { // 60 and 69
		a.s = world.Must(world.Set(a.s, id, place, vec{size/2 + c.away, size / 2}))
		a.tick()
		a.tick()
		require.Equal(t, c.sees, world.Len(a.clients[0].s), "%v away", c.away)
	}
}
