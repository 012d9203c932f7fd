package replica

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/list"
)

// A chronicle is what a naive server knows of one client: what it sees at each tick, and all of it.
type chronicle struct {
	truths map[world.GameObject]truth
	slots  map[uint16]world.GameObject // that are not leaving
	own    map[uint16]bool
	since  map[uint16]uint32 // tick in which the object came in
}

// A model is an arena in which all that clients receive is compared with the server's past.
type model struct {
	*arena
	past    map[uint32][]chronicle // per tick and client
	ids     []world.GameObject
	names   []map[world.GameObject]world.GameObject // per client: its object to the server's
	checked int
	wholes  int
	quiet   bool // without events, and without checks in each tick
	hits    []modelHit
	heards  []map[uint32]bool // per client
}

// A modelHit is an event as the server sent it.
type modelHit struct {
	victim, by world.GameObject
	tick       uint32
}

func newModel(a *arena, tanks int) *model {
	m := &model{arena: a, past: map[uint32][]chronicle{}}
	for range a.clients {
		m.names = append(m.names, map[world.GameObject]world.GameObject{})
		m.heards = append(m.heards, map[uint32]bool{})
	}
	for range tanks {
		m.ids = append(m.ids, a.spawn(a.anywhere()))
	}
	for i, c := range a.clients {
		c.own = m.ids[i]
	}
	return m
}

// live lets some of everything happen.
func (m *model) live() {
	r := m.random
	for i, id := range m.ids {
		at := world.Must(world.Get(m.s, id, place))
		at[0] = min(size, max(0, at[0]+r.Float32()*6-3))
		at[1] = min(size, max(0, at[1]+r.Float32()*6-3))
		m.s = world.Must(world.Set(m.s, id, place, at))
		m.write(id)
		what := r.IntN(40)
		if m.quiet && (what == 6 || what == 8) {
			continue
		}
		switch what {
		case 0:
			m.s = world.Must(world.Set(m.s, id, hp, uint16(r.IntN(3)))) // there and back
		case 1:
			if world.Has(m.s, id, burning) {
				m.s = world.Must(world.Remove(m.s, id, burning))
			} else {
				m.s = world.Must(world.Add(m.s, id, burning))
			}
		case 2:
			m.s = world.Must(world.Dispose(m.s, id))
			m.ids[i] = m.spawn(m.anywhere())
		case 3:
			m.s = world.Must(world.Set(m.s, id, aim, m.ids[r.IntN(len(m.ids))]))
		case 4:
			if world.Has(m.s, id, shield) {
				m.s = world.Must(world.Remove(m.s, id, shield))
			} else {
				m.s = world.Must(world.Add(m.s, id, shield))
				m.s = world.Must(world.Set(m.s, id, shield, float32(r.IntN(20))))
			}
		case 5:
			m.s = world.Must(world.Set(m.s, id, heading, r.Float32()*20-10))
		case 6:
			m.s = world.Must(world.Set(m.s, id, skin, [3]uint8{9, uint8(r.Uint32()), 9}))
		case 7:
			m.s = world.Must(world.Set(m.s, id, ammo, uint32(r.IntN(3))))
		case 8:
			m.s = world.Must(world.Set(m.s, id, pace, r.Float32()))
		}
	}
	for range r.IntN(6) {
		if m.quiet {
			break
		}
		of, by := m.ids[r.IntN(len(m.ids))], m.ids[r.IntN(len(m.ids))]
		m.hit(of, uint32(len(m.hits)), by)
		m.hits = append(m.hits, modelHit{of, by, m.server.table.tick + 1})
	}
	for i, c := range m.clients {
		if r.IntN(20) == 0 {
			c.at = m.anywhere() // jumps
		}
		if r.IntN(30) == 0 || !world.Alive(m.s, c.own) {
			c.own = m.ids[r.IntN(len(m.ids))] // becomes another's
		}
		if i&1 != 0 {
			c.sees = m.ids[:r.IntN(5)]
		}
	}
}

// write changes lists, in some ways.
func (m *model) write(id world.GameObject) {
	r := m.random
	switch r.IntN(60) {
	case 0:
		m.s = world.Must(list.SetText(m.s, id, title, m.text()))
	case 1:
		m.s = world.Must(list.Append(m.s, id, path, m.anywhere(), m.anywhere()))
	case 2:
		m.s = world.Must(list.Clear(m.s, id, path))
	case 3:
		if n := len(world.Must(list.Of(m.s, id, path))); n > 0 {
			m.s = world.Must(list.SetAt(m.s, id, path, r.IntN(n), m.anywhere()))
		}
	case 4:
		m.s = world.Must(list.Set(m.s, id, bag, make([]item, r.IntN(12))...))
	case 5:
		m.s = world.Must(list.Append(m.s, id, bag, item{uint8(r.Uint32()), true}))
	}
}

// text returns a text that may be too long, with characters of up to four bytes.
func (m *model) text() (text string) {
	for range m.random.IntN(16) {
		text += string([]rune("aé語🐦")[m.random.IntN(4)])
	}
	return text
}

// note keeps what the naive server knows of this tick.
func (m *model) note() {
	t := m.server.table.tick
	truths := map[world.GameObject]truth{}
	for _, id := range m.ids {
		truths[id] = truthOf(m.s, id)
	}
	for _, c := range m.clients {
		n := chronicle{
			truths: truths, slots: map[uint16]world.GameObject{}, own: map[uint16]bool{},
			since: map[uint16]uint32{},
		}
		for k := range c.conn.slots.all {
			if e := &c.conn.slots.all[k]; e.state == live {
				n.slots[uint16(k)], n.own[uint16(k)] = e.id, e.id == c.own
				n.since[uint16(k)] = e.since
			}
		}
		m.past[t] = append(m.past[t], n)
	}
}

// check compares what a client took in with the server's past.
func (m *model) check(i int) {
	c := m.clients[i]
	tick := c.m.Tick()
	then := m.past[tick][i]
	live := 0
	for k := range c.m.slots {
		e := &c.m.slots[k]
		if e.id != world.Nobody {
			live++
		}
		if whole := c.m.Whole() == tick; e.tick == tick || whole {
			id, ok := then.slots[uint16(k)]
			if e.id == world.Nobody {
				require.False(m.tb, ok && whole, "tick %d: slot %d lacks %v", tick, k, id)
				continue
			}
			require.True(m.tb, ok, "tick %d: slot %d has what is not to be seen", tick, k)
			m.same(i, uint16(k), id, then)
		}
	}
	if c.m.Whole() == tick {
		m.wholes++
		require.Len(m.tb, then.slots, live, "tick %d", tick)
	}
}

// checkEvents compares the received events with the events that the server sent.
func (m *model) checkEvents(i int) {
	for _, e := range m.clients[i].heard() {
		sent := m.hits[e.n]
		require.False(m.tb, m.heards[i][e.n], "an event came twice")
		m.heards[i][e.n] = true
		require.True(m.tb, m.seesAt(m.past[sent.tick][i], sent.victim), "of what is not to be seen")
		if name, ok := m.names[i][e.victim]; ok {
			require.Equal(m.tb, sent.victim, name)
		} else {
			require.Equal(m.tb, world.Nobody, e.victim)
		}
		if e.by != world.Nobody {
			require.Equal(m.tb, sent.by, m.names[i][e.by])
		}
	}
}

// same compares a seat with the truth of its tick.
func (m *model) same(i int, k uint16, id world.GameObject, then chronicle) {
	c, tr := m.clients[i], then.truths[id]
	e := &c.m.slots[k]
	m.checked++
	if was, ok := m.names[i][e.id]; ok {
		require.Equal(m.tb, was, id, "one object of the client stands for two of the server")
	}
	m.names[i][e.id] = id
	own := then.own[k]
	require.Equal(m.tb, own, e.own)
	row := c.m.latest(k)
	for p := range seen.in(seen.wire.Visible(own) &^ 1) {
		got := p.Decode(tool.Bytes(64)[:0], row, row, 0)
		switch p.kind {
		case title.Kind():
			require.Equal(m.tb, tr.title, string(got))
		case path.Kind():
			require.Equal(m.tb, tr.path, append([]vec(nil), path.Rows(got)...))
		case bag.Kind():
			require.ElementsMatch(m.tb, tr.bag, bag.Rows(got))
		case aim.Kind():
			to, want := world.Nobody, tr.aim
			if at := row[p.At]; at != 0 {
				to = then.slots[uint16(at-1)]
			}
			if !m.seesAt(then, want) {
				want = world.Nobody
			}
			require.Equal(m.tb, want, to, "aim")
		case place.Kind():
			want := tr.place
			if own {
				want = tr.exact
			}
			require.Equal(m.tb, want, place.Rows(got)[0], "place")
		case heading.Kind():
			require.Equal(m.tb, tr.heading, heading.Rows(got)[0], "heading")
		case pace.Kind():
			require.True(m.tb, m.was(i, id, max(then.since[k], c.m.Tick()/4*4), func(tr truth) bool {
				return through(Half(), tr.pace) == pace.Rows(got)[0]
			}), "pace")
		case hp.Kind():
			require.Equal(m.tb, tr.hp, hp.Rows(got)[0], "hp")
		case ammo.Kind():
			require.Equal(m.tb, tr.ammo, ammo.Rows(got)[0], "ammo")
		case skin.Kind():
			require.True(m.tb, m.was(i, id, then.since[k], func(tr truth) bool {
				return tr.skin == skin.Rows(got)[0]
			}), "skin")
		case shield.Kind():
			if tr.shield >= 0 {
				require.Equal(m.tb, tr.shield, shield.Rows(got)[0], "shield")
			}
		}
	}
	if world.Alive(c.s, e.id) {
		require.Equal(m.tb, tr.burning, world.Has(c.s, e.id, burning), "burning")
		require.Equal(m.tb, tr.shield >= 0, world.Has(c.s, e.id, shield), "has a shield")
	}
}

// was reports whether is was so of an object in a tick from since to what client i has.
func (m *model) was(i int, id world.GameObject, since uint32, is func(tr truth) bool) bool {
	for t := since; t <= m.clients[i].m.Tick(); t++ {
		if is(m.past[t][i].truths[id]) {
			return true
		}
	}
	return false
}

func (m *model) seesAt(then chronicle, id world.GameObject) bool {
	for _, other := range then.slots {
		if other == id {
			return true
		}
	}
	return false
}

// play takes ticks: some in which all lives, and the others at rest, on a network that heals. When
// the server has sent, after is called.
func (m *model) play(ticks, lively int, after func(tick int)) {
	for tick := range ticks {
		m.s = world.Advance(m.s)
		if tick < lively {
			m.live()
		} else if tick == lively+10 {
			m.network.Set(link.Conditions{})
		}
		m.serve()
		m.note()
		after(tick)
		for i, c := range m.clients {
			c.hear(m.tb, func() { m.check(i); m.checkEvents(i) })
			c.s = c.m.Present(c.s, time.Duration(tick)*tickTime)
		}
	}
}

// settled checks that all clients have what the server has.
func (m *model) settled() {
	for i, c := range m.clients {
		require.Equal(m.tb, m.server.table.tick, c.m.Tick())
		require.Equal(m.tb, c.m.Tick(), c.m.Whole(), "all is told at rest")
		require.NoError(m.tb, tool.Verify(c.s))
		m.atRest(i)
	}
}

// Under loss, delay, duplicates and reordering, every datagram leaves its objects exactly as the
// server had them at its tick, with what the client may see and nothing else; and when all rests,
// the client has all.
func TestClientsHaveWhatTheServerHad(t *testing.T) {
	worldtest.OneGoroutine(t)
	seeds, checked, wholes := 5, 0, 0
	if worldtest.AtLength() {
		seeds = 40
	}
	for seed := range seeds {
		o := Options{Budget: []int{0, 250, 500}[seed%3], Known: []int{256, 40}[seed%5/4]}
		m := newModel(newArena(t, 400, 3, o, link.Conditions{
			Delay: seed % 4, Jitter: 3, Loss: 0.2, Duplicates: 0.1, Seed: uint64(seed) + 1,
		}), 250)
		m.play(260, 150, func(tick int) {
			if tick < 150 { // after the look, but in the same tick of the world
				id := m.ids[m.random.IntN(len(m.ids))]
				m.s = world.Must(world.Set(m.s, id, hp, uint16(m.random.IntN(3))))
			}
		})
		m.settled()
		checked, wholes = checked+m.checked, wholes+m.wholes
	}
	t.Log(checked, "objects compared in their tick,", wholes, "datagrams of all that there was")
	require.Greater(t, wholes, 100)
}

// TestClientsFollowAWorldThatGoesBack: a server looks at all of a world that was restored, or that
// another one takes the place of.
func TestClientsFollowAWorldThatGoesBack(t *testing.T) {
	worldtest.OneGoroutine(t)
	for name, back := range map[string]func(s world.State, was *world.Snapshot) world.State{
		"Restore": func(s world.State, was *world.Snapshot) world.State {
			return world.Must(world.Restore(s, was))
		},
		"a copy": func(s world.State, was *world.Snapshot) world.State {
			next := world.Must(world.Clone(was.State()))
			world.Close(s)
			return next
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModel(newArena(t, 400, 3, Options{}, link.Conditions{}), 250)
			was, ids := world.Must(world.NewSnapshot(m.s)), []world.GameObject(nil)
			defer was.Close()
			m.play(120, 60, func(tick int) {
				switch tick {
				case 40:
					require.NoError(t, was.Take(m.s))
					ids = slices.Clone(m.ids)
				case 70:
					m.s, m.ids = back(m.s, was), ids
				}
			})
			m.settled()
		})
	}
}

// atRest compares the client's world with the server's.
func (m *model) atRest(i int) {
	c := m.clients[i]
	last := m.past[m.server.table.tick][i]
	require.Equal(m.tb, len(last.slots), world.Len(c.s))
	for k, id := range maps.Collect(maps.All(last.slots)) {
		own := c.m.slots[k].id
		require.Equal(m.tb, world.Must(world.Get(m.s, id, hp)), world.Must(world.Get(c.s, own, hp)))
		at, want := world.Must(world.Get(c.s, own, place)), truthOf(m.s, id)
		if last.own[k] {
			require.Equal(m.tb, want.exact, at)
			require.Equal(m.tb, want.ammo, world.Must(world.Get(c.s, own, ammo)))
		} else {
			require.Equal(m.tb, want.place, at)
			require.EqualValues(m.tb, 7, world.Must(world.Get(c.s, own, ammo)), "the default")
		}
		require.Equal(m.tb, last.own[k], world.Has(c.s, own, Own))
		require.Equal(m.tb, want.title, world.Must(list.Text(c.s, own, title)))
		require.ElementsMatch(m.tb, want.path, world.Must(list.Of(c.s, own, path)))
		if last.own[k] {
			require.ElementsMatch(m.tb, want.bag, world.Must(list.Of(c.s, own, bag)))
		} else {
			require.Equal(m.tb, []item{{7, true}}, world.Must(list.Of(c.s, own, bag)), "the recipe's")
		}
		aims := world.Nobody
		for k, target := range last.slots {
			if target == want.aim {
				aims = c.m.slots[k].id
			}
		}
		require.Equal(m.tb, aims, world.Must(world.Get(c.s, own, aim)))
	}
}
