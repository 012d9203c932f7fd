// Package flatecs holds no code: it is the root of an entity component system in which the world is
// bytes. Programs import package world, and package layout to declare components:
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/flatecs/flatecs/layout"
//		"github.com/flatecs/flatecs/world"
//	)
//
//	type Vector struct{ X, Y, Z float32 }
//
//	var (
//		Position = layout.NewComponent[Vector]("position")
//		Velocity = layout.NewComponent("velocity", Vector{Y: 5}) // of a new balloon, per second
//		Balloon  = world.NewRecipe("balloon", Position, Velocity)
//		moving   = world.NewQuery(world.Write(Position), world.Read(Velocity))
//	)
//
//	func Move(s world.State, seconds float32) world.State {
//		for b := range moving.In(s) { // batches of plain slices
//			positions, velocities := world.Column(b, Position), world.Column(b, Velocity)
//			for i, v := range velocities {
//				positions[i].Y += float32(v.Y * seconds)
//			}
//		}
//		return s
//	}
//
//	func main() {
//		state := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{Balloon}}))
//		state = world.Must(world.SpawnN(state, Balloon, 1_000, nil))
//		for range 60 {
//			state = Move(state, 0.5)
//		}
//		fmt.Println(moving.Count(state), "balloons at height", world.View(state, Position)[0].Y)
//		// Output: 1000 balloons at height 150
//	}
//
// Start with `go doc ./world`, and with README.md and docs/START.md.
package flatecs
