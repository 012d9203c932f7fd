package replica_test

import (
	"fmt"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica"
	"github.com/flatecs/flatecs/world/space"
)

// The declarations of both ends.
var (
	Place = layout.NewComponent[[2]float32]("tank place") // world units
	Ammo  = layout.NewComponent[uint16]("tank ammo", 20)
	Tank  = world.NewRecipe("tank", Place, Ammo)

	Shown = replica.NewSchema(Tank,
		replica.Field(Place, replica.Fixed(0, 1000, 16).Delta().Smooth().Owner(replica.Raw())),
		replica.Field(Ammo, replica.Raw().OwnerOnly()),
	)
)

// Steer moves a tank by an input: right, up. Server and client call it.
func Steer(s world.State, tank world.GameObject, input []byte) world.State {
	at, err := world.Get(s, tank, Place)
	if err != nil {
		return s
	}
	at[0] += float32(float32(int8(input[0])) / 4)
	at[1] += float32(float32(int8(input[1])) / 4)
	return world.Must(world.Set(s, tank, Place, at))
}

// A Host is a server's program.
type Host struct {
	state   world.State
	cells   *space.Cells[[2]float32]
	server  *replica.Server
	players [8]world.GameObject // by number of the client
}

func NewHost(links []link.Link) *Host {
	h := &Host{state: world.Must(world.CreateState(world.Counts{
		GameObjects: 100, Kinds: layout.Kinds(Place, Ammo), Recipes: []world.Recipe{Tank},
	}))}
	h.cells = world.Must(space.NewCells(h.state, Place, space.Options{Size: 60}))
	h.server = replica.NewServer(h.state, Shown, replica.Options{Clients: 8, Input: 2})
	for _, l := range links {
		h.server.Accept(l)
	}
	return h
}

// Tick is called 20 times a second.
func (h *Host) Tick() {
	h.state = world.Advance(h.state)
	for c := range h.server.Joined() {
		at := [2]float32{500 + 40*float32(c.Number()), 500}
		h.state, h.players[c.Number()] = world.Must2(world.Spawn(h.state, Tank, Place.Value(at)))
	}
	for c := range h.server.Gone() {
		h.state = world.Must(world.Dispose(h.state, h.players[c.Number()]))
	}
	for c, input := range h.server.Inputs() {
		h.state = Steer(h.state, h.players[c.Number()], input.Bytes)
	}
	h.state = h.cells.Build(h.state, nil)
	near := h.cells.In(h.state)
	h.state = h.server.Send(h.state, func(v *replica.View, c *replica.Conn) {
		own := h.players[c.Number()]
		v.Own(own)
		replica.Near(v, near, world.Must(world.Get(v.State(), own, Place)), 50, 57.5, 1)
	})
}

// A Player is a client's program.
type Player struct {
	state  world.State
	link   link.Link
	mirror *replica.Mirror
	me     *replica.Predictor
}

func NewPlayer(l link.Link) *Player {
	p := &Player{link: l, state: world.Must(world.CreateState(Shown.Counts(512)))}
	p.mirror = replica.NewMirror(p.state, Shown, 512, replica.Show{})
	p.me = replica.NewPredictor(p.mirror, 2, func(s world.State, input []byte) world.State {
		for tank := range p.mirror.Own() {
			s = Steer(s, tank, input)
		}
		return s
	})
	return p
}

// Frame is called as often as is drawn, with the time and the keys that are pressed.
func (p *Player) Frame(now time.Duration, keys []byte) error {
	for datagram, ok := p.link.Receive(); ok; datagram, ok = p.link.Receive() {
		var err error
		if p.state, err = p.mirror.Apply(p.state, datagram); err != nil {
			return err // another build, if it is ErrSchema
		}
	}
	for p.mirror.Due(now) {
		p.state = p.me.Step(p.state, keys)
		p.link.Send(p.mirror.Append(nil, p.me))
	}
	p.state = p.mirror.Present(p.state, now) // draw it
	return nil
}

// A server and three players in one process, on a network that delays by 100 ms and loses one
// datagram in ten.
func Example() {
	network := link.NewNetwork(4, link.Conditions{Delay: 2, Loss: 0.1, Seed: 1})
	host := NewHost(network.Links(0)[1:])
	players := make([]*Player, 3)
	for i := range players {
		players[i] = NewPlayer(network.Link(i+1, 0))
	}
	for tick := range 200 {
		network.Step()
		host.Tick()
		keys := []byte{0, 0}
		if tick < 100 {
			keys[1] = 2 // all drive up
		}
		for _, p := range players {
			if err := p.Frame(time.Duration(tick)*50*time.Millisecond, keys); err != nil {
				fmt.Println(err)
			}
		}
	}

	for i, p := range players {
		fmt.Println("player", i, "sees", world.Len(p.state), "tanks")
		for tank := range p.mirror.Own() {
			here := world.Must(world.Get(p.state, tank, Place))
			there := world.Must(world.Get(host.state, host.players[i], Place))
			fmt.Println("  its own is where the server has it:", here == there, here)
		}
	}
	// Output:
	// player 0 sees 2 tanks
	//   its own is where the server has it: true [500 550]
	// player 1 sees 3 tanks
	//   its own is where the server has it: true [540 550]
	// player 2 sees 2 tanks
	//   its own is where the server has it: true [580 550]
}
