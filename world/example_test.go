package world_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// The first twenty lines: a world, a hero with a position and a velocity, and systems that move it.
func Example() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(
			heroes.Position.Count(1_000_000), heroes.Velocity.Count(1_000_000),
			heroes.MaxVelocity.Count(1_000),
		),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	state, hero, err := world.Create(state)
	if err != nil {
		fmt.Println(err)
		return
	}
	state, position, err := world.Ensure(state, hero, heroes.Position) // creates and mounts it
	if err != nil {
		fmt.Println(err)
		return
	}
	state, velocity, err := world.Ensure(state, hero, heroes.Velocity)
	if err != nil {
		fmt.Println(err)
		return
	}
	state = world.SetRow(state, heroes.Velocity, velocity, 2) // world units per step
	state = heroes.Move(state, position, velocity)            // one hero
	state = heroes.MoveAll(state)                             // every hero that has both

	fmt.Println("hero", hero, "is at", world.GetRow(state, heroes.Position, position))
	// Output: hero 0 is at [4 4 4]
}

// Create and mount are two steps where that is wanted.
func ExampleCreateComponent() {
	state, _ := world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(10))})
	state, position, _ := world.CreateComponent(state, heroes.Position) // on no object yet
	state, hero, _ := world.Create(state)
	fmt.Println(world.Has(state, hero, heroes.Position))

	state, err := world.Mount(state, hero, heroes.Position, position)
	fmt.Println(world.Has(state, hero, heroes.Position), err)

	_, err = world.Mount(state, hero, heroes.Position, position)
	fmt.Println(err)
	// Output:
	// false
	// true <nil>
	// flatecs: position of game object 0: Component added to same entity more than once. Remove it first, or set its values.
}

// A kind of one's own, its fields, and a system over it and the built-in positions.
var (
	windSpeed = layout.NewField("speed", [3]float32{1, 0, 0}) // world units per second; x, y, z
	windName  = layout.NewField[uint16]("name")
	wind      = layout.NewKind("wind", windSpeed, windName)
	anchored  = layout.NewMark("anchored")

	drifting = world.NewQuery(
		world.Write(heroes.Position), world.Read(windSpeed), world.Without(anchored))
)

// Drift moves what the wind blows at. dt is in seconds.
func Drift(s world.State, dt float32) world.State {
	for b := range drifting.In(s) {
		p := layout.Flat[float32](heroes.Position, world.Column(b, heroes.Position))
		v := layout.Flat[float32](windSpeed, world.Column(b, windSpeed))
		for i := range p {
			p[i] += float32(v[i] * dt)
		}
	}
	return s
}

func ExampleNewQuery() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(wind.Count(100), anchored.Count(0), heroes.Position.Count(100)),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var boats []world.GameObject
	for range 3 {
		var boat world.GameObject
		state, boat, _ = world.Create(state)
		state, _ = world.Add(state, boat, heroes.Position)
		state, _ = world.Add(state, boat, wind)
		boats = append(boats, boat)
	}
	state, _ = world.Add(state, boats[1], anchored)

	for range 4 {
		state = Drift(state, 0.5)
	}
	fmt.Println(drifting.Count(state), "boats drift:", layout.Flat[float32](heroes.Position, world.View(state, heroes.Position))[:9])
	// Output: 2 boats drift: [2 0 0 0 0 0 2 0 0]
}

func ExampleClone() {
	state, _ := world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(1), heroes.Velocity.Count(1),
	)})
	state, hero, _ := world.Create(state)
	state, position, _ := world.Ensure(state, hero, heroes.Position)
	state, _ = world.Add(state, hero, heroes.Velocity)

	before, _ := world.Clone(state) // a system uses its state up; a clone is kept
	state = heroes.MoveAll(state)
	fmt.Println(world.GetRow(before, heroes.Position, position), world.GetRow(state, heroes.Position, position))
	// Output: [0 0 0] [1 1 1]
}
