package replica

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

// What is on its way is sent again after some ticks, and at once if it changes, be it a reference.
func TestWhatIsOnItsWayWaits(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	c := a.clients[0]
	one, two := a.spawn(vec{250, 250}), a.spawn(vec{251, 250})
	for range 10 {
		a.tick()
	}
	require.False(t, c.conn.acknowledge(c.conn.sequence, 0), "what was not sent")
	require.False(t, c.conn.acknowledge(c.conn.sequence-1-packets, 0), "what is forgotten")
	deaf := c.link // acknowledges nothing from now on
	c.link = lostLink{}
	updated := func() (n int) {
		before := c.conn.Stats()
		a.tick()
		after := c.conn.Stats()
		require.Equal(t, before.Entered, after.Entered)
		return after.Updated - before.Updated
	}
	require.Zero(t, updated())
	a.s = world.Must(world.Set(a.s, one, hp, uint16(3)))
	require.Equal(t, []int{1, 0, 0, 0, 1, 0}, []int{updated(), updated(), updated(), updated(), updated(), updated()})
	a.s = world.Must(world.Set(a.s, one, aim, two))
	require.Equal(t, []int{1, 0}, []int{updated(), updated()})
	a.s = world.Must(world.Set(a.s, one, hp, uint16(4)))
	require.Equal(t, []int{1, 0, 0, 0, 1}, []int{updated(), updated(), updated(), updated(), updated()})
	left := func() int {
		before := c.conn.Stats().Left
		a.tick()
		return c.conn.Stats().Left - before
	}
	a.s = world.Must(world.Set(a.s, two, place, vec{1, 1}))
	require.Equal(t, []int{1, 0, 0, 0, 1, 0}, []int{left(), left(), left(), left(), left(), left()})
	require.Equal(t, 1, c.conn.slotsOf(leaving))
	for b, ok := deaf.Receive(); ok; b, ok = deaf.Receive() {
		_ = b
	}
	c.link = deaf
	for range 8 {
		a.tick()
	}
	require.Zero(t, left())
	require.Zero(t, c.conn.slotsOf(leaving))
	require.Equal(t, 1, world.Len(c.s))
	require.Equal(t, c.m.Tick(), c.m.Whole())
}

// slotsOf returns the number of slots in a state.
func (c *Conn) slotsOf(what state) (n int) {
	for k := range c.slots {
		if c.slots[k].state == what {
			n++
		}
	}
	return n
}

// A reference may come before its object, whose datagram was lost: it is shown as soon as the
// object is there.
func TestReferencesThatComeFirst(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	c, now := a.clients[0], time.Duration(0)
	one := a.spawn(vec{250, 250})
	for range 10 {
		a.tick()
	}
	aims := func() world.GameObject {
		a.tick()
		now += time.Second
		c.s = c.m.Present(c.s, now)
		return world.Must(world.Get(c.s, c.m.slots[0].id, aim))
	}
	two := a.spawn(vec{251, 250})
	there := c.link
	c.link = lostLink{}
	a.tick()
	for b, ok := there.Receive(); ok; b, ok = there.Receive() {
		_ = b
	}
	c.link = there
	a.s = world.Must(world.Set(a.s, one, aim, two))
	for range 3 { // until the second object is sent again
		require.Equal(t, world.Nobody, aims())
		require.EqualValues(t, 2, c.m.latest(0)[seen.refs[0].at], "of slot 1")
		require.Equal(t, 1, world.Len(c.s))
	}
	for range 4 {
		aims()
	}
	require.Equal(t, c.m.slots[1].id, aims())
}
