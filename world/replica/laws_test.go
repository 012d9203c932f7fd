package replica

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// A play is a game of which a client may see a part; that part does not depend on a secret.
// Everything else does: the number of objects, their actions, the order of their creation and so
// their indexes, fields for owners, other clients.
type play struct {
	*arena
	hidden, open *rand.Rand
	far, near    []world.GameObject
	shy          []world.GameObject // that come into sight, and go
	out          []bool             // objects that are out of sight
	pace         []float32          // their pace when they next come into sight
}

func newPlay(t *testing.T, game, secret uint64) *play {
	t.Helper()
	o := Options{Known: []int{64, 64, 30}[game%3], Budget: []int{0, 260}[game%2]}
	p := &play{
		arena: newArenaOf(t, 3000, 2, o, link.Conditions{
			Delay: int(game % 3), Loss: float32(game%4) / 10, Seed: 1,
		}, []int{64, 8, 3}[game/2%3]),
		hidden: rand.New(rand.NewPCG(secret, 1)), open: rand.New(rand.NewPCG(game, 2)),
	}
	for range p.hidden.IntN(200) {
		p.far = append(p.far, p.spawn(p.away()))
	}
	for _, i := range p.hidden.Perm(len(p.far)) { // free indexes in some order
		if p.hidden.IntN(2) == 0 {
			p.s = world.Must(world.Dispose(p.s, p.far[i]))
		}
	}
	for range 40 {
		p.near = append(p.near, p.enter())
	}
	for range 12 {
		p.shy, p.out = append(p.shy, p.spawn(p.away())), append(p.out, true)
		p.pace = append(p.pace, p.open.Float32())
	}
	p.clients[0].at, p.clients[0].own = vec{100, 100}, p.near[3]
	p.s = world.Must(list.Clear(p.s, p.near[3], bag)) // which is not hidden from its owner
	p.clients[1].at = vec{size * p.hidden.Float32(), size * p.hidden.Float32()}
	return p
}

func (p *play) away() vec { return vec{300 + 200*p.hidden.Float32(), 300} }

// enter makes an object that may be seen, behind some that may not.
func (p *play) enter() world.GameObject {
	for range p.hidden.IntN(3) {
		p.far = append(p.far, p.spawn(p.away()))
	}
	id := p.spawn(vec{60 + 80*p.open.Float32(), 60 + 80*p.open.Float32()})
	p.s = world.Must(world.Set(p.s, id, skin, [3]uint8{uint8(p.open.Uint32())}))
	p.s = world.Must(world.Set(p.s, id, ammo, p.hidden.Uint32()))
	p.entitle(id)
	return id
}

// entitle gives an object a text that is longer than clients may get, and items for its owner only.
func (p *play) entitle(id world.GameObject) {
	open := fmt.Sprintf("%020d", p.open.Uint64())[:titleMost-1]
	p.s = world.Must(list.SetText(p.s, id, title, open+"🐦"+fmt.Sprint(p.hidden.Uint32())))
	if id != p.clients[0].own {
		p.s = world.Must(list.Append(p.s, id, bag, item{uint8(p.hidden.Uint32()), true}))
	}
}

// become gives an object other values and kinds, at random.
func (p *play) become(id world.GameObject, r *rand.Rand, at vec, target world.GameObject) {
	p.s = world.Must(world.Set(p.s, id, place, at))
	p.s = world.Must(world.Set(p.s, id, pace, r.Float32()))
	p.s = world.Must(world.Set(p.s, id, hp, uint16(r.IntN(1000))))
	p.s = world.Must(world.Set(p.s, id, skin, [3]uint8{uint8(r.Uint32())}))
	p.s = world.Must(world.Set(p.s, id, aim, target))
	p.s = world.Must(list.SetText(p.s, id, title, fmt.Sprint(r.Uint32())))
	p.s = world.Must(list.Set(p.s, id, path, make([]vec, r.IntN(5))...))
	p.have(id, burning, r.IntN(2) == 0)
	if p.have(id, shield.Kind(), r.IntN(2) == 0); world.Has(p.s, id, shield) {
		p.s = world.Must(world.Set(p.s, id, shield, 10*r.Float32()))
	}
}

func (p *play) have(id world.GameObject, k layout.Kind, has bool) {
	if world.Has(p.s, id, k) != has {
		if has {
			p.s = world.Must(world.Add(p.s, id, k))
		} else {
			p.s = world.Must(world.Remove(p.s, id, k))
		}
	}
}

// show brings an object into sight: its state is public from then on, and no object has aimed at
// it. The time since its last change is not public: it may have had its pace before.
func (p *play) show(i int) {
	id := p.shy[i]
	p.become(id, p.open, vec{60 + 80*p.open.Float32(), 60 + 80*p.open.Float32()}, world.Nobody)
	p.s = world.Must(world.Set(p.s, id, pace, p.pace[i]))
	p.pace[i] = p.open.Float32()
	for _, other := range slices.Concat(p.near, p.shy) {
		if world.Must(world.Get(p.s, other, aim)) == id {
			p.s = world.Must(world.Set(p.s, other, aim, world.Nobody))
		}
	}
}

// come has shy objects come into sight, change there, and go.
func (p *play) come() {
	for i, id := range p.shy {
		what := p.open.IntN(12)
		switch {
		case what == 0:
			if p.out[i] = !p.out[i]; !p.out[i] {
				p.show(i)
			}
		case what < 3 && !p.out[i]:
			p.have(id, shield.Kind(), what == 1)
			p.s = world.Must(world.Set(p.s, id, pace, p.open.Float32()))
		}
		if p.out[i] {
			p.become(id, p.hidden, p.away(), p.near[p.hidden.IntN(len(p.near))])
			if p.hidden.IntN(3) > 0 {
				p.s = world.Must(world.Set(p.s, id, pace, p.pace[i]))
			}
		}
	}
}

// step moves all.
func (p *play) step() {
	p.s = world.Advance(p.s)
	for _, id := range p.far {
		if world.Alive(p.s, id) && p.hidden.IntN(3) == 0 {
			p.s = world.Must(world.Set(p.s, id, place, p.away()))
			p.s = world.Must(world.Set(p.s, id, hp, uint16(p.hidden.IntN(1000))))
			p.s = world.Must(list.SetText(p.s, id, title, fmt.Sprint(p.hidden.Uint32())))
		}
	}
	if k := p.hidden.IntN(len(p.far) + 1); k < len(p.far) && world.Alive(p.s, p.far[k]) {
		p.s = world.Must(world.Dispose(p.s, p.far[k]))
	}
	for i, id := range p.near {
		at := world.Must(world.Get(p.s, id, place))
		at[0], at[1] = at[0]+p.open.Float32()*8-4, at[1]+p.open.Float32()*8-4
		p.s = world.Must(world.Set(p.s, id, place, at))
		p.s = world.Must(world.Set(p.s, id, ammo, p.hidden.Uint32()))
		if i%2 == 0 && p.hidden.IntN(9) == 0 && len(p.far) > 0 { // at an object out of sight
			p.s = world.Must(world.Set(p.s, id, aim, p.far[p.hidden.IntN(len(p.far))]))
		}
		if p.open.IntN(20) == 0 {
			p.entitle(id)
		}
		switch p.open.IntN(30) {
		case 0:
			if id != p.clients[0].own {
				p.s = world.Must(world.Dispose(p.s, id))
				p.near[i] = p.enter()
			}
		case 1:
			if !world.Has(p.s, id, burning) {
				p.s = world.Must(world.Add(p.s, id, burning))
			}
		case 2:
			if target := p.near[p.open.IntN(len(p.near))]; i%2 == 1 {
				p.s = world.Must(world.Set(p.s, id, aim, target))
			}
		}
	}
	p.s = world.Must(world.Set(p.s, p.clients[0].own, ammo, uint32(world.Tick(p.s)/10)))
	p.come()
	p.shoot()
}

// shoot sends events: of what may be seen, some by what may not, and of what may not.
func (p *play) shoot() {
	hidden := func() world.GameObject {
		if i := p.hidden.IntN(len(p.shy)); p.out[i] {
			return p.shy[i]
		}
		return p.far[p.hidden.IntN(len(p.far))]
	}
	for range p.hidden.IntN(8) * p.hidden.IntN(6) {
		if len(p.far) > 0 {
			p.hit(hidden(), p.hidden.Uint32(), p.near[p.hidden.IntN(len(p.near))])
		}
	}
	for range p.open.IntN(4) {
		of, by := p.near[p.open.IntN(len(p.near))], world.Nobody
		if p.open.IntN(2) == 0 {
			by = p.near[p.open.IntN(len(p.near))]
		} else if p.hidden.IntN(2) == 0 && len(p.far) > 0 {
			by = hidden()
		}
		p.hit(of, p.open.Uint32(), by)
		if p.open.IntN(3) == 0 {
			p.shout(of)
		}
		if p.hidden.IntN(2) == 0 && len(p.far) > 0 {
			p.hit(hidden(), 0, of)
			for range p.hidden.IntN(10) { // a full ring passes on its shouts before the hits
				p.shout(hidden())
			}
		}
	}
}

// shout sends an event of another type.
func (p *play) shout(of world.GameObject) {
	s, e := shouts.Send(p.s)
	world.EventColumn(e, shoutOf)[0] = of
	p.s = s
}

// secrets plays a game, and returns all that the client is sent.
func secrets(t *testing.T, game, secret uint64) (sent [][]byte) {
	t.Helper()
	p := newPlay(t, game, secret)
	c := p.clients[0]
	for range 60 {
		p.step()
		p.serve()
		sent = append(sent, bytes.Clone(c.conn.out))
		p.network.Step()
		c.take()
		if p.open.IntN(5) != 0 {
			c.link.Send(c.m.Append(nil, nil))
		}
		p.clients[1].hear(t, nil)
	}
	return sent
}

// The data sent to a client depend only on the objects that see names for it: not on objects out of
// sight, their number or indexes, fields of others, or other clients.
func TestNothingHiddenIsSent(t *testing.T) {
	worldtest.OneGoroutine(t)
	games := uint64(6)
	if worldtest.AtLength() {
		games = 100
	}
	for game := range games {
		one := secrets(t, game, 1)
		require.Len(t, one, 60)
		for secret := range uint64(3) {
			for i, b := range secrets(t, game, secret+2) {
				require.Equal(t, one[i], b, "game %d, secret %d, tick %d", game, secret, i)
			}
		}
	}
}

// crowd returns an arena of n tanks that drive, and clients among them.
func crowd(tb testing.TB, n, clients int, o Options) *arena {
	tb.Helper()
	a := newArena(tb, n+1, clients, o, link.Conditions{Loss: 0.05, Seed: 5})
	a.radius = 50
	for range n {
		a.spawn(a.anywhere())
	}
	for _, c := range a.clients {
		c.at = a.anywhere()
	}
	return a
}

var driving = world.NewQuery(world.Write(place), world.Read(heading))

// drive moves all tanks.
func (a *arena) drive() {
	a.s = world.Advance(a.s)
	turn := float32(world.Tick(a.s)%7) - 3
	for b := range driving.In(a.s) {
		for i, p := range world.Column(b, place) {
			world.Column(b, place)[i] = vec{
				min(size, max(0, p[0]+float32(i%5)-2)), min(size, max(0, p[1]+turn)),
			}
		}
	}
}

func TestDatagramsAreTheSameForAnyWorkers(t *testing.T) {
	var first [][]byte
	for _, n := range []int{0, 1, 2, 8} {
		workers := systems.NewWorkers(max(n, 1))
		o := Options{Workers: workers}
		if n == 0 {
			o.Workers = nil
		}
		a := crowd(t, 1000, 12, o)
		var sent [][]byte
		for range 30 {
			a.drive()
			before := world.Digest(a.s)
			a.serve()
			require.Equal(t, before, world.Digest(a.s), "servers only read")
			for _, c := range a.clients {
				sent = append(sent, bytes.Clone(c.conn.out))
				c.hear(t, nil)
			}
		}
		if first == nil {
			first = sent
		}
		require.Positive(t, a.clients[0].conn.Stats().Differences)
		require.Equal(t, first, sent, "%d workers", n)
		workers.Close()
	}
}

// tickOf is the network's part of a tick.
func (a *arena) tickOf() {
	a.serve()
	for _, c := range a.clients {
		c.hear(a.tb, nil)
	}
}

func TestAllocNothingAfterTheFirstTick(t *testing.T) {
	workers := systems.NewWorkers(2)
	defer workers.Close()
	a := crowd(t, 2000, 8, Options{Workers: workers})
	see := a.view
	for range 20 {
		a.drive()
		a.tickOf()
	}
	up := make([]byte, 0, link.MaxDatagram)
	allocations := testing.AllocsPerRun(30, func() {
		a.drive()
		a.s = a.cells.Build(a.s, nil)
		a.network.Step()
		for range a.server.Joined() {
			t.Error("joined again")
		}
		for range a.server.Inputs() {
			t.Error("an input")
		}
		a.s = a.server.Send(a.s, see)
		for _, c := range a.clients {
			c.take()
			c.s = c.m.Present(c.s, time.Duration(world.Tick(a.s))*50*time.Millisecond)
			up = c.m.Append(up[:0], nil)
			c.link.Send(up)
		}
	})
	require.Zero(t, allocations)
}

// lie makes a client apply a datagram, not late, with a wrong checksum, and with the right one, as
// from a lying server: it applies completely or not at all. It reports whether the client applied
// it.
func (c *client) lie(t *testing.T, b []byte) bool {
	t.Helper()
	before, tick := world.Digest(c.s), c.m.Tick()
	rows := slices.Clone(c.m.rows)
	le.PutUint32(b[4:], tick+1)
	wire.Seal(b)[0]++
	_, err := c.m.Apply(c.s, b)
	require.ErrorIs(t, err, ErrDamaged)
	require.Equal(t, before, world.Digest(c.s))
	s, err := c.m.Apply(c.s, wire.Seal(b))
	if c.s = s; err == nil {
		require.NoError(t, tool.Verify(c.s))
		return true
	}
	require.Equal(t, before, world.Digest(c.s))
	require.Equal(t, tick, c.m.Tick())
	require.Equal(t, rows, c.m.rows)
	return false
}

// Damaged datagrams are refused, and change nothing.
func FuzzApply(f *testing.F) {
	worldtest.OneGoroutine(f)
	a := crowd(f, 300, 1, Options{})
	c, r := a.clients[0], rand.New(rand.NewPCG(4, 4))
	for i := range 150 {
		a.drive()
		c.at = a.anywhere()
		a.tickOf()
		b := bytes.Clone(c.conn.out)
		for range i % 5 {
			b[r.IntN(len(b))] ^= byte(1 << r.IntN(8))
		}
		f.Add(b[:len(b)-r.IntN(3)])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < wire.HeadSize || len(b) > link.MaxDatagram {
			_, err := c.m.Apply(c.s, b)
			require.ErrorIs(t, err, ErrDamaged)
		} else if c.lie(t, bytes.Clone(b)) {
			c.s = c.m.Present(c.s, 0)
			require.NoError(t, tool.Verify(c.s))
		}
	})
}

func FuzzHear(f *testing.F) {
	a := crowd(f, 300, 2, Options{Input: 3})
	for range 10 {
		a.drive()
		a.tickOf()
	}
	c := a.clients[0].conn
	f.Add(a.clients[0].m.Append(nil, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < wire.UpSize || len(b) > link.MaxDatagram {
			return
		}
		le.PutUint64(b[5:], seen.Hash())
		c.read(wire.Seal(b))
		for of := range a.server.Inputs() {
			require.Equal(t, c, of)
		}
		a.tb = t
		a.drive()
		a.tickOf()
	})
}
