package guide_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
)

// FallOrJump is a step with an input of one byte: whether the button is pressed.
func FallOrJump(s world.State, input []byte) world.State {
	if input[0] == 1 {
		if s = Jump(s, 5); !history.Resimulating(s) {
			fmt.Println("hop") // an effect outside the world
		}
	}
	return world.Advance(Fall(s, 0.5))
}

func Example_history() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(
			Position.Count(1), Velocity.Count(1), Gravity.Count(1), Frozen, Jumper,
		),
	})
	check(err)
	state, frog, err := world.CreateWith(state, Position, Velocity, Gravity, Jumper)
	check(err)

	past, err := history.New(state, 8, 1) // frames, and bytes of an input
	check(err)
	for range 4 {
		input := []byte{0}
		check(past.Record(state, input)) // the world before the step, and its input
		state = FallOrJump(state, input)
	}

	at, err := world.Get(state, frog, Position)
	check(err)
	fmt.Println("fell to", at[1])

	check(past.SetInput(1, []byte{1})) // arrived late: a jump in frame 1
	state, err = past.Resimulate(state, 1, FallOrJump)
	check(err)
	at, err = world.Get(state, frog, Position)
	check(err)
	fmt.Println("jumped, and is back at", at[1])

	state, err = past.Rollback(state, 1) // and drop frames 1 to 3
	check(err)
	_, next := past.Frames()
	fmt.Println("the next frame is", next, "in tick", world.Tick(state))
	// Output:
	// fell to -15
	// jumped, and is back at 0
	// the next frame is 1 in tick 2
}

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
