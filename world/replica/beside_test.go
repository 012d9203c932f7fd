package replica

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
)

// A unitView is a unit as programs without this package send it.
type unitView struct {
	ID      uint64
	At, Vel [3]float32
	Health  uint16
	Stunned bool
}

func (p *plain) unit(id world.GameObject) unitView {
	return unitView{
		ID: uint64(id), At: world.Must(world.Get(p.s, id, at)), Vel: world.Must(world.Get(p.s, id, vel)),
		Health: world.Must(world.Get(p.s, id, health)), Stunned: world.Has(p.s, id, stunned),
	}
}

// A sender is another way to tell a client of what it sees. It is told of all of that, and of what
// changed since the last tick, and returns the bytes. None of these loses a datagram, or has to
// know what was lost: that would be more.
type sender interface {
	send(seen, changed []unitView, left []uint64) int
}

type asJSON struct{}

func (asJSON) send(_, changed []unitView, left []uint64) int {
	b, err := json.Marshal(struct {
		Changed []unitView
		Left    []uint64
	}{changed, left})
	return len(b) + noError(err)
}

// asGob is a stream: types are sent once.
type asGob struct {
	sent    bytes.Buffer
	encoder *gob.Encoder
}

func (g *asGob) send(_, changed []unitView, left []uint64) int {
	if g.encoder == nil {
		g.encoder = gob.NewEncoder(&g.sent)
	}
	g.sent.Reset()
	err := g.encoder.Encode(struct {
		Changed []unitView
		Left    []uint64
	}{changed, left})
	return g.sent.Len() + noError(err)
}

// A twin is a small world per client that has what the client sees, and a delta of it each tick.
type twin struct {
	s     world.State
	was   *world.Snapshot
	ids   map[uint64]world.GameObject
	coder delta.Coder
	sent  []byte
}

var names = layout.NewComponent[uint64]("unit name")

func newTwin(tb testing.TB) *twin {
	tb.Helper()
	counts := world.Counts{
		GameObjects: 512, Kinds: layout.Kinds(names, at, vel, health, stunned),
		Recipes: []world.Recipe{world.NewRecipe("twin", names, at, vel, health)},
	}
	t := &twin{
		s: world.Must(world.CreateState(counts)), ids: map[uint64]world.GameObject{},
	}
	t.was = world.Must(world.NewSnapshot(t.s))
	require.NoError(tb, t.was.Take(t.s))
	tb.Cleanup(func() { world.Close(t.s); t.was.Close() })
	return t
}

func (t *twin) send(seen, _ []unitView, left []uint64) int {
	t.s = world.Advance(t.s)
	for _, id := range left {
		t.s = world.Must(world.Dispose(t.s, t.ids[id]))
		delete(t.ids, id)
	}
	recipe := world.CountsOf(t.s).Recipes[0]
	for _, u := range seen {
		id, ok := t.ids[u.ID]
		if !ok {
			t.s, id = world.Must2(world.Spawn(t.s, recipe, names.Value(u.ID)))
			t.ids[u.ID] = id
		}
		if !ok || world.Must(world.Get(t.s, id, at)) != u.At {
			t.s = world.Must(world.Set(t.s, id, at, u.At))
		}
		if !ok || world.Must(world.Get(t.s, id, vel)) != u.Vel {
			t.s = world.Must(world.Set(t.s, id, vel, u.Vel))
		}
		if !ok || world.Must(world.Get(t.s, id, health)) != u.Health {
			t.s = world.Must(world.Set(t.s, id, health, u.Health))
		}
	}
	t.sent = world.Must(t.coder.Append(t.sent[:0], t.was.State(), t.s))
	return len(t.sent) + noError(t.was.Take(t.s))
}

func noError(err error) int {
	if err != nil {
		panic(err)
	}
	return 0
}

// A besides is what one client is told in one of these ways.
type besides struct {
	sender
	last map[uint64]unitView
}

// tell tells the client of what it sees.
func (b *besides) tell(seen []unitView) int {
	now := make(map[uint64]unitView, len(seen))
	var changed []unitView
	for _, u := range seen {
		if was, ok := b.last[u.ID]; !ok || was != u {
			changed = append(changed, u)
		}
		now[u.ID] = u
	}
	var left []uint64
	for id := range b.last {
		if _, ok := now[id]; !ok {
			left = append(left, id)
		}
	}
	slices.Sort(left)
	b.last = now
	return b.send(seen, changed, left)
}

// BenchmarkBeside has the bytes that a client is sent, and those of the same views in other ways: ten
// of 200 clients, after a while. The times of the others are without what finds out who sees whom
// and what has changed.
func BenchmarkBeside(b *testing.B) {
	for name, rest := range map[string]float32{"moving": 0, "resting": 0.8} {
		b.Run(name, func(b *testing.B) {
			const told, warm = 10, 20
			p := newPlain(b, 10000, 200, rest)
			ways := map[string]func() sender{
				"json": func() sender { return asJSON{} }, "gob": func() sender { return &asGob{} },
				"twin": func() sender { return newTwin(b) },
			}
			clients := map[string][]besides{}
			for way, of := range ways {
				for range told {
					clients[way] = append(clients[way], besides{sender: of()})
				}
			}
			size, took := map[string]int{}, map[string]time.Duration{}
			before, ticks := 0, 0
			tick := func() {
				if ticks++; ticks == warm {
					clear(size)
					clear(took)
					before = p.bytes()
				}
				p.tick()
				for i, c := range p.clients[:told] {
					var seen []unitView
					for sight := range c.conn.Sees() {
						if !sight.Leaving {
							seen = append(seen, p.unit(sight.ID))
						}
					}
					for way := range ways {
						began := time.Now()
						size[way] += clients[way][i].tell(seen)
						took[way] += time.Since(began)
					}
				}
			}
			for range warm {
				tick()
			}
			for b.Loop() {
				tick()
			}
			of := float64(p.bytes()-before) / float64(200*(ticks-warm))
			require.Positive(b, of)
			b.ReportMetric(of, "bytes/client")
			for way := range ways {
				n := float64(told * (ticks - warm))
				b.ReportMetric(float64(size[way])/n, way+"-bytes/client")
				b.ReportMetric(float64(size[way])/n/of, way+"-ratio")
				b.ReportMetric(took[way].Seconds()*1e6/n, way+"-us/client")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
