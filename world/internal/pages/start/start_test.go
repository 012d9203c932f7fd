// Package start_test has the program of docs/START.md.
package start_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/save"
)

type Vector struct{ X, Y, Z float32 }

var (
	Position = layout.NewComponent[Vector]("position")
	Velocity = layout.NewComponent("velocity", Vector{Y: 5}) // of a new balloon, per second
	Balloon  = world.NewRecipe("balloon", Position, Velocity)
	Sand     = layout.NewComponent("sand", uint8(3)) // bags
	Basket   = world.NewRecipe("basket", family.ChildOf, Sand)

	moving = world.NewQuery(world.Write(Position), world.Read(Velocity))
	blown  = world.NewQuery(world.Write(Velocity), world.Read(Position))
)

func Move(s world.State, seconds float32) world.State {
	for b := range moving.In(s) {
		positions, velocities := world.Column(b, Position), world.Column(b, Velocity)
		for i, v := range velocities {
			positions[i].X += float32(v.X * seconds)
			positions[i].Y += float32(v.Y * seconds)
		}
	}
	return s
}

// Blow blows high balloons aside.
func Blow(s world.State) world.State {
	for b := range blown.In(s) {
		positions, velocities := world.Column(b, Position), world.Column(b, Velocity)
		for i, at := range positions {
			if at.Y > 100 {
				velocities[i].X = 2
			}
		}
	}
	return s
}

func Example() {
	// 1. Spawn
	counts := world.Counts{Recipes: []world.Recipe{Balloon, Basket}}
	state := world.Must(world.CreateState(counts))
	state = world.Must(world.SpawnN(state, Balloon, 1_000, nil))
	state, red := world.Must2(world.Spawn(state, Balloon, Velocity.Value(Vector{Y: 8})))
	fmt.Println("red is", red, "of", world.Len(state))

	// 2. Query
	for range 15 {
		state = Blow(Move(state, 1))
	}
	fmt.Println("red is at", world.Must(world.Get(state, red, Position)))

	// 3. By id
	state = world.Must(world.Set(state, red, Velocity, Vector{Y: -1}))
	state = Move(state, 1)
	fmt.Println("red is at", world.Must(world.Get(state, red, Position)))

	// 4. Relation
	state, basket := world.Must2(world.Spawn(state, Basket, family.ChildOf.Value(red)))
	for below := range family.Children(state, family.ChildOf, red) {
		fmt.Println("below it are", world.Must(world.Get(state, below, Sand)), "bags")
	}
	state = world.Must(world.Dispose(state, red))
	fmt.Println("the basket is there:", world.Alive(state, basket))

	// 5. Save
	path := filepath.Join(os.TempDir(), "balloons.flat")
	check(save.Save(path, state, save.Options{}))
	loaded, _ := world.Must2(save.Load(path, counts, save.Options{}))
	fmt.Println("loaded, it is equal:", world.Equal(state, loaded))

	// 6. Rewind
	past := world.Must(history.New(state, 60, 0)) // 60 frames; inputs have 0 bytes
	before := world.Digest(state)
	for range 10 {
		check(past.Record(state, nil)) // before each frame
		state = Blow(Move(state, 1))
	}
	_, next := past.Frames()
	state = world.Must(past.Rollback(state, next-10))
	fmt.Println("ten frames ago again:", world.Digest(state) == before)
	// Output:
	// red is 1000 of 1001
	// red is at {4 120 0}
	// red is at {4 119 0}
	// below it are 3 bags
	// the basket is there: false
	// loaded, it is equal: true
	// ten frames ago again: true
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
