package replica

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/link"
)

// handOver has the server go on in another one, of its state.
func (a *arena) handOver(state []byte, lost int) {
	server := world.Must(ReadServer(a.s, seen, a.options, state, lost))
	a.server = server
	n := 0
	for c := range server.Conns() {
		c.Resume(a.network.Link(0, c.Number()+1))
		a.clients[c.Number()].conn = c
		n++
	}
	require.Equal(a.tb, len(a.clients), n)
}

// lives plays a game in which servers are handed over, and returns all that clients are sent.
func lives(t *testing.T, seed int, handOver bool) (sent [][]byte) {
	t.Helper()
	a := newArena(t, 300, 3, Options{Budget: []int{0, 300}[seed%2]}, link.Conditions{
		Delay: 1, Jitter: 3, Loss: 0.2, Duplicates: 0.1, Seed: uint64(seed) + 1,
	})
	newModel(a, 200).play(120, 120, func(tick int) {
		for _, c := range a.clients {
			sent = append(sent, bytes.Clone(c.conn.out))
		}
		if handOver && (tick%17 == 16 || tick > 100) {
			stats := a.clients[1].conn.Stats()
			state := a.server.AppendState([]byte("before"))[6:]
			a.handOver(state, 0)
			require.Equal(t, stats, a.clients[1].conn.Stats())
			require.Equal(t, state, a.server.AppendState(nil))
		}
	})
	return sent
}

// A server that is handed over in mid play sends what it would have sent.
func TestHandedOverServersGoOn(t *testing.T) {
	worldtest.OneGoroutine(t)
	for seed := range 2 {
		one, other := lives(t, seed, false), lives(t, seed, true)
		require.Len(t, one, 360)
		for i := range one {
			require.Equal(t, one[i], other[i], "seed %d, tick %d", seed, i/3+1)
		}
	}
}

// A server that died is followed by a server with an older state: within a round trip, clients have
// the current data, and none of their objects has become another. The same holds after a program
// that was tried and given up.
func TestServersOutliveDeath(t *testing.T) {
	worldtest.OneGoroutine(t)
	for seed := range 4 {
		a := newArena(t, 300, 3, Options{}, link.Conditions{
			Delay: 1, Jitter: 2, Loss: 0.2, Seed: uint64(seed) + 1,
		})
		m := newModel(a, 200)
		m.quiet = true
		state, first := []byte(nil), a.server
		m.play(160, 90, func(tick int) {
			switch tick {
			case 40:
				state = a.server.AppendState(nil)
			case 41 + 2*seed:
				a.handOver(state, 1+2*seed)
			case 60:
				first = a.server
				a.handOver(a.server.AppendState(nil), 0)
			case 63: // the other one is given up
				a.server = first
				for c := range first.Conns() {
					a.clients[c.Number()].conn = c
				}
				first.Skip(5)
			}
		})
		m.settled()
		_, ok := Was(a.clients[0].conn, Input{}, place, m.ids[0])
		require.True(t, ok)
	}
}

// The past before a death is unknown: hit tests find no object there.
func TestNothingWasBeforeADeath(t *testing.T) {
	a := newArena(t, 9, 1, Options{}, link.Conditions{})
	id := a.spawn(vec{250, 250})
	a.ticks(25)
	now := Input{Seen: Moment(24 << 8)}
	_, ok := Was(a.clients[0].conn, now, place, id)
	require.True(t, ok)
	state := a.server.AppendState(nil)
	a.handOver(state, 0)
	at, ok := Was(a.clients[0].conn, now, place, id)
	require.True(t, ok)
	require.InDelta(t, 250, at[0], 0.01)
	a.handOver(state, 3)
	_, ok = Was(a.clients[0].conn, now, place, id)
	require.False(t, ok)
}

// States that are damaged, or belong to others, are refused; a lying state creates no server that
// fails.
func TestForgedStatesAreRefused(t *testing.T) {
	worldtest.OneGoroutine(t)
	a := newArena(t, 40, 2, Options{Known: 16, Input: 2}, link.Conditions{Loss: 0.3, Seed: 7})
	for range 30 {
		a.spawn(vec{250 + 40*a.random.Float32(), 250})
	}
	m := &model{arena: a}
	for range 20 {
		a.drive()
		a.hit(world.GameObject(1<<32), 1, world.Nobody)
		a.clients[0].at = vec{210 + 100*a.random.Float32(), 250}
		a.tickOf()
	}
	state := m.server.AppendState(nil)
	read := func(b []byte, schema *Schema, o Options) error {
		_, err := ReadServer(a.s, schema, o, b, 0)
		return err
	}
	o := a.options
	require.NoError(t, read(state, seen, o))
	require.ErrorIs(t, read(state, NewSchema(shownAs, Field(hp, Raw())), o), ErrSchema)
	require.ErrorIs(t, read(nil, seen, o), ErrState)
	for _, change := range []func(*Options){
		func(o *Options) { o.Known++ }, func(o *Options) { o.Input = 3 },
		func(o *Options) { o.Clients-- },
	} {
		other := o
		change(&other)
		require.ErrorIs(t, read(state, seen, other), ErrState)
	}
	o.Clients++
	require.NoError(t, read(state, seen, o))
	require.Panics(t, func() { _, _ = ReadServer(a.s, seen, o, state, -1) })
	require.Panics(t, func() { _, _ = ReadServer(a.s, seen, o, state, 1<<14+1) })
	for n := range state {
		if n%37 == 0 {
			require.ErrorIs(t, read(state[:n], seen, o), ErrState)
			require.ErrorIs(t, read(resealed(state[:n]), seen, o), ErrState, "cut at %d", n)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 400 {
		bad := bytes.Clone(state)
		for range 1 + r.IntN(3) {
			at := len(stateName) + r.IntN(len(state)-len(stateName))
			if r.IntN(2) == 0 { // behind the rows
				at = len(state) - 1 - r.IntN(1500)
			}
			bad[at] ^= byte(1 << r.IntN(8))
		}
		require.ErrorIs(t, read(bad, seen, o), ErrState)
		if a.survives(resealed(bad)) {
			continue
		}
		refused++
	}
	t.Log(refused, "of 400 refused")
	require.Greater(t, refused, 20)
}

// A state of a server that is not as it should be makes none.
func TestWrongStatesAreRefused(t *testing.T) {
	a := newArena(t, 40, 1, Options{Known: 16}, link.Conditions{})
	c := a.clients[0]
	gone, also := a.spawn(vec{250, 250}), a.spawn(vec{250, 250})
	a.spawnAll(5)
	a.tick()
	a.s = world.Must(world.Set(a.s, gone, place, vec{1, 1}))
	a.s = world.Must(world.Set(a.s, also, place, vec{1, 1}))
	a.ticks(5)
	a.hit(world.Must(tool.GameObjectAt(a.s, 2)), 1, world.Nobody)
	a.send()
	state := a.server.AppendState(nil)
	require.Len(t, c.conn.slots.empty, 2)
	seat := slices.IndexFunc(c.conn.slots.all, func(e slot) bool { return e.state == live })
	require.NotEqual(t, c.conn.queue.first, c.conn.queue.next)
	for name, change := range map[string]func(r *Server, c *Conn){
		"a free slot twice":     func(_ *Server, c *Conn) { c.slots.empty[1] = c.slots.empty[0] },
		"a slot that is used":   func(_ *Server, c *Conn) { c.slots.empty[0] = uint16(seat) },
		"an index beyond":       func(_ *Server, c *Conn) { c.slots.all[seat].id = 1<<20 | 1<<52 },
		"a tick to come":        func(_ *Server, c *Conn) { c.slots.all[seat].ack = 99 },
		"an event to come":      func(_ *Server, c *Conn) { c.queue.ring[c.queue.first%pending].occasion++ },
		"an event of no type":   func(r *Server, _ *Conn) { r.log.ring[0].which = 2 },
		"an event of nowhere":   func(_ *Server, c *Conn) { c.queue.ring[c.queue.first%pending].slot = 16 },
		"a list that is longer": func(r *Server, _ *Conn) { t := r.table; t.row(1)[t.base+seen.parts[10].At] = titleMost + 1 },
		"a packet to come":      func(_ *Server, c *Conn) { c.line.packets[0].tick = 99 },
	} {
		r := world.Must(ReadServer(a.s, seen, a.options, state, 0))
		change(r, &r.conns[0])
		_, err := ReadServer(a.s, seen, a.options, r.AppendState(nil), 0)
		require.ErrorIs(t, err, ErrState, name)
	}
}

func resealed(state []byte) []byte {
	if len(state) < 8 {
		return state
	}
	b := bytes.Clone(state)
	end := len(b) - 8
	le.PutUint64(b[end:], xxh3.Hash(b[:end]))
	return b
}

// survives has a server go on with a state that may be anything, and reports whether there is one.
func (a *arena) survives(state []byte) bool {
	server, err := ReadServer(a.s, seen, a.options, state, 0)
	if err != nil {
		return false
	}
	for c := range server.Conns() {
		c.Resume(nowhere{})
	}
	for range 3 {
		for i := range server.conns {
			if c := &server.conns[i]; c.phase != unused {
				c.read(a.clients[0].m.Append(nil, nil))
			}
		}
		for range server.Joined() {
			continue
		}
		for range server.Inputs() {
			continue
		}
		a.s = server.Send(a.s, func(v *View, _ *Conn) { a.view(v, a.clients[0].conn) })
		for c := range server.Conns() {
			c.AppendSees(nil)
		}
	}
	return true
}

// A client whose program restarted, with a new mirror, receives everything again, and its inputs
// count from 1 again.
func TestClientsAreRenewed(t *testing.T) {
	worldtest.OneGoroutine(t)
	for seed := range 3 {
		a := newArena(t, 300, 3, Options{}, link.Conditions{
			Delay: 1, Jitter: 2, Loss: 0.2, Seed: uint64(seed) + 1,
		})
		m := newModel(a, 200)
		m.quiet = true
		m.play(140, 90, func(tick int) {
			if tick%30 == 20+seed {
				a.renew(1)
				clear(m.names[1])
			}
		})
		m.settled()
	}
}

// renew restarts a client's program.
func (a *arena) renew(i int) {
	c := a.clients[i]
	c.conn.Renew()
	world.Close(c.s)
	c.s = world.Must(world.CreateState(seen.Counts(a.options.Known)))
	c.m = NewMirror(c.s, seen, a.options.Known, Show{})
	c.link = newer{a.network.Link(i+1, 0), a.server.table.tick}
}

// A newer link has nothing of a tick and before.
type newer struct {
	link.Link
	tick uint32
}

func (n newer) Receive() ([]byte, bool) {
	d, ok := n.Link.Receive()
	for ok && le.Uint32(d[4:]) <= n.tick {
		d, ok = n.Link.Receive()
	}
	return d, ok
}

func TestWrongDeclarationsPanic(t *testing.T) {
	require.NotPanics(t, func() { List(title, 1, Raw()) })
	for text, f := range map[string]func(){
		"replica: Fixed of 12 bits":    func() { Fixed(0, 1, 12) },
		"replica: Fixed from 1 to 1":   func() { Fixed(1, 1, 8) },
		"replica: Every(0)":            func() { Raw().Every(0) },
		"are for float32, use Raw":     func() { NewSchema(shownAs, Field(hp, Half())) },
		"at most 4 lanes of 16 bits":   func() { NewSchema(shownAs, Field(heading, Angle(8).Delta())) },
		"is Raw and Smooth":            func() { NewSchema(shownAs, Field(heading, Raw().Smooth())) },
		"shield is Once; add its ":     func() { NewSchema(shownAs, Field(shield, Raw().Once())) },
		"hollow, which has no kinds":   func() { NewSchema(world.NewRecipe("hollow"), Field(hp, Raw())) },
		"has references,":              func() { NewSchema(shownAs, Field(aim, Raw())) },
		"the zero Part":                func() { NewSchema(shownAs, Part{}) },
		"Mark of the zero Kind":        func() { Mark(layout.Kind{}) },
		"replica: this Schema is nil":  func() { (*Schema)(nil).Hash() },
		"Options.Clients is 0":         func() { NewServer(world.State{}, seen, Options{}) },
		"replica: this View is over":   func() { new(View).State() },
		"replica: this Mirror is nil":  func() { (*Mirror)(nil).Tick() },
		"replica: this Conn is nil":    func() { new(Conn).Stats() },
		"replica: this Server is nil":  func() { new(Server).Joined() },
		"this Predictor is nil":        func() { new(Predictor).Again() },
		"List of at most 0 elements":   func() { List(title, 0, Raw()) },
		"replica: List of at most 1":   func() { List(nil, 1, Raw()) },
		"is a list, with Delta or":     func() { NewSchema(shownAs, List(path, 4, Fixed(0, 1, 16).Delta())) },
		"title is a text; have it Raw": func() { NewSchema(shownAs, List(title, 4, Half())) },
		"bag is of What uint8":         func() { NewSchema(shownAs, List(bag, 4, Half())) },
		"up to 1201 bytes":             func() { NewSchema(shownAs, List(title, 1199, Raw())) },
		"and 0 kinds beside the recip": func() { NewSchema(shownAs, many()...) },
	} {
		func() {
			defer func() { require.Contains(t, recover(), text) }()
			f()
		}()
	}
}

func many() (parts []Part) {
	for range 40 {
		parts = append(parts, Field(hp, Raw()))
	}
	return parts
}
