package loop_test

import (
	"context"
	"fmt"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/loop"
)

// A launcher with three worlds over one state. A program would give its loop the clock
// loop.Clock(time.Now), and wait for a time.Ticker with loop.Await; here each frame takes 45 ms.
func ExampleLauncher() {
	says := func(what string) func(world.State, float32) world.State {
		return func(s world.State, dt float32) world.State {
			fmt.Printf("%s, %g s\n", what, dt)
			return s
		}
	}
	launcher := loop.Launcher{
		StartUp: []loop.StartUpStep{
			{Name: "manager", Run: func(world.State) (world.State, error) {
				return world.CreateState(world.Counts{Kinds: layout.Kinds(world.Position.Count(100))})
			}},
			{Name: "ready", Run: func(s world.State) (world.State, error) { return s, nil }},
		},
		Stages: []loop.Stage{
			{Name: "logic", Fixed: says("logic")},
			{Name: "physics", Fixed: says("physics")},
			{Name: "render", Update: func(s world.State, dt, alpha float32) world.State {
				fmt.Printf("render, %g s, %g of a step ahead\n", dt, alpha)
				return s
			}},
		},
	}
	var now time.Duration
	timed := loop.Timed{
		Step:  20 * time.Millisecond,
		Fixed: launcher.FixedUpdate,
		Now:   func() time.Duration { return now },
		Wait:  func(context.Context) { now += 45 * time.Millisecond },
	}
	timed.Update = func(s world.State, dt, alpha float32) world.State {
		s = launcher.Update(s, dt, alpha)
		if now >= 90*time.Millisecond {
			timed.Stop()
		}
		return s
	}

	state, err := launcher.Launch(world.State{})
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err = timed.Run(context.Background(), state)
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
func ExampleTimed_StepOnce() {
	timed := loop.Timed{
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
