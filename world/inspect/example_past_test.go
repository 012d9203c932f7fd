package inspect_test

import (
	"fmt"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// A program with a past: the page pauses it, goes back, and asks which job wrote a value.
func ExampleInspector_Turn() {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(100), heroes.Velocity.Count(100),
	)}))
	clock := stage.Clock(time.Now)
	jobs := schedule.New(1)
	defer jobs.Close()
	check(jobs.Register(schedule.Pipeline{
		Name:   "frame",
		Groups: []schedule.Group{{Name: "all", Elements: []string{"move"}}},
		Jobs: []schedule.Job{
			{Name: "move", Run: heroes.MoveAll, Queries: []world.Query{heroes.MoveQuery}},
		},
	}))
	step := func(s world.State, _ []byte) world.State { return world.Must(jobs.Run(s, "frame")) }
	pressed := func() []byte { return []byte{0} }
	played := 0
	playing := func() bool { played++; return played <= 3 }

	past, err := timeline.New(state, timeline.Options{Step: step, Frames: 36_000, InputBytes: 1})
	check(err)
	inspector, err := inspect.New(state, inspect.Options{
		Clock: clock, Past: past, Step: step,
		Why: why.Past{Timeline: past, Jobs: jobs}.Wrote,
	})
	check(err)
	for playing() {
		var steps int
		state, steps = inspector.Turn(state) // 0 while paused, after a short wait
		for range steps {
			input := inspector.Input(pressed()) // or that of before
			check(past.Record(state, input))
			state = step(state, input)
		}
		check(inspector.Publish(state))
	}

	first, next := past.Frames()
	fmt.Println("frames from", first, "to", next)
	inspector.Close()
	past.Close()
	world.Close(state)
	// Output: frames from 0 to 3
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
