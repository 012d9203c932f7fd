// Command rollback plays one world in two places: each player steps a world of their own, predicts
// what the other does, and goes back to correct it when the other's input arrives.
//
//	go run ./cmd/examples/rollback
//
// Both worlds are in one process, on a network that delays and loses datagrams. Elsewhere a
// link.Link of your own carries them, such as a UDP socket.
package main

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/session"
)

var (
	Place   = layout.NewComponent[[2]int32]("place") // x, y
	Player  = layout.NewComponent[uint8]("player")   // whose it is
	players = world.NewQuery(world.Write(Place), world.Read(Player))
)

// Step takes one step with a byte of input per player: how far to go right. It depends on the world
// and the inputs alone, so it comes out the same in both places, and whenever it is taken again.
func Step(s world.State, inputs []byte) world.State {
	for b := range players.In(s) {
		place, player := world.Column(b, Place), world.Column(b, Player)
		for i := range place {
			place[i][0] += int32(inputs[player[i]])
		}
	}
	return world.Advance(s)
}

// newWorld makes the world with which both players begin.
func newWorld() world.State {
	state := world.Must(world.CreateState(world.Counts{
		GameObjects: 2, Kinds: layout.Kinds(Place, Player),
	}))
	for player := range uint8(2) {
		var id world.GameObject
		state, id = world.Must2(world.CreateWith(state, Place, Player))
		state = world.Must(world.Set(state, id, Player, player))
	}
	return state
}

func main() {
	const frames = 100
	network := link.NewNetwork(2, link.Conditions{Delay: 5, Loss: 0.1, Seed: 1})
	states := []world.State{newWorld(), newWorld()}
	sessions := make([]*session.Session, 2)
	for player := range sessions {
		sessions[player] = world.Must(session.New(states[player], session.Options{
			ID: 2026, Local: player, Links: network.Links(player), InputBytes: 1, Step: Step,
		}))
	}

	for frame := range frames {
		network.Step()
		for player := range sessions {
			input := byte(0)
			if frame >= 20*(player+1) && frame < 50 { // each starts and stops as they like
				input = 1
			}
			var err error
			states[player], err = sessions[player].Advance(states[player], []byte{input})
			if err != nil && !errors.Is(err, session.ErrWaiting) { // then it waits for the other
				panic(err)
			}
		}
	}

	for player := range sessions {
		status := sessions[player].Status()
		fmt.Println("player", player, "sees", world.View(states[player], Place),
			"and took some steps again:", status.Resimulated > 0)
		world.Close(states[player])
	}
}
