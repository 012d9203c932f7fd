// Command again plays a recorded duel again, as package record does anywhere, under Node.js too. It
// prints the digest of its last world.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

func main() {
	duel, last := arena.NewDuel(), uint64(0)
	step := func(s world.State, input []byte) world.State { return duel.Step(s, input[0]) }
	err := record.Replay(os.Args[1], arena.Counts(2, 1), step, record.Options{AnyBuild: true},
		func(s world.State) { last = world.Digest(s) })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(last)
}
