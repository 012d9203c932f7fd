// Command expire lets rockets burst into sparks, which go out when their time is up. What a walk
// wants spawned or disposed it records as commands, and Apply carries them out after it.
//
//	go run ./cmd/examples/expire
package main

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var (
	Height   = layout.NewComponent[float32]("height")      // metres
	Fuse     = layout.NewComponent[float32]("fuse", 2)     // seconds until a rocket bursts
	TimeLeft = layout.NewComponent[float32]("timeLeft", 1) // seconds until a spark goes out
)

// A recipe is what an object has when it is spawned.
var (
	Rocket = world.NewRecipe("rocket", Height, Fuse)
	Spark  = world.NewRecipe("spark", Height, TimeLeft)
)

var (
	climbing = world.NewQuery(world.Write(Height, Fuse))
	aging    = world.NewQuery(world.Write(TimeLeft))
)

// Climb takes rockets up by 30 metres a second, and has those burst whose fuse is burnt.
func Climb(s world.State, seconds float32) world.State {
	for b := range climbing.In(s) {
		height, fuse := world.Column(b, Height), world.Column(b, Fuse)
		for i := range height {
			height[i] += float32(30 * seconds)
			fuse[i] -= seconds
			if fuse[i] > 0 {
				continue
			}
			b.Dispose(i) // recorded: while a walk is open, no object comes or goes
			for range 50 {
				b.Spawn(Spark, Height.Value(height[i]))
			}
		}
	}
	return s
}

// Expire has those disposed whose time is up.
func Expire(s world.State, seconds float32) world.State {
	for b := range aging.In(s) {
		left := world.Column(b, TimeLeft)
		for i := range left {
			left[i] -= seconds
			if left[i] <= 0 {
				b.Dispose(i)
			}
		}
	}
	return s
}

func main() {
	state := world.Must(world.CreateState(world.Counts{
		GameObjects: 1_000,
		Kinds:       layout.Kinds(Height, Fuse, TimeLeft),
		Recipes:     []world.Recipe{Rocket, Spark},
	}))
	defer func() { world.Close(state) }()

	const seconds = 0.5 // of a step
	for step := range 10 {
		if step%4 == 0 {
			state, _ = world.Must2(world.Spawn(state, Rocket))
		}
		state = Climb(state, seconds)
		state = Expire(state, seconds)
		state = world.Must(world.Apply(state)) // now they come and go
		fmt.Println("step", step, "rockets", climbing.Count(state), "sparks", aging.Count(state))
	}
}
