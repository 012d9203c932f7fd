package replica

import (
	"math/rand/v2"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/space"
)

// What the benchmarks replicate: units that walk, of which each client sees about 120.
var (
	at      = layout.NewComponent[[3]float32]("unit at")
	vel     = layout.NewComponent[[3]float32]("unit vel")
	health  = layout.NewComponent[uint16]("unit health", 100)
	secret  = layout.NewComponent[uint32]("unit secret")
	stunned = layout.NewMark("unit stunned")
	unit    = world.NewRecipe("unit", at, vel, health, secret)
	walking = world.NewQuery(world.Write(at), world.Write(vel))
)

// A plain is a server of n units in a square in which a radius of 50 has 120 of them.
type plain struct {
	s       world.State
	schema  *Schema
	cells   *space.Cells[[3]float32]
	server  *Server
	clients []*plainClient
	rest    float32 // share of units at rest
	size    float32
	random  *rand.Rand
	network *link.Network
	ids     []world.GameObject
}

type plainClient struct {
	at   [3]float32
	s    world.State
	m    *Mirror
	link link.Link
	conn *Conn
}

func newPlain(tb testing.TB, n, clients int, rest float32) *plain {
	tb.Helper()
	const known, size = 512, 1147 * 0.8
	p := &plain{
		rest: rest, size: size, random: rand.New(rand.NewPCG(1, 1)),
		network: link.NewNetwork(clients+1, link.Conditions{Loss: 0.05, Jitter: 1, Seed: 2}),
		schema: NewSchema(unit,
			Field(at, Fixed(0, size, 16).Delta().Smooth()), Field(vel, Fixed(-8, 8, 8)),
			Field(health, Raw()), Field(secret, Raw().OwnerOnly()), Mark(stunned),
		),
	}
	p.s = world.Must(world.CreateState(world.Counts{
		GameObjects: n, Recipes: []world.Recipe{unit},
		Kinds: layout.Kinds(at, vel, health, secret, stunned),
	}))
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
	p.server = NewServer(p.s, p.schema, Options{Clients: clients, Known: known})
	for i := range clients {
		c := &plainClient{link: p.network.Link(i+1, 0), conn: p.server.Accept(p.network.Link(0, i+1))}
		c.s = world.Must(world.CreateState(p.schema.Counts(known)))
		c.m = NewMirror(c.s, p.schema, known, Show{})
		c.at = [3]float32{p.random.Float32() * size, 0, p.random.Float32() * size}
		p.clients = append(p.clients, c)
		c.link.Send(c.m.Append(nil, nil))
	}
	tb.Cleanup(func() {
		world.Close(p.s)
		for _, c := range p.clients {
			world.Close(c.s)
		}
	})
	return p
}

func (p *plain) velocity() [3]float32 {
	return [3]float32{p.random.Float32()*10 - 5, 0, p.random.Float32()*10 - 5}
}

// walk moves units, of which 2 % turn and 1 % are hurt.
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

func (p *plain) see(v *View, c *Conn) {
	Near(v, p.cells.In(v.State()), p.clients[c.Number()].at, 50, 57.5, 1)
}

func (p *plain) tick() {
	p.walk()
	p.s = p.cells.Build(p.s, nil)
	p.network.Step()
	for range p.server.Joined() {
		continue
	}
	p.s = p.server.Send(p.s, p.see)
	for _, c := range p.clients {
		for b, ok := c.link.Receive(); ok; b, ok = c.link.Receive() {
			c.s = world.Must(c.m.Apply(c.s, b))
		}
		c.link.Send(c.m.Append(nil, nil))
	}
}

// bytes returns what all clients were sent.
func (p *plain) bytes() (n int) {
	for _, c := range p.clients {
		n += c.conn.Stats().Bytes
	}
	return n
}
