// Command fleet is a server of a fleet: rooms of a pool, which Agones starts, watches and ends.
//
//	go run ./cmd/examples/fleet
package main

import (
	"log"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pool"
)

var score = layout.NewComponent[int32]("score")

// Serve plays rooms for a number of ticks. Agones replaces a process that hangs, because /health is
// missing.
func Serve(s Sidecar, rooms []world.State, p *pool.Pool, ticks int, clock <-chan time.Time) error {
	err := s.Say("/ready") // from now on, a matchmaker may send players
	for tick := 0; tick < ticks && err == nil; tick++ {
		<-clock
		if err = p.Step(rooms, 0, play); err == nil && tick%60 == 0 {
			err = s.Say("/health")
		}
	}
	if err != nil {
		return err
	}
	return s.Say("/shutdown")
}

func play(_ int, s world.State) (world.State, error) { return world.Advance(s), nil }

func main() {
	first := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(score.Count(16))}))
	p := world.Must(pool.New(first, 100))
	rooms := world.Must(p.Fork(nil, first, 100))
	err := Serve("http://localhost:9358", rooms, p, 60*60*60, time.Tick(time.Second/60))
	if err != nil {
		log.Fatal(err)
	}
}
