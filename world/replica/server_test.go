package replica

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
	"github.com/stretchr/testify/require"
)

// steer moves a tank, on both ends.
func steer(s world.State, id world.GameObject, input []byte) world.State {
	at, err := world.Get(s, id, place)
	if err != nil {
		return s
	}
	at[0] = min(size, max(0, at[0]+float32(float32(int8(input[0]))/8)))
	at[1] = min(size, max(0, at[1]+float32(float32(int8(input[1]))/8)))
	return world.Must(world.Set(s, id, place, at))
}

// driver plays one client with inputs and predictions.
type driver struct {
	*client
	p     *Predictor
	shown map[uint16]vec // after each input, as the client had it
	r     *rand.Rand
}

func newDriver(c *client) *driver {
	d := &driver{client: c, shown: map[uint16]vec{}, r: rand.New(rand.NewPCG(3, 3))}
	d.p = NewPredictor(c.m, 2, func(s world.State, input []byte) world.State {
		for id := range c.m.Own() {
			s = steer(s, id, input)
		}
		return s
	})
	return d
}

func (d *driver) frame(t *testing.T, now time.Duration) {
	t.Helper()
	d.take()
	for d.m.Due(now) {
		others := d.others()
		d.s = d.p.Step(d.s, []byte{byte(d.r.IntN(9) - 4), byte(d.r.IntN(9) - 4)})
		require.Equal(t, others, d.others(), "a step moves own objects alone")
		for id := range d.m.Own() {
			d.shown[d.p.next-1] = world.Must(world.Get(d.s, id, place))
		}
		d.link.Send(d.m.Append(nil, d.p))
	}
	d.s = d.m.Present(d.s, now)
}

// others are the places of the objects that are not the client's own.
func (d *driver) others() (at []vec) {
	for k := range d.m.slots {
		if e := &d.m.slots[k]; e.id != world.Nobody && !e.own {
			at = append(at, world.Must(world.Get(d.s, e.id, place)))
		}
	}
	return at
}

// A client has its own objects where the server will have them, to the bit, at once; what the server
// does to them is corrected within a round trip.
func TestPredictionsComeTrue(t *testing.T) {
	a := newArena(t, 100, 1, Options{Input: 2}, link.Conditions{
		Delay: 3, Jitter: 2, Loss: 0.1, Duplicates: 0.05, Seed: 4,
	})
	c := a.clients[0]
	c.own = a.spawn(vec{250, 250})
	other := a.spawn(vec{255, 250})
	d := newDriver(c)
	truth := map[uint16]vec{}
	pushes, late := 0, 0
	for tick := range 600 {
		a.s = world.Advance(a.s)
		a.network.Step()
		a.receive()
		used := 0
		for of, in := range a.server.Inputs() {
			require.Equal(t, c.conn, of)
			a.s = steer(a.s, c.own, in.Bytes)
			if tick%150 == 149 { // a push that the client cannot predict
				at := world.Must(world.Get(a.s, c.own, place))
				a.s = world.Must(world.Set(a.s, c.own, place, vec{at[0] - 3, at[1]}))
				pushes++
			}
			truth[in.Number] = world.Must(world.Get(a.s, c.own, place))
			used++
		}
		if used == 0 && tick > 30 {
			late++
		}
		a.s = world.Must(world.Set(a.s, other, place, vec{255, 200 + float32(tick%100)}))
		a.send()
		d.frame(t, time.Duration(tick)*50*time.Millisecond)
	}
	same, differ := 0, 0
	for n, at := range d.shown {
		if was, ok := truth[n]; ok && was == at {
			same++
		} else if ok {
			differ++
		}
	}
	t.Log(same, "predictions to the bit,", differ, "not;", pushes, "pushes;", late, "ticks without an input;",
		d.p.Again(), "steps again")
	require.Greater(t, same, 500)
	require.LessOrEqual(t, differ, pushes*20)
	require.Less(t, late, 30)
}

// Inputs that waited while the server stood still for a second are used within five seconds.
func TestInputsThatWaitAreUsedUp(t *testing.T) {
	a := newArena(t, 100, 1, Options{Input: 2}, link.Conditions{Delay: 1})
	c := a.clients[0]
	c.own = a.spawn(vec{250, 250})
	d := newDriver(c)
	wait := 0
	for tick := range 220 {
		a.network.Step()
		if tick < 100 || tick >= 120 {
			a.s = world.Advance(a.s)
			a.receive()
			for range a.server.Inputs() { // one per tick
			}
			a.send()
		}
		if wait = int(c.conn.inputs.slack); tick == 121 {
			require.Greater(t, wait, 15)
		}
		d.frame(t, time.Duration(tick)*50*time.Millisecond)
	}
	require.LessOrEqual(t, wait, 6)
	require.GreaterOrEqual(t, wait, -1, "and not more slowly than that")
}

// A hit test asks where an object was when the client saw it.
func TestWasIsWhatTheClientSaw(t *testing.T) {
	a := newArena(t, 100, 1, Options{Input: 2}, link.Conditions{Delay: 2})
	c := a.clients[0]
	c.own = a.spawn(vec{200, 250})
	target := a.spawn(vec{220, 250})
	d := newDriver(c)
	saw := map[uint16]vec{} // per input
	checked := 0
	for tick := range 100 {
		a.s = world.Advance(a.s)
		a.network.Step()
		a.receive()
		for of, in := range a.server.Inputs() {
			was, ok := Was(of, in, place, target)
			if at, has := saw[in.Number]; has && tick > 30 {
				require.True(t, ok)
				require.InDelta(t, at[1], was[1], 0.05, "tick %d, back %v", tick, of.Back(in))
				require.Greater(t, of.Back(in), 3.)
				checked++
			}
		}
		a.s = world.Must(world.Set(a.s, target, place, vec{220, 200 + float32(tick)}))
		a.send()
		d.frame(t, time.Duration(tick)*50*time.Millisecond)
		for k := range d.m.slots {
			if e := &d.m.slots[k]; e.id != world.Nobody && !e.own {
				saw[d.p.next] = world.Must(world.Get(d.s, e.id, place)) // what the next input acts on
			}
		}
	}
	require.Greater(t, checked, 50)
	in := Input{Seen: Moment(1 << 30)}
	_, ok := Was(c.conn, in, place, target)
	require.True(t, ok, "a lie is a moment that the server has")
	require.LessOrEqual(t, c.conn.Back(in), 14.)
	in.Seen = Moment(a.server.table.tick << 8)
	require.EqualValues(t, a.server.table.tick-c.conn.line.base, c.conn.Back(in), "before it came")
	_, ok = Was(c.conn, in, place, a.spawn(vec{1, 1}))
	require.False(t, ok, "what is new was not there")
	require.PanicsWithValue(t,
		"replica: Was of hp, which the schema does not have with Delta; add it so",
		func() { Was(c.conn, in, hp, target) })
}

// A client of another build is told so, and is not served.
func TestOtherSchemasAreRefused(t *testing.T) {
	a := newArena(t, 100, 0, Options{}, link.Conditions{})
	other := NewSchema(shownAs, Field(place, Fixed(0, size, 8)))
	require.NotEqual(t, seen.Hash(), other.Hash())
	a.server.Accept(a.network.Link(0, 1))
	s := world.Must(world.CreateState(other.Counts(8)))
	defer func() { world.Close(s) }()
	m, l := NewMirror(s, other, 8, Show{}), a.network.Link(1, 0)
	l.Send(m.Append(nil, nil))
	for range 3 {
		a.s = world.Advance(a.s)
		a.network.Step()
		require.Zero(t, a.receive())
		a.send()
	}
	b, ok := l.Receive()
	require.True(t, ok)
	_, err := m.Apply(s, b)
	require.ErrorIs(t, err, ErrSchema)
}

// However small the budget, each object has its turn.
func TestNobodyStarves(t *testing.T) {
	a := newArena(t, 300, 1, Options{Budget: minBudget}, link.Conditions{})
	c := a.clients[0]
	for range 200 {
		a.spawn(vec{230 + 40*a.random.Float32(), 230 + 40*a.random.Float32()})
	}
	last, most := map[uint16]uint32{}, 0
	for tick := range 200 {
		a.drive()
		a.tickOf()
		require.LessOrEqual(t, len(c.conn.out), minBudget)
		for k := range c.m.slots {
			if e := &c.m.slots[k]; e.id != world.Nobody {
				last[uint16(k)] = e.tick
			} else {
				delete(last, uint16(k))
			}
		}
		most = max(most, len(last))
		if tick < 100 {
			continue
		}
		for k, at := range last {
			require.Less(t, a.server.table.tick-at, uint32(60), "slot %d", k)
		}
	}
	require.Greater(t, most, 100)
	require.Positive(t, c.conn.Stats().Cut)
}

// A client's datagrams cannot harm other clients, and its own inputs are used one per tick.
func TestHostileClients(t *testing.T) {
	one := func(hostile bool) (sent []byte) {
		a := newArena(t, 400, 2, Options{Input: 2}, link.Conditions{})
		for range 200 {
			a.spawn(a.anywhere())
		}
		r := rand.New(rand.NewPCG(8, 8))
		bad := a.clients[1]
		for range 60 {
			a.drive()
			a.network.Step()
			if hostile {
				for range 20 {
					b := bad.m.Append(nil, nil)
					switch r.IntN(3) {
					case 0:
						b[4+r.IntN(len(b)-4)] ^= byte(1 << r.IntN(8))
					case 1:
						le.PutUint16(b[13:], uint16(r.Uint32()))
						le.PutUint32(b[15:], r.Uint32())
					case 2:
						n := r.IntN(200)
						le.PutUint16(b[23:], uint16(r.Uint32()))
						b[25] = byte(n)
						b = append(b, make([]byte, 2*n)...)
					}
					if r.IntN(4) > 0 {
						wire.Seal(b)
					}
					bad.link.Send(b)
				}
			}
			a.receive()
			inputs := 0
			for range a.server.Inputs() {
				inputs++
			}
			require.LessOrEqual(t, inputs, 1)
			a.send()
			sent = append(sent, a.clients[0].conn.out...)
			for _, c := range a.clients {
				c.hear(t, nil)
			}
		}
		require.Equal(t, hostile, bad.conn.Stats().Refused > 0)
		return sent
	}
	require.Equal(t, one(false), one(true))
}

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
	require.Equal(t, `client 0 sees 1 objects at tick 4
slot 0    0        own  has tick 3
slot 1    1             leaving
`, string(c.conn.AppendSees(nil)))
	a.ticks(2)
	require.Equal(t, "client 0 sees 1 objects at tick 6\nslot 0    0        own  has tick 3\n",
		string(c.conn.AppendSees(nil)))
}
