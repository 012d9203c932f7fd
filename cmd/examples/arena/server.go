package main

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica"
	"github.com/flatecs/flatecs/world/space"
)

// An Arena is the server: the world, and the clients that it shows parts of it.
type Arena struct {
	state  world.State
	cells  *space.Cells[[2]float32]
	server *replica.Server
	door   link.Listener
	links  []link.Client      // by number of the client
	tanks  []world.GameObject // by number of the client
}

// NewArena returns a server for clients who come in by a door.
func NewArena(door link.Listener, clients int) *Arena {
	a := &Arena{
		door: door, links: make([]link.Client, clients), tanks: make([]world.GameObject, clients),
	}
	a.state = world.Must(world.CreateState(world.Counts{
		GameObjects: clients, Recipes: []world.Recipe{Tank},
		Kinds: layout.Kinds(Place, Heading, Armour, Team, Loading, Hits),
	}))
	a.cells = world.Must(space.NewCells(a.state, Place, space.Options{Size: sight}))
	a.server = replica.NewServer(a.state, Shown, replica.Options{
		Clients: clients, Known: known, Input: 1,
	})
	return a
}

// Tick is called 20 times a second.
func (a *Arena) Tick() {
	a.state = world.Advance(a.state)
	a.comeAndGo()
	for c, input := range a.server.Inputs() {
		var fires bool
		a.state, fires = Steer(a.state, a.tanks[c.Number()], input.Bytes[0])
		if fires {
			a.shoot(c, input)
		}
	}
	a.state = a.cells.Build(a.state, nil)
	near := a.cells.In(a.state)
	a.state = a.server.Send(a.state, func(v *replica.View, c *replica.Conn) {
		own := a.tanks[c.Number()]
		v.Own(own)
		replica.Near(v, near, world.Must(world.Get(v.State(), own, Place)), sight, sight+5, 1)
	})
	a.door.Flush()
}

func (a *Arena) comeAndGo() {
	for l, ok := a.door.Accept(); ok; l, ok = a.door.Accept() {
		if c := a.server.Accept(l); c != nil {
			a.links[c.Number()] = l
		} else {
			l.Close() // there is no room
		}
	}
	for c := range a.server.Joined() {
		team := uint8(c.Number() % 2)
		a.state, a.tanks[c.Number()] = world.Must2(world.Spawn(a.state, Tank,
			Place.Value(start(c.Number())), Heading.Value(3*float32(team)), Team.Value(team)))
	}
	for c := range a.server.Gone() {
		a.state = world.Must(world.DisposeGameObject(a.state, a.tanks[c.Number()]))
		a.links[c.Number()].Close()
	}
}

// start is where a tank begins, and begins again: each team on its side.
func start(number int) [2]float32 {
	return [2]float32{float32(40 + 120*(number%2)), float32(20 + 37*number%160)}
}

// shoot hits the first tank ahead, where its shooter saw it when it fired.
func (a *Arena) shoot(c *replica.Conn, input replica.Input) {
	own := a.tanks[c.Number()]
	from := world.Must(world.Get(a.state, own, Place))
	way := ahead(world.Must(world.Get(a.state, own, Heading)))
	target, best := -1, float32(reach)
	for number, id := range a.tanks {
		at, seen := replica.Was(c, input, Place, id)
		if along, ok := meets(from, way, at); id != own && seen && ok && along < best {
			target, best = number, along
		}
	}
	if target < 0 {
		return
	}
	hit := a.tanks[target]
	armour := world.Must(world.Get(a.state, hit, Armour))
	if armour -= 10; armour == 0 { // it begins again
		armour = 100
		a.state = world.Must(world.Set(a.state, hit, Place, start(target)))
	}
	a.state = world.Must(world.Set(a.state, hit, Armour, armour))
	hits := world.Must(world.Get(a.state, own, Hits))
	a.state = world.Must(world.Set(a.state, own, Hits, hits+1))
}
