package inspect_test

import (
	"context"
	"fmt"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
)

// The inspector as the last job of a pipeline, and its server.
func ExampleInspector_Job() {
	state, err := world.CreateState(world.Counts{Positions: 100, Velocities: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	clock := world.Clock(time.Now)
	schedule := world.NewSchedule(1)
	defer schedule.Close()
	schedule.Clock = clock
	inspector, err := inspect.New(state, inspect.Options{
		Clock: clock, Schedule: schedule, Pipeline: "frame",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := schedule.Register(world.Pipeline{
		Name:   "frame",
		Groups: []world.Group{{Name: "all", Elements: []string{"move", "inspect"}}},
		Jobs: []world.Job{
			{Name: "move", Run: world.MoveAll, Queries: []world.Query{world.MoveQuery}},
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
		if state, err = schedule.Run(state, "frame"); err != nil {
			fmt.Println(err)
		}
	}
	cancel()
	fmt.Println("served:", <-served)
	world.Close(state)
	// Output: served: <nil>
}
