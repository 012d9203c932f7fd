package world_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// Printer is a renderer that tells what it would draw.
type Printer struct{}

func (Printer) Init() {}

// DrawOne gets one object's position: float32 x, y, z.
func (Printer) DrawOne(object uint32, position []byte) {
	fmt.Println("object", object, "by", len(position), "bytes")
}

// DrawInstances gets many positions: the column itself, in the world's memory.
func (Printer) DrawInstances(kind string, positions []byte) {
	fmt.Println(len(positions)/12, "of", kind, "at once")
}

func Example_guideDraw() {
	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(10), heroes.Instance.Count(10),
	)})
	check(err)
	state, _, err = world.CreateWith(state, heroes.Position)
	check(err)
	for range 3 {
		state, _, err = world.CreateWith(state, heroes.Position, heroes.Instance)
		check(err)
	}
	state = heroes.RenderOneByOne(state, Printer{})
	state = heroes.RenderInstances(state, Printer{})
	world.Close(state)
	// Output:
	// object 0 by 12 bytes
	// 3 of instance at once
}
