package world_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// A Gun is one component of several elements.
type Gun struct {
	Target world.GameObject // a reference
	Heat   float32
	Loaded bool
	Shots  [3]uint8 // left in each barrel
}

var Armed = layout.NewComponent("gun", Gun{Loaded: true})

func Example_structs() {
	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(Armed)})
	check(err)
	state, turret, err := world.CreateWith(state, Armed.Kind())
	check(err)
	state, enemy, err := world.Create(state)
	check(err)
	state, gun, err := world.Edit(state, turret, Armed) // a *Gun, in place
	check(err)
	gun.Target, gun.Heat = enemy, 0.5
	state, err = world.Dispose(state, enemy)
	check(err)
	fmt.Println(world.Dangling(state), "reference to an object that is gone:", gun.Target)
	for _, part := range Armed.Spec().Parts {
		fmt.Println(part.Name, part)
	}
	// Output:
	// 1 reference to an object that is gone: 1
	// Target id × 1
	// Heat float32 × 1
	// Loaded bool × 1
	// Shots uint8 × 3
}
