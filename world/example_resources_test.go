package world_test

import (
	"fmt"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var (
	roundCanvas = layout.NewField("canvas", [2]float32{640, 480}) // pixels; width, height
	roundScore  = layout.NewField[uint32]("score")
	round       = world.NewResource("round", roundCanvas, roundScore)
	roundFonts  = world.NewShared("fonts", []string{"18px Arial"})
)

// Singletons are in the world's bytes, or outside them if they are Go values.
func ExampleResource() {
	state, _ := world.CreateState(world.Counts{
		GameObjects: 1, Resources: []world.ResourceKind{round, roundFonts.Kind()},
	})
	state = world.UpdateResource(state, roundScore, func(score *uint32) { *score++ })
	state = roundFonts.Set(state, append(roundFonts.Of(state), "12px Go"))

	fmt.Println(world.Resource(state, roundCanvas), world.Resource(state, roundScore))
	fmt.Println(roundFonts.Of(state))
	// Output:
	// [640 480] 1
	// [18px Arial 12px Go]
}

// Scatter writes back what Gather copied: here, the players' share of a treasure.
func ExampleScatter() {
	coins := layout.NewComponent[uint32]("coins")
	purses := world.NewQuery(world.With(coins))
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(coins)}))
	for range 3 {
		state, _ = world.Must2(world.CreateWith(state, coins))
	}
	all := world.Gather(nil, state, purses, coins)
	for treasure := 100; treasure > 0; treasure-- {
		all[treasure%len(all)]++
	}
	state = world.Scatter(state, purses, coins, all)
	fmt.Println(world.View(state, coins))
	// Output: [33 34 33]
}

const rollDice = 1 // names the system that draws

// A stream that a system and an object name gives the same numbers on every machine, in any order,
// on any number of goroutines.
func ExampleRandom() {
	state, _ := world.CreateState(world.Counts{GameObjects: 2, Seed: 2026})
	for range 2 {
		state, _, _ = world.Create(state)
	}
	for range 2 {
		for id := range world.GameObjects(state) {
			dice := world.Random(state, rollDice, uint64(id))
			fmt.Println("step", world.Tick(state), "object", id, "rolls", 1+dice.IntN(6), 1+dice.IntN(6))
		}
		state = world.Advance(state)
	}
	// Output:
	// step 1 object 0 rolls 2 1
	// step 1 object 1 rolls 6 6
	// step 2 object 0 rolls 6 5
	// step 2 object 1 rolls 4 6
}

// Consecutive draws use one sequence per world.
func ExampleNextStream() {
	state, _ := world.CreateState(world.Counts{GameObjects: 1, Seed: 2026})
	state, deck := world.NextStream(state)
	fmt.Println(deck.IntN(52), deck.IntN(52), deck.IntN(52), deck.Range(-1, 1))
	_, deck = world.NextStream(state)
	fmt.Println(deck.IntN(52), deck.IntN(52), deck.IntN(52), deck.Range(-1, 1))
	// Output:
	// 18 12 7 -0.16837072
	// 1 43 26 -0.5433192
}

// Objects are found by their names, in the order in which they got them.
func ExampleNamed() {
	state, _ := world.CreateState(world.Counts{GameObjects: 10, Names: 10})
	var ids [3]world.GameObject
	for i, name := range []string{"pipe", "bird", "pipe"} {
		state, ids[i], _ = world.Create(state)
		state = world.Must(world.SetName(state, ids[i], name))
	}

	for id := range world.Named(state, "pipe") {
		fmt.Println("pipe", id)
	}
	_, err := world.SetName(state, ids[1], strings.Repeat("Chrysolophus ", 5))
	fmt.Println(err)
	// Output:
	// pipe 0
	// pipe 2
	// flatecs: name of game object 1: "Chrysolophus Chrysol"… has 65 bytes: a name is UTF-8 of at most 63 bytes; shorten it
}

var (
	crashAt    = layout.NewField[[2]float32]("at") // pixels; x, y
	crashWho   = layout.NewField[uint64]("who")    // the object's id
	crashes    = world.NewEvents("crashes", crashAt, crashWho)
	crashSound = crashes.NewReader("sound")
	crashScore = crashes.NewReader("score")
)

// Every reader of events receives each of them once, or learns how many it missed.
func ExampleEvents_send() {
	state, _ := world.CreateState(world.Counts{
		GameObjects: 1, Events: []world.EventCount{crashes.Count(3, crashSound, crashScore)},
	})
	for step := range 3 {
		for n := range 2 {
			var crash world.EventBatch
			state, crash = crashes.Send(state)
			world.EventColumn(crash, crashAt)[0] = [2]float32{float32(step), float32(n)}
		}
		after, events, _ := crashSound.Receive(state)
		state = after
		for _, b := range events.Batches() {
			at := world.EventColumn(b, crashAt)
			for i := range b.Len() {
				fmt.Println("step", step, "crash at", at[i])
			}
		}
	}
	_, events, missed := crashScore.Receive(state)
	fmt.Println(events.Len(), "crashes,", missed, "missed")
	// Output:
	// step 0 crash at [0 0]
	// step 0 crash at [0 1]
	// step 1 crash at [1 0]
	// step 1 crash at [1 1]
	// step 2 crash at [2 0]
	// step 2 crash at [2 1]
	// 3 crashes, 3 missed
}
