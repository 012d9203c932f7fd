// Command hello is the smallest useful program: a world, some objects in it, one system, and a look
// at what came of it.
//
//	go run ./cmd/examples/hello
package main

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// A component is a name and a Go type.
var (
	Place = layout.NewComponent[[2]float32]("place") // metres; x, y
	Speed = layout.NewComponent[[2]float32]("speed") // metres per second; x, y
)

// A query says which objects a system is about, and what it does with their components.
var moving = world.NewQuery(world.Write(Place), world.Read(Speed))

// Move is a system: a function that takes a world, changes it, and returns it.
func Move(s world.State, seconds float32) world.State {
	for b := range moving.In(s) { // a batch of matching objects
		place, speed := world.Column(b, Place), world.Column(b, Speed) // plain slices
		for i := range place {
			place[i][0] += float32(speed[i][0] * seconds)
			place[i][1] += float32(speed[i][1] * seconds)
		}
	}
	return s
}

func main() {
	// A world has room for what its counts say. Kinds without a count have room for every object.
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Place, Speed)}))
	defer func() { world.Close(state) }()

	// An object is an id; what it is follows from the components that it has.
	state, ship := world.Must2(world.CreateWith(state, Place, Speed))
	state = world.Must(world.Set(state, ship, Speed, [2]float32{2, 1}))
	state, rock := world.Must2(world.CreateWith(state, Place)) // has no speed: Move leaves it alone

	for range 60 {
		state = Move(state, 0.5)
	}

	for _, id := range []world.GameObject{ship, rock} {
		fmt.Println("object", id, "is at", world.Must(world.Get(state, id, Place)))
	}
	fmt.Println(moving.Count(state), "of", world.Len(state), "objects move")
}
