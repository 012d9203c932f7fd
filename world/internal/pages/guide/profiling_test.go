package guide_test

import (
	"context"
	"fmt"
	"runtime/pprof"

	"github.com/flatecs/flatecs/world"
)

func Example_profiling() {
	state, stone, err := world.CreateWith(battle(), Position, Velocity, Gravity)
	check(err)
	for range 2 {
		pprof.Do(context.Background(), pprof.Labels("system", "fall"), func(context.Context) {
			state = Fall(state, 0.5)
		})
	}
	fmt.Println(world.Get(state, stone, Position))
	// Output: [0 -2.5 0] <nil>
}
