package replica

import (
	"testing"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
	"github.com/stretchr/testify/require"
)

// Inputs wait up to 32 ahead, each as it came first, and those that never come are left out.
func TestInputsWait(t *testing.T) {
	n := inputs{size: 1, bytes: make([]byte, waiting)}
	n.reset()
	next := func() (number int) {
		in, ok := n.next()
		if !ok {
			return -1
		}
		require.Equal(t, byte(in.Number), in.Bytes[0])
		return int(in.Number)
	}
	for _, number := range []uint16{waiting + 1, waiting, 0, 2} {
		n.put(number, 0, []byte{byte(number)})
	}
	n.put(2, 0, []byte{99}) // came before
	require.Equal(t, 2, next())
	require.EqualValues(t, 1, n.slack)
	require.Equal(t, waiting, next())
	require.EqualValues(t, 0, n.slack)
	n.slack = 5
	require.Equal(t, -1, next())
	require.EqualValues(t, -1, n.slack)
	for range 300 {
		require.Equal(t, -1, next())
	}
	require.EqualValues(t, -100, n.slack)

	n.put(waiting+2, 0, []byte{waiting + 2})
	n.skipTo(waiting + 1) // nothing is left out
	n.skipTo(2)           // nor is the past
	require.EqualValues(t, waiting, n.used)
	n.skipTo(200)
	require.Equal(t, -1, next(), "what came before the silence is over")
	n.put(200, 0, []byte{200})
	require.Equal(t, 200, next())
	n.put(200+waiting, 0, []byte{200 + waiting})
	require.Equal(t, 200+waiting, next(), "in the last place")
}

// What a client sends is heard as a whole, or not at all.
func TestWrongDatagramsAreNotHeard(t *testing.T) {
	a := newArena(t, 20, 1, Options{Input: 1}, link.Conditions{})
	c := a.clients[0]
	p := NewPredictor(c.m, 1, func(s world.State, _ []byte) world.State { return s })
	a.ticks(3)
	c.s = p.Step(c.s, []byte{7})
	good := c.m.Append(nil, p)
	heard := func(b []byte) bool {
		refused := c.conn.Stats().Refused
		c.conn.heard = 0
		c.conn.read(wire.Seal(b))
		require.Equal(t, c.conn.heard == 0, c.conn.Stats().Refused > refused)
		require.Equal(t, c.conn.heard == 0, c.conn.inputs.has == 0)
		return c.conn.heard != 0
	}
	require.False(t, heard(append(append([]byte(nil), good...), 0)), "too long")
	require.False(t, heard(append([]byte(nil), good[:len(good)-1]...)), "too short")
	forged := append([]byte(nil), good...)
	le.PutUint16(forged[13:], c.conn.line.sequence)
	require.False(t, heard(forged), "what was not sent")
	c.conn.phase = refused
	require.False(t, heard(good), "of another schema, before")
	c.conn.phase = joined
	require.True(t, heard(good))
	in, ok := c.conn.inputs.next()
	require.True(t, ok)
	require.Equal(t, []byte{7}, in.Bytes)
}

// Steps that are taken again begin with the first input that the server has not used, of those that
// are kept, and with none if the server is ahead.
func TestFirstOfTheInputs(t *testing.T) {
	for _, c := range []struct{ used, next, first uint16 }{
		{0, 1, 1},
		{0, 11, 1},
		{4, 11, 5},
		{10, 11, 11},
		{500, 10, 10},
		{0, kept + 7, 7},
		{65530, 3, 65531},
	} {
		p := Predictor{mirror: &Mirror{used: c.used}, next: c.next}
		require.Equal(t, c.first, p.first(), "%+v", c)
	}
}

// What is on its way is sent again after some ticks, and at once if it changes, be it a reference.
func TestWhatIsOnItsWayWaits(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	c := a.clients[0]
	one, two := a.spawn(vec{250, 250}), a.spawn(vec{251, 250})
	a.ticks(10)
	require.False(t, c.conn.line.acknowledge(c.conn.line.sequence, 0, 0), "what was not sent")
	require.False(t, c.conn.line.acknowledge(c.conn.line.sequence-1-packets, 0, 0), "what is forgotten")
	deaf := c.link // acknowledges nothing from now on
	c.link = nowhere{}
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
	a.ticks(8)
	require.Zero(t, left())
	require.Zero(t, c.conn.slotsOf(leaving))
	require.Equal(t, 1, world.Len(c.s))
	require.Equal(t, c.m.Tick(), c.m.Whole())
}

// slotsOf returns the number of slots in a state.
func (c *Conn) slotsOf(what state) (n int) {
	for k := range c.slots.all {
		if c.slots.all[k].state == what {
			n++
		}
	}
	return n
}
