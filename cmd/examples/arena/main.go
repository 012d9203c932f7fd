// Command arena is a game with a server: tanks of two sides, each of which sees what is near, and
// drives at once while the server's answer is on its way. Package cmd/arena has its rules, server
// and players. Here bots play on a network within the program that delays and loses datagrams;
// `go run ./cmd/flatecs serve arena --udp 8081` serves the same game to browsers and programs.
//
//	go run ./cmd/examples/arena
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/world/link"
)

func main() {
	bots := flag.Int("bots", 8, "number of bots")
	ticks := flag.Int("ticks", 400, "number of ticks, 20 per second")
	loss := flag.Float64("loss", 0.05, "fraction of datagrams that are lost")
	delay := flag.Int("delay", 2, "delay of the network, in ticks")
	flag.Parse()
	c := link.Conditions{Delay: *delay, Loss: float32(*loss), Jitter: 1, Seed: 1}
	if err := run(os.Stdout, *bots, *ticks, c); err != nil {
		log.Fatal(err)
	}
}

// run lets bots play, and then rest. It prints how many see their tank in the same state as the
// server.
func run(out io.Writer, bots, ticks int, c link.Conditions) error {
	host, err := arena.NewHost(bots, 1)
	if err != nil {
		return err
	}
	defer host.Close()
	network, players := link.NewNetwork(bots+1, c), []*arena.Player{}
	for i := range bots {
		host.Accept(network.Link(0, i+1), uint64(i), true)
		p, err := arena.NewPlayer(network.Link(i+1, 0), uint64(i))
		if err != nil {
			return err
		}
		players = append(players, p)
	}
	defer func() {
		for _, p := range players {
			p.Close()
		}
	}()
	press := (*arena.Player).Pilot
	for n := range ticks + 4*arena.Ticks {
		if n == ticks {
			press = func(*arena.Player) arena.Input { return 0 }
		}
		network.Step()
		host.Tick()
		for _, p := range players {
			if err := p.Frame(time.Duration(n)*time.Second/arena.Ticks, press); err != nil {
				return err
			}
		}
	}
	exact := 0
	for i, p := range players { // compared by a digest of the tank
		if strings.HasPrefix(string(host.Sees(nil, i)), "tank "+p.Status().Tank()) {
			exact++
		}
	}
	_, err = fmt.Fprintln(out, exact, "of", bots, "see their tank as the server has it")
	return err
}
