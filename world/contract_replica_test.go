package world_test

import (
	"reflect"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica"
)

var (
	roomMoved  = world.NewRecipe("moved in a room", heroes.Position)
	roomSchema = replica.NewSchema(roomMoved,
		replica.Field(heroes.Position, replica.Fixed(0, 9, 16).Delta()))
)

// listReplica lists what functions of link and replica take.
func listReplica(all map[reflect.Type]listing) {
	network := func() *link.Network { return link.NewNetwork(2, link.Conditions{}) }
	list(all, func(*room) *link.Network { return network() }, nil)
	list(all, func(*room) link.Listener { return new(link.Rooms).Open(1) }, nil)
	list(all, func(*room) link.Link { return network().Link(0, 1) }, nil)
	list(all, func(*room) link.Conditions { return link.Conditions{} }, bads{
		"negative": link.Conditions{Delay: -1},
	})
	list(all, func(*room) replica.Wire { return replica.Fixed(0, 9, 16) }, bads{
		"of a short lane with differences": replica.Fixed(0, 9, 8).Delta(),
	})
	list(all, func(*room) replica.Part { return replica.Field(heroes.Position, replica.Raw()) }, nil)
	list(all, func(*room) *replica.Schema { return roomSchema }, nil)
	options := replica.Options{Clients: 1, Input: 1}
	list(all, func(*room) replica.Options { return options }, bads{
		"of too many clients": replica.Options{Clients: 1 << 30},
		"of huge inputs":      replica.Options{Clients: 1, Input: 1 << 30},
		"of negative objects": replica.Options{Clients: 1, Known: -1},
	})
	server := func(g *room) *replica.Server { return replica.NewServer(g.s, roomSchema, options) }
	list(all, server, nil)
	list(all, func(g *room) *replica.Conn { return server(g).Accept(network().Link(0, 1)) }, nil)
	list(all, func(*room) func(*replica.View, *replica.Conn) {
		return func(*replica.View, *replica.Conn) {}
	}, nil)
	list(all, func(*room) replica.Show { return replica.Show{} }, bads{
		"negative": replica.Show{Behind: -1, Tick: -1},
	})
	mirror := func(g *room) *replica.Mirror {
		s := world.Must(world.CreateState(roomSchema.Counts(8)))
		g.later(func() { world.Close(s) })
		return replica.NewMirror(s, roomSchema, 8, replica.Show{})
	}
	list(all, mirror, nil)
	list(all, func(g *room) *replica.Predictor {
		return replica.NewPredictor(mirror(g), 1, func(s world.State, _ []byte) world.State { return s })
	}, nil)
}
