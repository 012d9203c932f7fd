package world_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var health = layout.NewComponent("health", float32(10))

// Wound takes health from every object that was hit.
func Wound(s world.State, hit []world.GameObject) world.State {
	healths := world.WriterOf(s, health)
	found := make([]*float32, len(hit)) // a game keeps it from step to step
	healths.AtN(found, hit)
	for _, h := range found {
		if h != nil { // nil where the object is gone or has no health
			*h -= 3
		}
	}
	return s
}

// Many objects are read and written by id at once.
func ExampleWriterOf_many() {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(health)}))
	defer func() { world.Close(state) }()
	state, troll, err := world.CreateWith(state, health)
	if err != nil {
		fmt.Println(err)
		return
	}
	state, elf, err := world.CreateWith(state, health)
	if err != nil {
		fmt.Println(err)
		return
	}
	state = Wound(state, []world.GameObject{elf, troll, 0, elf})

	left := make([]float32, 2)
	reader := world.ReaderOf(state, health)
	fmt.Println(reader.AtN(left, []world.GameObject{troll, elf}), left)
	// Output: 2 [7 4]
}
