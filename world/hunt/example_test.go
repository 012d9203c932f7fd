package hunt_test

import (
	"fmt"
	"log"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
)

var (
	Coins  = layout.NewComponent[int32]("coins")
	Purse  = world.NewRecipe("purse", Coins)
	purses = world.NewQuery(world.Write(Coins))
	coins  = world.NewQuery(world.Read(Coins))
)

func newPurses() (world.State, error) {
	s, err := world.CreateState(world.Counts{GameObjects: 4, Recipes: []world.Recipe{Purse}})
	if err != nil {
		return s, err
	}
	return world.SpawnN(s, Purse, 4, func(b world.Batch) {
		for i := range world.Column(b, Coins) {
			world.Column(b, Coins)[i] = 100
		}
	})
}

// pay has one purse give ten coins to another one, as the input says.
func pay(s world.State, input []byte) (world.State, error) {
	s = world.Advance(s)
	from, to := input[0]&3, input[0]>>2&3
	for b := range purses.In(s) {
		c := world.Column(b, Coins)
		less, more := c[from]-10, c[to]+10
		c[from], c[to] = less, more // what if they are the same?
	}
	return s, nil
}

var Game = hunt.Game{
	New: newPurses, Step: pay, Inputs: 1,
	Always: []hunt.Property{hunt.Same("coins", coinsOf)},
}

func coinsOf(s world.State) (sum int64) {
	for b := range coins.In(s) {
		for _, c := range world.Column(b, Coins) {
			sum += int64(c)
		}
	}
	return sum
}

func ExampleRun() {
	found, err := hunt.Run(Game, hunt.Options{Workers: 1, Ticks: 10_000})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(found.Failure)
	// Output:
	// hunt: coins: it is 410, and was 400, after 1 ticks
	//   coins of object 0: 110, and was 100
	// inputs of the ticks:
	// 00
}
