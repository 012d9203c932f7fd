package history_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
)

func ExampleHistory_Undo() {
	var (
		coins = layout.NewComponent[uint32]("coins")
		last  = layout.NewValues("last buyer", "nobody") // Go values go back, too
	)
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(coins, last)}))
	state, shop := world.Must2(world.CreateWith(state, coins, last))
	past := world.Must(history.New(state, 60, 0)) // 60 frames; inputs have 0 bytes
	defer past.Close()
	for i, buyer := range []string{"Ada", "Ben"} {
		if err := past.Record(state, nil); err != nil { // before each step
			fmt.Println(err)
		}
		state = world.Must(world.Set(state, shop, coins, uint32(10+i)))
		state = world.Must(world.SetValue(state, shop, last, buyer))
	}
	for err := error(nil); err == nil; {
		fmt.Println(world.Must(world.Get(state, shop, coins)),
			world.Must(world.ValueOf(state, shop, last)))
		if state, err = past.Undo(state); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 11 Ben
	// 10 Ada
	// 0 nobody
	// history: Undo: the history does not have this frame: no recorded step is left; call Record before each step, and keep more frames by New to go further back
}
