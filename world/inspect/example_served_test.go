package inspect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

// A function that begins to serve an inspector of a world, until ctx ends.
func Example_inspectorServed() {
	serve := func(
		ctx context.Context, state world.State, sched *schedule.Schedule, served chan<- error,
	) error {
		clock := stage.Clock(time.Now)
		inspector, err := inspect.New(state, inspect.Options{
			Title:    "my game",
			Clock:    clock, // such as stage.Clock(time.Now)
			Schedule: sched, // whose jobs' times are shown
			Pipeline: "frame",
		})
		if err != nil {
			return err
		}
		go func() { served <- inspector.Serve(ctx, "127.0.0.1:8080") }()

		state, err = world.Apply(state)
		inspector.Refused(err)
		state = inspector.Edit(state)
		return inspector.Publish(state)
	}
	_ = serve
}

// An inspector shows a world to a browser, and as JSON to other programs.
func Example_inspector() {
	state, err := world.CreateState(world.Counts{GameObjects: 10, Kinds: layout.Kinds(
		heroes.Position.Count(8),
	), Names: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	state, hero, _ := world.Create(state)
	state = world.Must(world.SetName(state, hero, "Ada"))
	state, position, _ := world.Ensure(state, hero, heroes.Position)
	state = world.SetRow(state, heroes.Position, position, [3]float32{1, 2, 3})

	inspector, err := inspect.New(state, inspect.Options{Clock: stage.Clock(time.Now)})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := inspector.Publish(state); err != nil { // after each frame
		fmt.Println(err)
	}

	answer := httptest.NewRecorder() // a browser would ask http://127.0.0.1:8080/debug/ecs
	inspector.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet,
		"http://localhost/debug/ecs/api/rows?kind=position&q=ada", nil))
	var found struct {
		Total int
		Rows  []struct {
			Row    int
			Object struct{ Name string }
			Values [][]float32
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&found); err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range found.Rows {
		fmt.Println("row", r.Row, "of", r.Object.Name, "holds", r.Values[0])
	}
	// Output: row 0 of Ada holds [1 2 3]
}
