package world_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

func Example_guideSnapshot() {
	state := battle()
	state, stone, err := world.CreateWith(state, world.Position, Body, Gravity)
	check(err)

	snapshot, err := world.NewSnapshot(state) // room for one, allocated once
	check(err)
	check(snapshot.Take(state))
	state = Fall(Fall(state, 0.5), 0.5)
	first := world.Digest(state)

	difference, differ, err := tool.FirstDifference(snapshot.State(), state)
	check(err)
	fmt.Println(differ, difference)

	state, err = world.Restore(state, snapshot) // and the same steps again
	check(err)
	state = Fall(Fall(state, 0.5), 0.5)
	fmt.Println("the same again:", world.Digest(state) == first)

	counts := world.CountsOf(state)
	counts.GameObjects, counts.Kinds[0] = 5_000, world.Position.Count(5_000)
	state, err = world.Resized(state, counts) // ids and rows stay what they are
	check(err)
	fmt.Println(tool.Cap(state, world.Position.Kind()), world.Alive(state, stone))
	// Output:
	// true tick 1: position.xyz of object 0 in row 0: [0 0 0] ≠ [0 -2.5 0]
	// the same again: true
	// 5000 true
}

func Example_guideClone() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(
			Body.Count(2), Gravity.Count(2), Frozen.Count(0), world.Position.Count(2),
		),
	})
	check(err)
	state, _, err = world.CreateWith(state, world.Position, Body, Gravity)
	check(err)
	before, err := world.Clone(state) // a system uses its state up; a clone is kept
	check(err)
	state = Fall(state, 0.5)
	fmt.Println(world.Equal(before, state), world.Equal(Fall(before, 0.5), state))
	// Output: false true
}
