package inspect_test

import (
	"context"
	"fmt"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

// The inspector as the last job of a pipeline, and its server.
func ExampleInspector_Job() {
	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(100), heroes.Velocity.Count(100),
	)})
	if err != nil {
		fmt.Println(err)
		return
	}
	clock := stage.Clock(time.Now)
	sched := schedule.New(1)
	defer sched.Close()
	sched.Clock = clock
	inspector, err := inspect.New(state, inspect.Options{
		Clock: clock, Schedule: sched, Pipeline: "frame",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := sched.Register(schedule.Pipeline{
		Name:   "frame",
		Groups: []schedule.Group{{Name: "all", Elements: []string{"move", "inspect"}}},
		Jobs: []schedule.Job{
			{Name: "move", Run: heroes.MoveAll, Queries: []world.Query{heroes.MoveQuery}},
			inspector.Job(),
		},
	}); err != nil {
		fmt.Println(err)
		return
	}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	listener, err := inspector.Listen("127.0.0.1:0") // port 0: any that is free
	if err != nil {
		fmt.Println(err)
		return
	}
	served := make(chan error)
	go func() { served <- inspector.ServeListener(ctx, listener) }()

	for range 3 {
		if state, err = sched.Run(state, "frame"); err != nil {
			fmt.Println(err)
		}
	}
	cancel()
	fmt.Println("served:", <-served)
	world.Close(state)
	// Output: served: <nil>
}
