package link

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

// maxEnds is the largest number of ends of a Network.
const maxEnds = 1 << 20

// A Network carries datagrams between its ends in one process, with the faults of a real network,
// for tests. Its time is counted in steps. It is deterministic. Only requested links take memory,
// so one network can serve thousands of clients. It belongs to one goroutine.
type Network struct {
	conditions Conditions
	now        int
	wires      map[[2]int]*wire // from one end to another
	ends       int
}

// A wire holds the datagrams on their way from one end to another.
type wire struct {
	network *Network
	random  world.Stream
	flights []flight
	sent    int
	out     [MaxDatagram]byte
}

// A flight is one datagram.
type flight struct {
	due   int // step in which it arrives; 0: unused
	order int
	size  int
	bytes [MaxDatagram]byte
}

// NewNetwork returns a network with ends ends, numbered from 0. It panics if ends is not in [2,
// 1,048,576], or if delay or jitter are negative.
func NewNetwork(ends int, c Conditions) *Network {
	check(ends, c)
	return &Network{conditions: c, now: 1, ends: ends, wires: map[[2]int]*wire{}}
}

func check(ends int, c Conditions) {
	if ends < 2 || ends > maxEnds || c.Delay < 0 || c.Jitter < 0 || c.Jitter == math.MaxInt {
		panic(fmt.Sprintf("link: a network of %d ends, delay %d and jitter %d; have 2 to %d, "+
			"and neither negative", ends, c.Delay, c.Jitter, maxEnds))
	}
}

// Step advances the time by one step.
func (n *Network) Step() { n.mustBeOpen().now++ }

// mustBeOpen returns n. It panics if n is nil.
func (n *Network) mustBeOpen() *Network {
	if n == nil || n.wires == nil {
		panic("link: this Network is nil, or was not made; make one by NewNetwork")
	}
	return n
}

// Link returns the link of one end to another. It panics if they are not two ends of n.
func (n *Network) Link(from, to int) Link {
	if ends := n.mustBeOpen().ends; min(from, to) < 0 || max(from, to) >= ends || from == to {
		panic(fmt.Sprintf("link: a link from %d to %d; have two of the %d ends of NewNetwork",
			from, to, n.mustBeOpen().ends))
	}
	return &end{to: n.wire(from, to), fro: n.wire(to, from)}
}

func (n *Network) wire(from, to int) *wire {
	w := n.wires[[2]int{from, to}]
	if w == nil {
		w = &wire{
			network: n, random: systems.NewStream(n.conditions.Seed, uint64(from)<<32|uint64(to)),
		}
		n.wires[[2]int{from, to}] = w
	}
	return w
}

// Links returns the links of one end to all others, by number; the link to itself is nil. It panics
// if from is not an end of n.
func (n *Network) Links(from int) []Link {
	links := make([]Link, n.mustBeOpen().ends)
	for to := range links {
		if to != from {
			links[to] = n.Link(from, to)
		}
	}
	return links
}

// An end is one end of two wires.
type end struct{ to, fro *wire }

// Send implements [Link].
func (e *end) Send(datagram []byte) {
	w := e.to
	if w.random.Float32() >= w.network.conditions.Loss {
		w.fly(datagram)
	}
	if w.random.Float32() < w.network.conditions.Duplicates {
		w.fly(datagram)
	}
}

func (w *wire) fly(datagram []byte) {
	f := w.free()
	if f == nil {
		return
	}
	c, r := &w.network.conditions, &w.random
	w.sent++
	f.due, f.order = w.network.now+c.Delay+r.IntN(c.Jitter+1), w.sent
	f.size = copy(f.bytes[:], datagram)
	if r.Float32() < c.Broken && f.size > 0 {
		f.bytes[r.IntN(f.size)] ^= 1 << r.IntN(8)
	}
}

// free returns a place for one more datagram, or nil if the wire is full.
func (w *wire) free() *flight {
	const queued = 128 // datagrams on their way on one wire; more are lost
	for i := range w.flights {
		if w.flights[i].due == 0 {
			return &w.flights[i]
		}
	}
	if len(w.flights) == queued {
		return nil
	}
	w.flights = append(w.flights, flight{})
	return &w.flights[len(w.flights)-1]
}

// Receive implements [Link].
func (e *end) Receive() ([]byte, bool) {
	w := e.fro
	var first *flight
	for i := range w.flights {
		f := &w.flights[i]
		if f.due == 0 || f.due > w.network.now {
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
	return w.out[:copy(w.out[:], first.bytes[:first.size])], true
}

// Set changes the conditions of datagrams sent from now on. The seed does not change.
func (n *Network) Set(c Conditions) {
	n.mustBeOpen()
	check(n.ends, c)
	n.conditions = c
}
