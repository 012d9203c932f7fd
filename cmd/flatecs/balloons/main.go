// Command balloons lets a thousand balloons rise. flatecs new begins a game with it.
package main

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

type Place struct{ X, Y, Z float32 } // world units

var (
	At      = layout.NewComponent[Place]("place")
	Lift    = layout.NewComponent[float32]("lift", 5) // world units per second
	Balloon = world.NewRecipe("balloon", At, Lift)
	rising  = world.NewQuery(world.Write(At), world.Read(Lift))
)

func Rise(s world.State, seconds float32) world.State {
	for b := range rising.In(s) { // batches of plain slices
		at, lift := world.Column(b, At), world.Column(b, Lift) // []Place, []float32
		for i := range at {
			at[i].Y += float32(lift[i] * seconds)
		}
	}
	return s
}

func main() {
	state := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(At, Lift), Recipes: []world.Recipe{Balloon},
	}))
	state = world.Must(world.SpawnN(state, Balloon, 1_000, nil))
	for range 60 {
		state = Rise(state, 0.5)
	}
	fmt.Println(rising.Count(state), "balloons at a height of", world.View(state, At)[0].Y)
	world.Close(state)
	// Output: 1000 balloons at a height of 150
}
