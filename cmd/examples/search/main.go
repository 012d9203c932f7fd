// Command search plays a duel of tanks: one is driven by a script, the other one by a search that
// knows nothing of the game but its inputs, what a tick is, and a score. Before each tick it tries
// hundreds of futures in worlds of a pool, and takes the order that most of them began with.
//
//	go run ./cmd/examples/search
package main

import (
	"fmt"
	"log"
	"time"

	"github.com/flatecs/flatecs/world"
)

// Duel plays until a tank is broken, and returns the ticks it took and how the search did.
func Duel(player, rollouts, most int) (ticks int, score float32, err error) {
	s, err := newDuel()
	if err != nil {
		return 0, 0, err
	}
	defer func() { world.Close(s) }()
	f, err := NewSearch(Game{orders, Step, Score, Over}, s, player, rollouts)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	for ; ticks < most && !Over(s); ticks++ {
		var inputs [2]byte
		if inputs[player], err = f.Choose(s); err != nil {
			return ticks, 0, err
		}
		inputs[1-player] = Scripted(s, 1-player)
		if s, err = Step(s, inputs); err != nil {
			return ticks, 0, err
		}
	}
	return ticks, Score(s, player), nil
}

func main() {
	for player := range 2 {
		began := time.Now()
		ticks, score, err := Duel(player, 200, 1000)
		if err != nil {
			log.Fatal(err)
		}
		took := time.Since(began) / time.Duration(ticks)
		fmt.Printf("as tank %d: %d ticks, score %.2f, %v a tick\n", player, ticks, score, took)
	}
}
