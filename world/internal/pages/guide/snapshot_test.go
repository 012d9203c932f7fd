package guide_test

import (
	"fmt"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

func Example_snapshot() {
	state := battle()
	state, stone, err := world.CreateWith(state, Position, Velocity, Gravity)
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
	counts.GameObjects, counts.Kinds[0] = 5_000, Position.Count(5_000)
	state, err = world.Resized(state, counts) // the same ids and rows
	check(err)
	fmt.Println(tool.Cap(state, Position.Kind()), world.Alive(state, stone))
	// Output:
	// true tick 1: position of object 0 in row 0: [0 0 0] ≠ [0 -2.5 0]
	// the same again: true
	// 5000 true
}
