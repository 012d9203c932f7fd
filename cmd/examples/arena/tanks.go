package main

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/exact"
	"github.com/flatecs/flatecs/world/replica"
)

const (
	size   = 200 // metres of the arena
	sight  = 60  // metres
	reach  = 40  // metres of a shot
	reload = 10  // ticks from shot to shot
)

// An input is a byte with these bits.
const (
	forward = 1 << iota
	left
	right
	fire
)

// What both ends declare.
var (
	Place   = layout.NewComponent[[2]float32]("place")
	Heading = layout.NewComponent[float32]("heading") // radians
	Armour  = layout.NewComponent[uint16]("armour", 100)
	Team    = layout.NewComponent[uint8]("team")
	Loading = layout.NewComponent[uint16]("loading") // ticks until the gun fires again
	Hits    = layout.NewComponent[uint16]("hits")
	Tank    = world.NewRecipe("tank", Place, Heading, Armour, Team, Loading, Hits)

	Shown = replica.NewSchema(Tank,
		replica.Field(Place, replica.Fixed(0, size, 16).Delta().Smooth().Owner(replica.Raw())),
		replica.Field(Heading, replica.Angle(8).Smooth().Owner(replica.Raw())),
		replica.Field(Armour, replica.Raw()),
		replica.Field(Team, replica.Raw().Once()),
		replica.Field(Loading, replica.Raw().OwnerOnly()),
		replica.Field(Hits, replica.Raw().OwnerOnly()),
	)
)

// Steer takes a tank's step by an input: the server's, and each client's own ahead of it.
func Steer(s world.State, tank world.GameObject, input byte) (_ world.State, fires bool) {
	heading := world.Must(world.Get(s, tank, Heading))
	switch input & (left | right) {
	case left:
		heading += 0.1
	case right:
		heading -= 0.1
	}
	s = world.Must(world.Set(s, tank, Heading, heading))
	if input&forward != 0 {
		at, way := world.Must(world.Get(s, tank, Place)), ahead(heading)
		for i := range at {
			at[i] = min(max(at[i]+float32(way[i]/2), 0), size) // walls
		}
		s = world.Must(world.Set(s, tank, Place, at))
	}
	loading := world.Must(world.Get(s, tank, Loading))
	switch fires = loading == 0 && input&fire != 0; {
	case fires:
		loading = reload
	case loading > 0:
		loading--
	}
	return world.Must(world.Set(s, tank, Loading, loading)), fires
}

// ahead is the way of a metre.
func ahead(heading float32) [2]float32 {
	sin, cos := exact.Sincos(heading)
	return [2]float32{cos, sin}
}

// meets returns how far ahead something is, if a shot hits it.
func meets(from, way, at [2]float32) (along float32, ok bool) {
	x, y := at[0]-from[0], at[1]-from[1]
	along = float32(x*way[0]) + float32(y*way[1])
	across := float32(x*way[1]) - float32(y*way[0])
	return along, along > 0 && along < reach && -2 < across && across < 2
}

// think is what a bot does, by what it sees: it turns to the next enemy, drives, and fires.
func think(s world.State, own world.GameObject) (input byte) {
	from := world.Must(world.Get(s, own, Place))
	heading, team := world.Must(world.Get(s, own, Heading)), world.Must(world.Get(s, own, Team))
	goal, best := [2]float32{size / 2, size / 2}, float32(size*size)
	for id := range world.GameObjects(s) {
		at := world.Must(world.Get(s, id, Place))
		x, y := at[0]-from[0], at[1]-from[1]
		far := float32(x*x) + float32(y*y)
		if id != own && world.Must(world.Get(s, id, Team)) != team && far < best {
			goal, best = at, far
		}
	}
	way := ahead(heading)
	x, y := goal[0]-from[0], goal[1]-from[1]
	switch across := float32(way[0]*y) - float32(way[1]*x); {
	case across > 1:
		input |= left
	case across < -1:
		input |= right
	}
	if _, ok := meets(from, way, goal); ok && best < size*size {
		input |= fire
	}
	if best > 15*15 {
		input |= forward
	}
	return input
}
