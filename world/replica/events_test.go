package replica

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// hit sends an event about a tank.
func (a *arena) hit(of world.GameObject, n uint32, by world.GameObject) {
	s, e := hits.Send(a.s)
	world.EventColumn(e, victim)[0] = of
	world.EventColumn(e, hurt)[0] = n
	world.EventColumn(e, hitBy)[0] = by
	a.s = s
}

// A heard is an event as a client has it.
type heard struct {
	victim, by world.GameObject
	n          uint32
}

// heard returns the events since the last call.
func (c *client) heard() (all []heard) {
	s, got, _ := hitHeard.Receive(c.s)
	c.s = s
	for _, b := range got.Batches() {
		for i := range b.Len() {
			all = append(all, heard{
				world.EventColumn(b, victim)[i], world.EventColumn(b, hitBy)[i],
				world.EventColumn(b, hurt)[i],
			})
		}
	}
	return all
}

// seat returns the client's object for one of the server's.
func (c *client) seat(id world.GameObject) world.GameObject {
	for k := range c.conn.slots.all {
		if e := &c.conn.slots.all[k]; e.id == id && e.state == live {
			return c.m.slots[k].id
		}
	}
	return world.Nobody
}

// Events about objects that a client sees come once, in order, with its own objects; others do not.
func TestEventsComeToWhoeverSees(t *testing.T) {
	a := newArena(t, 100, 2, Options{}, link.Conditions{})
	near, far, hidden := a.spawn(vec{250, 250}), a.spawn(vec{255, 250}), a.spawn(vec{10, 10})
	a.clients[1].at = vec{10, 10}
	a.ticks(2)
	c := a.clients[0]
	mine, yours := c.seat(near), c.seat(far)
	require.NotEqual(t, world.Nobody, mine)
	for n := range uint32(5) {
		a.hit(near, n, far)
		a.hit(hidden, 100+n, near)
	}
	a.hit(near, 5, hidden)
	a.s = world.Must(world.Set(a.s, near, hp, uint16(1)))
	a.ticks(15)
	got := c.heard()
	require.Len(t, got, 6)
	for n, e := range got {
		by := yours
		if n == 5 {
			by = world.Nobody // the client does not see it
		}
		require.Equal(t, heard{mine, by, uint32(n)}, e)
	}
	require.Len(t, a.clients[1].heard(), 5)
	require.Equal(t, 6, c.conn.Stats().Events, "nothing is said again after it was acknowledged")

	// the last event of a tank that dies comes with its death, with the object that it was
	a.hit(near, 7, far)
	a.s = world.Must(world.Dispose(a.s, near))
	a.tick()
	require.Equal(t, []heard{{mine, yours, 7}}, c.heard())
	require.False(t, world.Alive(c.s, mine))

	// what goes out of sight is not spoken of
	a.s = world.Must(world.Set(a.s, far, place, vec{10, 11}))
	a.hit(far, 8, hidden)
	a.tick()
	require.Empty(t, c.heard())

	// the first event of a tank comes with it
	late := a.spawn(vec{250, 250})
	a.hit(late, 9, late)
	a.tick()
	require.Equal(t, []heard{{c.seat(late), c.seat(late), 9}}, c.heard())
}

// A waiting event names nobody if another object has got the slot of its subject.
func TestEventsThatWaitNameNobodyElse(t *testing.T) {
	a := newArena(t, 100, 1, Options{}, link.Conditions{})
	near, far := a.spawn(vec{250, 250}), a.spawn(vec{255, 250})
	a.ticks(2)
	c := a.clients[0]
	a.hit(near, 1, far)
	a.tick()
	p := c.conn.queue.at(c.conn.queue.next - 1)
	o, value := a.server.log.at(p.occasion)
	m := a.server.table.schema.messages[o.which]
	named := func() uint16 { return (&View{conn: c.conn}).slotsNow(m, value, 1, p.places)[1] }
	k := slices.IndexFunc(c.conn.slots.all, func(e slot) bool { return e.id == far })
	require.Equal(t, uint16(k+1), named())
	c.conn.slots.all[k].id = near
	require.Zero(t, named(), "another object has the slot")
}

// A client that says nothing is said nothing more than its events of ten ticks, and more than can
// wait is counted.
func TestEventsAreBounded(t *testing.T) {
	a := newArena(t, 100, 1, Options{}, link.Conditions{})
	c := a.clients[0]
	id := a.spawn(vec{250, 250})
	a.ticks(2)
	c.link = nowhere{}
	for tick := range 20 {
		for n := range 50 {
			a.hit(id, uint32(50*tick+n), world.Nobody)
		}
		a.tick()
		require.LessOrEqual(t, c.conn.queue.next-c.conn.queue.first, uint16(pending))
	}
	require.Positive(t, c.conn.Stats().Unsaid)
	a.ticks(repeats + 1)
	said := c.conn.Stats().Events
	a.tick()
	require.Equal(t, said, c.conn.Stats().Events)
	require.Zero(t, c.conn.queue.next-c.conn.queue.first)
}

// Events beyond the world's ring are saved before they are overwritten: a client gets the events
// that it sees, even if many others happen in the tick, also after a hand-over.
func TestEventsBeyondTheRing(t *testing.T) {
	a := newArenaOf(t, 100, 1, Options{}, link.Conditions{}, 3)
	c := a.clients[0]
	id, hidden := a.spawn(vec{250, 250}), a.spawn(vec{10, 10})
	a.ticks(2)
	c.heard()
	c.link = nowhere{}
	a.hit(id, 7, hidden)
	for n := range 500 {
		a.hit(hidden, uint32(n), id)
	}
	a.hit(id, 8, id)
	a.tick()
	a.handOver(a.server.AppendState(nil), 0)
	for n := range 500 {
		a.hit(hidden, uint32(n), id)
	}
	c.link = a.network.Link(1, 0)
	a.tick()
	require.Equal(t, []heard{{c.seat(id), world.Nobody, 7}, {c.seat(id), c.seat(id), 8}}, c.heard())
	require.Zero(t, c.conn.Stats().Missed)
	a.ticks(repeats + 1)
	for n := range 2 * maxEvents {
		a.hit(hidden, uint32(n), id)
	}
	a.tick()
	ring := len(a.server.log.ring)
	require.True(t, ring <= maxEvents && 2*ring > maxEvents)
	require.Equal(t, 2*maxEvents-ring, c.conn.Stats().Missed)
}

// mute is the end of a client whose datagrams do not arrive.
type mute struct{ link.Link }

func (mute) Send([]byte) {}

// An event is sent 10 times at most, in half of a datagram, with or after its object, and not of
// what died before or is out of sight.
func TestEventsHaveTheirTime(t *testing.T) {
	a := newArena(t, 100, 1, Options{}, link.Conditions{})
	c, v := a.clients[0], &a.server.views[0]
	id, gone, hidden := a.spawn(vec{250, 250}), a.spawn(vec{250, 250}), a.spawn(vec{250, 250})
	a.ticks(4)
	c.link = mute{c.link}
	a.hit(id, 1, world.Nobody)
	a.ticks(repeats + 5)
	require.Equal(t, 10, c.conn.Stats().Events)

	far := newArena(t, 9, 1, Options{}, link.Conditions{Delay: 2})
	id = far.spawn(vec{250, 250})
	far.ticks(8)
	far.hit(id, 1, world.Nobody)
	far.ticks(15)
	require.Equal(t, 3, far.clients[0].conn.Stats().Events, "until the first that arrived is known")

	id = world.Must(tool.GameObjectAt(a.s, 0))
	a.s = world.Must(world.Dispose(a.s, gone))
	a.s = world.Must(world.Set(a.s, hidden, place, vec{1, 1}))
	a.tick()
	a.s = world.Must(world.Dispose(a.s, hidden))
	a.hit(gone, 2, world.Nobody)
	a.tick()
	require.Equal(t, c.conn.queue.first, c.conn.queue.next)
	v.conn, v.state = c.conn, a.s
	require.NotZero(t, v.slotOf(gone))
	require.Zero(t, v.slotOf(hidden), "it died out of sight")

	for range 100 {
		a.hit(id, 3, world.Nobody)
	}
	a.tick()
	v.conn, v.state = c.conn, a.s
	require.LessOrEqual(t, v.reserve(400), 200)
	for room := 3 + 2 + 8; room < 400; room++ { // of a head, and steps, types and hits
		n := len(v.say(nil, room))
		require.LessOrEqual(t, n, room)
		require.Greater(t, max(n, 3)+wire.EventStep+8, room, "as many as there is room for")
	}
	k := slices.IndexFunc(c.conn.slots.all, func(e slot) bool { return e.id == id })
	c.conn.slots.all[k].ack, c.conn.slots.all[k].sent = 0, 0
	_, ok := v.about(&pend{slot: uint16(k)}, id)
	require.False(t, ok, "the client has to have the object first")
	v.conn, v.state = nil, world.State{}
}
