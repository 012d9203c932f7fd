package index_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/index"
)

func Example() {
	card := layout.NewComponent[int16]("card")
	byCard := index.New(card)
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(card)}))
	for _, value := range []int16{9, 3, 12, 3} {
		next, id := world.Must2(world.CreateWith(state, card))
		state = world.Must(world.Set(next, id, card, value))
	}
	for id := range byCard.Find(state, 3) {
		fmt.Println("a three:", id)
	}
	_, ok := byCard.One(state, 4)
	fmt.Println("a four:", ok, "- from 9 on:", byCard.CountBetween(state, 9, 255))
	for b := range byCard.Sorted(state, world.NewQuery(world.Read(card))) {
		fmt.Println(world.Column(b, card), b.AppendIDs(nil))
	}
	world.Close(state)
	// Output:
	// a three: 1
	// a three: 3
	// a four: false - from 9 on: 2
	// [3 3 9 12] [1 3 0 2]
}
