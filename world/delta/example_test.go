package delta_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/heroes"
)

func Example() {
	there, err := world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(1_000), heroes.Velocity.Count(1_000),
	)})
	if err != nil {
		panic(err)
	}
	here, err := world.Clone(there) // the same world on two machines
	if err != nil {
		panic(err)
	}
	before, err := world.NewSnapshot(here)
	if err != nil {
		panic(err)
	}

	var coder delta.Coder // ready to use; keep it, as it keeps its working memory
	for range 3 {
		_ = before.Take(here)
		here, _, _ = world.CreateWith(here, heroes.Position, heroes.Velocity)
		here = heroes.MoveAll(here)

		d, err := coder.Append(nil, before.State(), here) // some bytes, to be sent
		if err != nil {
			panic(err)
		}
		there, err = coder.Apply(there, d)
		fmt.Println(len(d) < 1000, world.Equal(here, there), err)
	}
	// Output:
	// true true <nil>
	// true true <nil>
	// true true <nil>
}
