package replica

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/space"
)

// The benchmarks replicate units that walk; each client sees about 120 of them.
var (
	at      = layout.NewComponent[[3]float32]("unit at")
	vel     = layout.NewComponent[[3]float32]("unit vel")
	health  = layout.NewComponent[uint16]("unit health", 100)
	secret  = layout.NewComponent[uint32]("unit secret")
	stunned = layout.NewMark("unit stunned")
	unit    = world.NewRecipe("unit", at, vel, health, secret)
	walking = world.NewQuery(world.Write(at), world.Write(vel))
)

// A plain is an arena of n units in a square in which a radius of 50 has 120 of them.
type plain struct {
	*arena
	cells *space.Cells[[3]float32]
	rest  float32 // share of units at rest
	size  float32
	ids   []world.GameObject
}

func newPlain(tb testing.TB, n, clients int, rest float32) *plain {
	tb.Helper()
	const size = 1147 * 0.8
	conditions := link.Conditions{Loss: 0.05, Jitter: 1, Seed: 2}
	p := &plain{rest: rest, size: size, arena: &arena{
		tb: tb, random: rand.New(rand.NewPCG(1, 1)), network: link.NewNetwork(clients+1, conditions),
		schema: NewSchema(unit,
			Field(at, Fixed(0, size, 16).Delta().Smooth()), Field(vel, Fixed(-8, 8, 8)),
			Field(health, Raw()), Field(secret, Raw().OwnerOnly()), Mark(stunned),
		),
	}}
	p.s = world.Must(world.CreateState(world.Counts{
		GameObjects: n, Recipes: []world.Recipe{unit},
		Kinds: layout.Kinds(at, vel, health, secret, stunned),
	}))
	tb.Cleanup(func() { world.Close(p.s) })
	p.s = world.Must(world.SpawnN(p.s, unit, n, func(b world.Batch) {
		for i := range b.Len() {
			world.Column(b, at)[i] = [3]float32{p.random.Float32() * size, 0, p.random.Float32() * size}
			world.Column(b, vel)[i] = p.velocity()
		}
	}))
	for id := range world.GameObjects(p.s) {
		p.ids = append(p.ids, id)
	}
	axes := at.Axes()
	p.cells = world.Must(space.NewCells(p.s, at, space.Options{Size: 60, Axes: []string{axes[0], axes[2]}}))
	o := Options{Clients: clients, Known: 512}
	p.server = NewServer(p.s, p.schema, o)
	for i := range clients {
		p.join(i, o).at = vec{p.random.Float32() * size, p.random.Float32() * size}
	}
	p.see = func(v *View, c *Conn) {
		at := p.clients[c.Number()].at
		Near(v, p.cells.In(v.State()), [3]float32{at[0], 0, at[1]}, 50, 57.5, 1)
	}
	return p
}

func (p *plain) velocity() [3]float32 {
	return [3]float32{p.random.Float32()*10 - 5, 0, p.random.Float32()*10 - 5}
}

// walk moves units; 2 % of them turn and 1 % are hurt.
func (p *plain) walk() {
	p.s = world.Advance(p.s)
	n := int(float32(len(p.ids)) * (1 - p.rest))
	for b := range walking.In(p.s) {
		x, v := world.Column(b, at), world.Column(b, vel)
		for i := range x[:min(n, len(x))] {
			for k := 0; k < 3; k += 2 {
				x[i][k] += float32(v[i][k] * 0.05)
				if x[i][k] < 0 || x[i][k] > p.size {
					v[i][k] = -v[i][k]
				}
			}
		}
	}
	for range n / 50 {
		p.s = world.Must(world.Set(p.s, p.ids[p.random.IntN(n)], vel, p.velocity()))
	}
	for range n / 100 {
		p.s = world.Must(world.Set(p.s, p.ids[p.random.IntN(n)], health, uint16(p.random.IntN(100))))
	}
}

func (p *plain) tick() {
	p.walk()
	p.s = p.cells.Build(p.s, nil)
	p.tickOf()
}

// bytes returns what all clients were sent.
func (p *plain) bytes() (n int) {
	for _, c := range p.clients {
		n += c.conn.Stats().Bytes
	}
	return n
}

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

// A sender is another method of replication. It gets all objects that a client sees and the changes
// since the last tick, and returns the bytes. None of these methods loses a datagram, or has to
// know which were lost, which would take more.
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
	t := &twin{s: world.Must(world.CreateState(counts)), ids: map[uint64]world.GameObject{}}
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

// A besides is the data of one client with one of these methods.
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

// A value of three numbers comes as the server has it.
func TestThreeNumbersTravel(t *testing.T) {
	p, n := newPlain(t, 300, 1, 0), 0
	p.network.Set(link.Conditions{})
	for range 9 {
		p.tick()
	}
	for range 5 {
		p.tickOf()
	}
	c := p.clients[0]
	c.s = c.m.Present(c.s, 0)
	for slot, e := range c.conn.slots.all {
		if e.state == free {
			continue
		}
		got := world.Must(world.Get(c.s, c.m.slots[slot].id, at))
		for l, v := range world.Must(world.Get(p.s, e.id, at)) {
			require.Equal(t, through(Fixed(0, p.size, 16), v), got[l])
			n++
		}
	}
	require.Positive(t, n)
}

// BenchmarkBeside reports the bytes sent to a client, and the bytes of the same views with other
// methods: for ten of 200 clients, after a while. The times of the others exclude finding the
// visible objects and the changes.
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
					for _, e := range c.conn.slots.all {
						if e.state == live {
							seen = append(seen, p.unit(e.id))
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
