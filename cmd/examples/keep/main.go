// Command keep shows a world that outlives its program, until Ctrl-C: a ball bounces, and each new
// version of the program goes on where the one before was.
//
//	go run ./cmd/examples/keep
//
// It runs until Ctrl-C, and supervises itself: SIGHUP to the process that began has the program at
// its path take over, SIGTERM has it save keep.flat in the temporary folder. See it change by
//
//	go run ./cmd/flatecs dev ./cmd/examples/keep
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
)

// A ball is at a height, and rises or falls.
type ball struct {
	Y, Speed float32 // metres, metres per second
}

var (
	balls    = layout.NewComponent("ball", ball{Y: 10})
	bounces  = layout.NewField[uint32]("bounces")
	score    = world.NewResource("score", bounces)
	toy      = world.NewRecipe("toy", balls)
	bouncing = world.NewQuery(world.Write(balls))
)

const (
	gravity = 9.8 // metres per second, each second
	dt      = 1.0 / 60
)

func counts() world.Counts {
	return world.Counts{
		Kinds: layout.Kinds(balls.Count(64)), Recipes: []world.Recipe{toy},
		Resources: []world.ResourceKind{score},
	}
}

// start makes the first world. Later programs get that of the one before.
func start() (world.State, error) {
	fmt.Println("a ball bounces until Ctrl-C; its world stays when the program changes")
	state, err := world.CreateState(counts())
	if err == nil {
		state, _, err = world.Spawn(state, toy)
	}
	return state, err
}

func step(state world.State) world.State {
	state = world.Advance(state)
	hits := world.Resource(state, bounces)
	for b := range bouncing.In(state) {
		all := world.Column(b, balls)
		for i := range all {
			all[i].Speed -= gravity * dt
			all[i].Y += float32(all[i].Speed * dt)
			if all[i].Y < 0 {
				all[i].Y, all[i].Speed = -all[i].Y, -all[i].Speed
				hits++
			}
		}
	}
	return world.SetResource(state, bounces, hits)
}

func main() {
	os.Exit(hand.Main(hand.Options{File: filepath.Join(os.TempDir(), "keep.flat")}, play))
}

func play(h *hand.Hand) error {
	state, err := h.World(counts(), start)
	if err != nil {
		return err
	}
	tape, err := h.NewTape(state, 60, 0) // for dev --loop; nobody plays, so an input has no bytes
	if err != nil {
		return err
	}
	next := time.NewTicker(time.Second / 60)
	for h.Continue(state) {
		<-next.C
		if state, _, err = tape.Next(state, nil); err != nil {
			return err
		}
		state = step(state)
		if world.Tick(state)%30 == 0 {
			fmt.Printf("tick %d, %d bounces\n", world.Tick(state), world.Resource(state, bounces))
		}
	}
	return nil
}
