package session_test

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/session"
)

var (
	Push  = layout.NewField[[2]int8]("push") // of the player's last input: right, up
	Owner = layout.NewField[uint8]("owner")
	Crate = layout.NewKind("crate", Push, Owner)

	crates = world.NewQuery(world.Write(heroes.Position, Push), world.Read(Owner))
)

// PushCrates moves each player's crates by the two bytes of their input: right and up, signed.
func PushCrates(s world.State, inputs []byte) world.State {
	for b := range crates.In(s) {
		at, push, owner := world.Column(b, heroes.Position), world.Column(b, Push), world.Column(b, Owner)
		for i, player := range owner {
			push[i] = [2]int8{int8(inputs[2*player]), int8(inputs[2*player+1])}
			at[i][0] += float32(push[i][0])
			at[i][1] += float32(push[i][1])
		}
	}
	return world.Advance(s)
}

func newYard() world.State {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(heroes.Position.Count(2), Crate.Count(2)),
	})
	check(err)
	for player := range uint8(2) {
		var crate world.GameObject
		state, crate, err = world.CreateWith(state, heroes.Position, Crate)
		check(err)
		state, err = world.Set(state, crate, Owner, player)
		check(err)
	}
	return state
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// Two players in one process, on a network that delays by 100 ms and loses one datagram in ten.
func Example() {
	network := link.NewNetwork(2, link.Conditions{Delay: 6, Loss: 0.1, Seed: 1})
	states, sessions := make([]world.State, 2), make([]*session.Session, 2)
	for player := range sessions {
		states[player] = newYard()
		s, err := session.New(states[player], session.Options{
			ID: 7, Local: player, Links: network.Links(player), InputBytes: 2, Delay: 2,
			Step: PushCrates,
		})
		check(err)
		sessions[player] = s
	}
	for frame := range 120 {
		network.Step()
		for player, s := range sessions {
			input := []byte{byte(player), byte(frame / 60)} // the second second, both push up
			var err error
			states[player], err = s.Advance(states[player], input)
			if err != nil && !errors.Is(err, session.ErrWaiting) {
				check(err) // a desync, and where
			}
		}
	}

	_, differ, err := sessions[0].History().FirstDifference(sessions[1].History())
	check(err)
	fmt.Println("they differ:", differ)
	status := sessions[0].Status()
	fmt.Println(status.Resimulated, "of", status.Frame, "frames were taken again")
	for player := range states {
		fmt.Println("player", player, "sees", world.View(states[player], heroes.Position))
	}
	// Output:
	// they differ: false
	// 8 of 120 frames were taken again
	// player 0 sees [[0 58 0] [118 58 0]]
	// player 1 sees [[0 58 0] [118 58 0]]
}
