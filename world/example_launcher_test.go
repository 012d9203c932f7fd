package world_test

import (
	"context"
	"fmt"
	"time"

	"github.com/flatecs/flatecs/world"
)

// A launcher with three worlds over one state. A program would give its loop the clock
// world.Clock(time.Now), and wait for a time.Ticker with world.Await; here each frame takes 45 ms.
func ExampleLauncher() {
	says := func(what string) func(world.State, float32) world.State {
		return func(s world.State, dt float32) world.State {
			fmt.Printf("%s, %g s\n", what, dt)
			return s
		}
	}
	launcher := world.Launcher{
		StartUp: []world.StartUpStep{
			{Name: "manager", Run: func(world.State) (world.State, error) {
				return world.CreateState(world.Counts{Positions: 100})
			}},
			{Name: "ready", Run: func(s world.State) (world.State, error) { return s, nil }},
		},
		Stages: []world.Stage{
			{Name: "logic", Fixed: says("logic")},
			{Name: "physics", Fixed: says("physics")},
			{Name: "render", Update: func(s world.State, dt, alpha float32) world.State {
				fmt.Printf("render, %g s, %g of a step ahead\n", dt, alpha)
				return s
			}},
		},
	}
	var now time.Duration
	loop := world.TimedLoop{
		Step:  20 * time.Millisecond,
		Fixed: launcher.FixedUpdate,
		Now:   func() time.Duration { return now },
		Wait:  func(context.Context) { now += 45 * time.Millisecond },
	}
	loop.Update = func(s world.State, dt, alpha float32) world.State {
		s = launcher.Update(s, dt, alpha)
		if now >= 90*time.Millisecond {
			loop.Stop()
		}
		return s
	}

	state, err := launcher.Launch(world.State{})
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err = loop.Run(context.Background(), state)
	fmt.Println("done:", err)
	world.Close(state)
	// Output:
	// render, 0 s, 0 of a step ahead
	// logic, 0.02 s
	// physics, 0.02 s
	// logic, 0.02 s
	// physics, 0.02 s
	// render, 0.045 s, 0.25 of a step ahead
	// done: <nil>
}

// What a game does while it is paused: it is drawn, and stepped through one step at a time.
func ExampleTimedLoop_StepOnce() {
	loop := world.TimedLoop{
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
	loop.Start()
	state = loop.Frame(state, 0)
	loop.StepOnce() // pauses
	state = loop.Frame(state, 10*time.Second)
	state = loop.Frame(state, 20*time.Second)
	loop.Start()
	loop.Frame(state, 30*time.Second)
	// Output:
	// draw 0 0
	// step 0.02
	// draw 0.02 0
	// draw 0 0
	// draw 0 0
}
