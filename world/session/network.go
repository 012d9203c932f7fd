package session

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// Conditions are the faults of a [Network].
type Conditions struct {
	Delay      int     // steps that each datagram takes
	Jitter     int     // up to this many more steps, at random, so that datagrams are reordered
	Loss       float32 // share of lost datagrams, 0…1
	Duplicates float32 // share of duplicated datagrams
	Broken     float32 // share of datagrams with a wrong bit
	Seed       uint64  // of the random numbers
}

// queued is the largest number of datagrams on their way from one player to another. More are lost.
const queued = 128

// A Network carries datagrams between players in one process, with the faults of a real network,
// for tests. Its time is counted in steps. It is deterministic.
type Network struct {
	conditions Conditions
	random     world.Stream
	now        int
	wires      []wire // from player a to b at a × players + b
	players    int
}

// A wire holds the datagrams on their way from one player to another.
type wire struct {
	flights [queued]flight
	sent    int
	out     [MaxDatagram]byte
}

// A flight is one datagram.
type flight struct {
	due   int // step in which it arrives; 0: none
	order int
	size  int
	bytes [MaxDatagram]byte
}

// NewNetwork returns a network for players players. It panics if players is not in [2, 255], or if
// delay or jitter are negative.
func NewNetwork(players int, c Conditions) *Network {
	if players < 2 || players > maxPlayers ||
		c.Delay < 0 || c.Jitter < 0 || c.Jitter == math.MaxInt {
		panic(fmt.Sprintf("session: NewNetwork of %d players, delay %d and jitter %d; "+
			"have 2 to %d, and neither negative", players, c.Delay, c.Jitter, maxPlayers))
	}
	return &Network{
		conditions: c, random: systems.NewStream(c.Seed, 0), now: 1,
		players: players, wires: make([]wire, players*players),
	}
}

// Step advances the time by one step.
func (n *Network) Step() { n.made().now++ }

// made returns n. It panics if n is nil.
func (n *Network) made() *Network {
	if n == nil {
		panic("session: this Network is nil; make one by NewNetwork")
	}
	return n
}

// Link returns the link from one player to another.
func (n *Network) Link(from, to int) Link {
	if from < 0 || to < 0 || from >= n.made().players || to >= n.made().players || from == to {
		panic(fmt.Sprintf("session: a link from %d to %d; have two of the %d players of NewNetwork",
			from, to, n.players))
	}
	return &link{n, &n.wires[from*n.players+to], &n.wires[to*n.players+from]}
}

// Links returns the links of one player to all others, for [Options].
func (n *Network) Links(from int) []Link {
	links := make([]Link, n.made().players)
	for to := range links {
		if to != from {
			links[to] = n.Link(from, to)
		}
	}
	return links
}

// A link is one end of two wires.
type link struct {
	network *Network
	to, fro *wire
}

// Send implements [Link].
func (l *link) Send(datagram []byte) {
	c, r := &l.network.conditions, &l.network.random
	if r.Float32() >= c.Loss {
		l.fly(datagram)
	}
	if r.Float32() < c.Duplicates {
		l.fly(datagram)
	}
}

func (l *link) fly(datagram []byte) {
	c, r, w := &l.network.conditions, &l.network.random, l.to
	for i := range w.flights {
		f := &w.flights[i]
		if f.due != 0 {
			continue
		}
		w.sent++
		f.due, f.order = l.network.now+c.Delay+r.IntN(c.Jitter+1), w.sent
		f.size = copy(f.bytes[:], datagram)
		if r.Float32() < c.Broken {
			f.bytes[r.IntN(f.size)] ^= 1 << r.IntN(8)
		}
		return
	}
}

// Receive implements [Link].
func (l *link) Receive() ([]byte, bool) {
	var first *flight
	for i := range l.fro.flights {
		f := &l.fro.flights[i]
		if f.due == 0 || f.due > l.network.now {
			continue
		}
		if first == nil || f.due < first.due || f.due == first.due && f.order < first.order {
			first = f
		}
	}
	if first == nil {
		return nil, false
	}
	first.due = 0
	return l.fro.out[:copy(l.fro.out[:], first.bytes[:first.size])], true
}
