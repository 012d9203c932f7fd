// Command tank drives a tank with a turret and two guns. They are objects of their own, which go
// where the tank goes, fire shells, and are gone when it is.
//
//	go run ./cmd/examples/tank
package main

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

// Vec is a place, or a way, in metres.
type Vec struct{ X, Y float32 }

var (
	Offset = layout.NewComponent[Vec]("offset")    // from the parent, or from the origin
	Place  = layout.NewComponent[Vec]("place")     // in the world
	Speed  = layout.NewComponent[Vec]("speed")     // metres a second
	Loaded = layout.NewComponent[uint32]("loaded") // shells in a gun

	Hull   = world.NewRecipe("hull", Offset, Place, Speed)
	Turret = world.NewRecipe("turret", family.ChildOf, Offset, Place).With(Offset.Value(Vec{0, 2}))
	Gun    = world.NewRecipe("gun", family.ChildOf, Offset, Place, Loaded)
	Shell  = world.NewRecipe("shell", Offset, Place, Speed)
)

// Tank is spawned as a whole.
var Tank = family.Tree{Recipe: Hull, Children: []family.Tree{{
	Recipe: Turret, Children: []family.Tree{
		{Recipe: Gun, Values: []layout.FieldValue{Offset.Value(Vec{3, -0.5}), Loaded.Value(2)}},
		{Recipe: Gun, Values: []layout.FieldValue{Offset.Value(Vec{3, 0.5}), Loaded.Value(1)}},
	},
}}}

var (
	driving = world.NewQuery(world.Write(Offset), world.Read(Speed))
	placing = world.NewQuery(world.Write(Place), world.Read(Offset))
	firing  = world.NewQuery(world.Write(Loaded), world.Read(Place))
)

// Drive moves what has a speed.
func Drive(s world.State, seconds float32) world.State {
	for b := range driving.In(s) {
		offset, speed := world.Column(b, Offset), world.Column(b, Speed)
		for i := range offset {
			offset[i].X += float32(speed[i].X * seconds)
			offset[i].Y += float32(speed[i].Y * seconds)
		}
	}
	return s
}

// Follow places each object from its parent's place, parents before their children.
func Follow(s world.State) world.State {
	for b := range placing.Down(s, family.ChildOf) {
		place, offset := world.Column(b, Place), world.Column(b, Offset)
		for i, parent := range family.Parents(b, Place) {
			place[i] = Vec{parent.X + offset[i].X, parent.Y + offset[i].Y}
		}
	}
	return s
}

// Fire has every loaded gun fire a shell.
func Fire(s world.State) (world.State, error) {
	for b := range firing.In(s) {
		loaded, place := world.Column(b, Loaded), world.Column(b, Place)
		for i := range loaded {
			if loaded[i] > 0 {
				loaded[i]--
				b.Spawn(Shell, Offset.Value(place[i]), Speed.Value(Vec{X: 100}))
			}
		}
	}
	return world.Apply(s)
}

func main() {
	state := world.Must(world.CreateState(world.Counts{
		Kinds:   layout.Kinds(family.ChildOf, Offset, Place, Speed, Loaded),
		Recipes: []world.Recipe{Hull, Turret, Gun, Shell},
	}))
	defer func() { world.Close(state) }()
	state, tank, err := family.Spawn(state, Tank, Speed.Value(Vec{X: 10}))
	for step := 0; err == nil && step < 3; step++ {
		state = Follow(Drive(state, 0.5))
		state, err = Fire(state)
		for turret := range family.Children(state, family.ChildOf, tank) {
			place := world.Must(world.Get(state, turret, Place))
			fmt.Println("turret at", place, "objects", world.Len(state))
		}
	}
	if err == nil {
		state, err = world.Dispose(state, tank)
	}
	fmt.Println("without the tank", world.Len(state), err)
}
