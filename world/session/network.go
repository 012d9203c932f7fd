package session

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// Conditions say what a [Network] does to datagrams.
type Conditions struct {
	Delay      int     // steps that each takes
	Jitter     int     // up to so many more, at random: some overtake others
	Loss       float32 // share that gets lost, 0…1
	Duplicates float32 // share that comes twice
	Broken     float32 // share of which a bit is wrong
	Seed       uint64  // of all that is random
}

// queued is how many datagrams can be on their way from one player to another. More are lost.
const queued = 128

// A Network carries datagrams between players in one process, as badly as a real one: to try a
// session, and for tests. Time is counted in steps. It does the same each time.
type Network struct {
	conditions Conditions
	random     world.Stream
	now        int
	wires      []wire // from player a to b in place a × players + b
	players    int
}

// A wire is what is on its way from one player to another.
type wire struct {
	flights [queued]flight
	sent    int
	out     [MaxDatagram]byte
}

// A flight is one datagram.
type flight struct {
	due   int // step in which it comes; 0: none
	order int
	size  int
	bytes [MaxDatagram]byte
}

// NewNetwork returns a network between so many players. It panics when they are not 2 to 255, and
// when delay or jitter are negative.
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

// Step lets the time of one frame pass.
func (n *Network) Step() { n.made().now++ }

// made returns n. It panics when n is nil.
func (n *Network) made() *Network {
	if n == nil {
		panic("session: this Network is nil; make one by NewNetwork")
	}
	return n
}

// Link returns the link of one player to another.
func (n *Network) Link(from, to int) Link {
	if from < 0 || to < 0 || from >= n.made().players || to >= n.made().players || from == to {
		panic(fmt.Sprintf("session: a link from %d to %d; have two of the %d players of NewNetwork",
			from, to, n.players))
	}
	return &link{n, &n.wires[from*n.players+to], &n.wires[to*n.players+from]}
}

// Links returns the links of one player to all, as [Options] have them.
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
