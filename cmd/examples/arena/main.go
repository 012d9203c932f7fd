// Command arena is a game with a server: tanks of two teams, each of which sees what is near, and
// drives at once while the server's answer is on its way. Here bots play, on a network within the
// program that delays and loses, or over UDP on this machine:
//
//	go run ./cmd/examples/arena
//	go run ./cmd/examples/arena -listen udp
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

const tick = time.Second / 20

func main() {
	bots := flag.Int("bots", 8, "that play")
	ticks := flag.Int("ticks", 400, "that they play, 20 a second")
	loss := flag.Float64("loss", 0.05, "share of lost datagrams of the network in the program")
	delay := flag.Int("delay", 2, "its delay, in ticks")
	listen := flag.String("listen", "", "udp: over UDP, in real time")
	flag.Parse()
	if err := run(*bots, *ticks, *delay, float32(*loss), *listen == "udp"); err != nil {
		log.Fatal(err)
	}
}

func run(bots, ticks, delay int, loss float32, isReal bool) error {
	if isReal {
		door, links, err := overUDP(bots)
		if err != nil {
			return err
		}
		return play(os.Stdout, door, links, ticks, time.Tick(tick), func() {})
	}
	network := link.NewNetwork(bots+1, link.Conditions{
		Delay: delay, Loss: loss, Jitter: 1, Seed: 1,
	})
	door, links := within(network, bots)
	now := make(chan time.Time)
	close(now) // no time passes but that of the network
	return play(os.Stdout, door, links, ticks, now, network.Step)
}

// play has bots play, and prints how they do.
func play(
	out io.Writer, door link.Listener, links []link.Link, ticks int, beat <-chan time.Time,
	step func(),
) error {
	arena, players := NewArena(door, len(links)), []*Player{}
	for _, l := range links {
		players = append(players, NewPlayer(l))
	}
	rest := func(world.State, world.GameObject) byte { return 0 }
	for n := range ticks + 40 {
		<-beat
		step()
		arena.Tick()
		act := think
		if n >= ticks {
			act = rest // so that all are where they are
		}
		for _, p := range players {
			if err := p.Frame(time.Duration(n)*tick, act); err != nil {
				return err
			}
		}
	}
	exact, hits := 0, [2]int{}
	for _, p := range players {
		for own := range p.mirror.Own() {
			team := world.Must(world.Get(p.state, own, Team))
			hits[team] += int(world.Must(world.Get(p.state, own, Hits)))
			here := world.Must(world.Get(p.state, own, Place))
			for _, tank := range arena.tanks {
				if here == world.Must(world.Get(arena.state, tank, Place)) {
					exact++
				}
			}
		}
	}
	fmt.Fprintln(out, "hits of the teams:", hits)
	fmt.Fprintln(out, exact, "of", len(players), "see their tank where the server has it")
	return door.Close()
}
