// Command room is the heart of a game server: one goroutine owns the world and steps it by a clock,
// and others, one per player, send it commands through a channel. Goroutines that change the world
// when messages come are a mistake: it would be another one each time.
//
//	go run ./cmd/examples/room
package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

var Place = layout.NewComponent[[2]int32]("place") // x, y

// A Command is what a player sends.
type Command struct {
	Player int
	Move   [2]int32
}

// A Room has the world, and a ship for each player. It belongs to one goroutine.
type Room struct {
	state world.State
	ships []world.GameObject // by the player's number
	inbox []Command          // what was heard since the last step
}

// Step takes one step: it carries out the commands in the order in which they were heard.
func (r *Room) Step(s world.State, _ float32) world.State {
	for _, c := range r.inbox {
		next, place, err := world.Edit(s, r.ships[c.Player], Place)
		s = next
		if err != nil {
			continue // the ship is gone
		}
		place[0] += c.Move[0]
		place[1] += c.Move[1]
	}
	r.inbox = r.inbox[:0]
	return world.Advance(s)
}

// Run serves the room until commands is closed and everything that was sent is done.
func (r *Room) Run(commands <-chan Command) {
	timed := stage.Timed{Step: time.Second / 50, Fixed: r.Step}
	timed.Start()
	clock, frames := stage.Clock(time.Now), time.NewTicker(time.Second/100)
	defer frames.Stop()
	for commands != nil || len(r.inbox) > 0 {
		select {
		case c, open := <-commands:
			if open {
				r.inbox = append(r.inbox, c)
			} else {
				commands = nil // is never received from again
			}
		case <-frames.C:
			r.state = timed.Frame(r.state, clock()) // takes the steps that are due
		}
	}
}

func main() {
	moves := [][2]int32{{1, 0}, {0, 2}} // of each player, again and again
	counts := world.Counts{GameObjects: 100, Kinds: layout.Kinds(Place)}
	state := world.Must(world.CreateState(counts))
	room := Room{state: state, ships: make([]world.GameObject, len(moves))}
	commands := make(chan Command, 16)
	var players sync.WaitGroup
	for player, move := range moves {
		room.state, room.ships[player] = world.Must2(world.CreateWith(room.state, Place))
		players.Go(func() { // a server reads a connection here
			for range 30 {
				commands <- Command{player, move}
				time.Sleep(time.Millisecond)
			}
		})
	}
	go func() { players.Wait(); close(commands) }()
	room.Run(commands)

	for player, ship := range room.ships {
		fmt.Println("player", player, "is at", world.Must(world.Get(room.state, ship, Place)))
	}
	world.Close(room.state)
}
