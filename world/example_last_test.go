package world_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// A Voice is a handle of a mixer, which a program has to give back.
var (
	Voice  = layout.NewComponent[uint32]("voice")
	voices = world.NewWatcher(world.NewQuery(world.With(Voice))).Keep(Voice)
)

func Example_guideLast() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(Voice), Watchers: []world.Watcher{voices},
	})
	check(err)
	state, id, err := world.CreateWith(state, Voice)
	check(err)
	state, err = world.Set(state, id, Voice, 17)
	check(err)
	state = voices.Look(state)
	state, err = world.Dispose(state, id)
	check(err)

	state = voices.Look(state)
	for id := range voices.Left(state) {
		voice, err := world.LastOf(state, voices, id, Voice)
		fmt.Println("free voice", voice, err)
	}
	// Output: free voice 17 <nil>
}
