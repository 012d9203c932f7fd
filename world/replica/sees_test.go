package replica

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

func TestSeesIsWhatWasNamed(t *testing.T) {
	a := newArena(t, 100, 1, Options{}, link.Conditions{})
	c := a.clients[0]
	c.own = a.spawn(vec{250, 250})
	near := a.spawn(vec{255, 250})
	a.spawn(vec{10, 10})
	a.tick()
	require.Equal(t, `client 0 sees 2 objects at tick 1
slot 0    0        own  entering, lacks all of it
slot 1    1             entering, lacks all of it
`, string(c.conn.AppendSees(nil)))
	c.link.Send(c.m.Append(nil, nil))
	a.tick()
	a.s = world.Must(world.Set(a.s, c.own, hp, uint16(5)))
	a.s = world.Must(world.Set(a.s, c.own, ammo, uint32(5)))
	a.s = world.Must(world.Set(a.s, near, ammo, uint32(5)))
	a.s = world.Must(world.Add(a.s, near, burning))
	a.s = world.Must(world.Set(a.s, near, aim, c.own))
	a.tick()
	require.Equal(t, `client 0 sees 2 objects at tick 3
slot 0    0        own  has tick 1, lacks hp, ammo
slot 1    1             has tick 1, lacks its kinds, aim
`, string(c.conn.AppendSees(nil)))
	a.s = world.Must(world.Set(a.s, near, place, vec{10, 10}))
	a.tick()
	var all []Sight
	for s := range c.conn.Sees() {
		all = append(all, s)
	}
	require.Len(t, all, 2)
	require.Equal(t, Sight{ID: near, Slot: 1, Leaving: true, Weight: 4, Has: 3, Sent: 4}, all[1])
	require.Contains(t, string(c.conn.AppendSees(nil)), "slot 1    1             leaving\n")
	a.tick()
	a.tick()
	require.Equal(t, "client 0 sees 1 objects at tick 6\nslot 0    0        own  has tick 3\n",
		string(c.conn.AppendSees(nil)))
	for range c.conn.Sees() {
		break
	}
}
