package world_test

import (
	"fmt"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/stage"
)

var (
	canvas   = layout.NewField("canvas", [2]float32{288, 512}) // pixels; width, height
	gap      = layout.NewField[float32]("gap")                 // pixels: a quarter of the height
	pace     = layout.NewField[float32]("speed", 2)            // pixels per frame
	gameOver = layout.NewField[uint8]("gameOver")
	userData = world.NewResource("user data", canvas, gap, pace, gameOver)
	pictures = world.NewShared("pictures", map[string]string{"bird": "bird.png"})
	floors   = world.NewQuery(world.Write(heroes.Position))
)

// scroll moves the floor, as long as the game goes on.
func scroll(s world.State, _, _ float32) world.State {
	if world.Resource(s, gameOver) != 0 {
		return s
	}
	for b := range floors.In(s) {
		for i := range world.Column(b, heroes.Position) {
			world.Column(b, heroes.Position)[i][0] -= world.Resource(s, pace)
		}
	}
	return s
}

// Example_ecsLiteWorld is a world with user data: what is flat lies in its bytes, pictures beside
// them. Its loop is started, paused and stopped; a stopped loop runs nothing.
func Example_ecsLiteWorld() {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(
			heroes.Position.Count(1),
		), Resources: []world.ResourceKind{userData, pictures.Kind()},
	})
	check(err)
	state = world.SetResource(state, gap, world.Resource(state, canvas)[1]/4)
	state, floor, err := world.Create(state)
	check(err)
	state, row, err := world.Ensure(state, floor, heroes.Position)
	check(err)
	fmt.Println("gap", world.Resource(state, gap), "bird", pictures.Of(state)["bird"])

	var timed stage.Timed
	timed.Update = scroll
	now := time.Duration(0)
	frame := func(told string) {
		now += time.Second / 60
		state = timed.Frame(state, now)
		fmt.Println(told, world.GetRow(state, heroes.Position, row)[0])
	}
	timed.Start()
	frame("started")
	frame("running")
	timed.Pause()
	frame("paused")
	timed.Start()
	state = world.SetResource(state, gameOver, 1)
	frame("game over")
	timed.Stop()
	state = world.SetResource(state, gameOver, 0)
	frame("stopped")
	// Output:
	// gap 128 bird bird.png
	// started -2
	// running -4
	// paused -4
	// game over -4
	// stopped -4
}
