package world_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

func Example_guideSnapshot() {
	state := battle()
	state, stone, err := world.CreateWith(state, world.PositionKind, Body, Gravity)
	check(err)

	snapshot, err := world.NewSnapshot(state) // room for one, allocated once
	check(err)
	check(snapshot.Take(state))
	state = Fall(Fall(state, 0.5), 0.5)
	first := world.Digest(state)

	difference, differ, err := world.FirstDifference(snapshot.State(), state)
	check(err)
	fmt.Println(differ, difference)

	state, err = world.Restore(state, snapshot) // and the same steps again
	check(err)
	state = Fall(Fall(state, 0.5), 0.5)
	fmt.Println("the same again:", world.Digest(state) == first)

	counts := world.CountsOf(state)
	counts.Positions, counts.GameObjects = 5_000, 5_000
	state, err = world.Resized(state, counts) // ids and rows stay what they are
	check(err)
	fmt.Println(world.Cap(state, world.PositionKind), world.Alive(state, stone))
	// Output:
	// true tick 1: body.velocity of game object 0 in row 0: [0 0 0] and [0 -10 0]
	// the same again: true
	// 5000 true
}

func Example_guideClone() {
	state, err := world.CreateState(world.Counts{
		Positions: 2, Kinds: []layout.Count{Body.Count(2), Gravity.Count(2), Frozen.Count(0)},
	})
	check(err)
	state, _, err = world.CreateWith(state, world.PositionKind, Body, Gravity)
	check(err)
	before, err := world.Clone(state) // a system uses its state up; a clone is kept
	check(err)
	state = Fall(state, 0.5)
	fmt.Println(world.Equal(before, state), world.Equal(Fall(before, 0.5), state))
	// Output: false true
}
