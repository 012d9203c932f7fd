package stage_test

import (
	"fmt"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/stage"
)

// A launcher with three stages over one state. A program would pass the times of a clock,
// stage.Clock(time.Now), once for each tick of a time.Ticker; here a frame takes 45 ms.
func ExampleLauncher() {
	says := func(what string) func(world.State, float32) world.State {
		return func(s world.State, dt float32) world.State {
			fmt.Printf("%s, %g s\n", what, dt)
			return s
		}
	}
	launcher := stage.Launcher{
		StartUp: []stage.StartUpStep{
			{Name: "manager", Run: func(world.State) (world.State, error) {
				return world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(100))})
			}},
			{Name: "ready", Run: func(s world.State) (world.State, error) { return s, nil }},
		},
		Stages: []stage.Stage{
			{Name: "logic", Fixed: says("logic")},
			{Name: "physics", Fixed: says("physics")},
			{Name: "render", Update: func(s world.State, dt, alpha float32) world.State {
				fmt.Printf("render, %g s, %g of a step ahead\n", dt, alpha)
				return s
			}},
		},
	}
	timed := stage.Timed{
		Step: 20 * time.Millisecond, Fixed: launcher.FixedUpdate, Update: launcher.Update,
	}

	state, err := launcher.Launch(world.State{})
	if err != nil {
		fmt.Println(err)
		return
	}
	timed.Start()
	for _, now := range []time.Duration{0, 45 * time.Millisecond} {
		state = timed.Frame(state, now)
	}
	world.Close(state)
	// Output:
	// render, 0 s, 0 of a step ahead
	// logic, 0.02 s
	// physics, 0.02 s
	// logic, 0.02 s
	// physics, 0.02 s
	// render, 0.045 s, 0.25 of a step ahead
}

// A paused game is drawn, and can be stepped one step at a time.
func ExampleTimed_StepOnce() {
	timed := stage.Timed{
		Step:       20 * time.Millisecond,
		DrawPaused: true,
		Fixed: func(s world.State, dt float32) world.State {
			fmt.Println("step", dt)
			return s
		},
		Update: func(s world.State, dt, alpha float32) world.State {
			fmt.Println("draw", dt, alpha)
			return s
		},
	}
	var state world.State
	timed.Start()
	state = timed.Frame(state, 0)
	timed.StepOnce() // pauses
	state = timed.Frame(state, 10*time.Second)
	state = timed.Frame(state, 20*time.Second)
	timed.Start()
	timed.Frame(state, 30*time.Second)
	// Output:
	// draw 0 0
	// step 0.02
	// draw 0.02 0
	// draw 0 0
	// draw 0 0
}
