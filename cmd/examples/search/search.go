package main

import (
	"math"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pool"
)

// A Game is the interface of a game for a search.
type Game struct {
	Inputs int // inputs are 0 to Inputs-1, for each of two players
	Step   func(s world.State, inputs [2]byte) (world.State, error)
	Score  func(s world.State, player int) float32 // from -1 to 1
	Over   func(s world.State) bool
}

// A Search chooses inputs by Monte Carlo tree search, on a tree of futures with a world each. It
// plays rollouts with random inputs from futures that are promising or rarely visited, and adds the
// scores to all futures on the way.
type Search struct {
	Game
	Player   int // its inputs are chosen
	Rollouts int // per choice
	Depth    int // ticks of a rollout
	Hold     int // ticks for which an input is repeated
	random   world.Stream
	worlds   *pool.Pool
	scratch  world.State // for rollouts
}

// NewSearch returns a search for games whose worlds have the counts of s.
func NewSearch(g Game, s world.State, player, rollouts int) (*Search, error) {
	p, err := pool.New(s, rollouts+2)
	if err != nil {
		return nil, err
	}
	scratch, err := p.Take()
	return &Search{
		Game: g, Player: player, Rollouts: rollouts, Depth: 24, Hold: 2,
		random: systems.NewStream(1, 0), worlds: p, scratch: scratch,
	}, err
}

// Close closes the search's worlds.
func (f *Search) Close() { f.worlds.Close() }

// A node is a future, with the results of its rollouts.
type node struct {
	world  world.State
	input  byte // the last input
	next   []*node
	visits float64
	score  float64 // sum
}

// Choose returns the input for the next tick.
func (f *Search) Choose(s world.State) (byte, error) {
	all, err := f.worlds.Fork(nil, s, 1)
	if err != nil {
		return 0, err
	}
	root := &node{world: all[0]}
	defer func() { f.forget(root) }()
	for range f.Rollouts {
		if err := f.learn(root); err != nil {
			return 0, err
		}
	}
	best := root.next[0]
	for _, n := range root.next {
		if n.visits > best.visits {
			best = n
		}
	}
	return best.input, nil
}

// forget returns the worlds of a tree to the pool.
func (f *Search) forget(n *node) {
	f.worlds.Put(n.world)
	for _, next := range n.next {
		f.forget(next)
	}
}

// learn descends to a node with an untried input, tries it, and plays a rollout.
func (f *Search) learn(root *node) (err error) {
	path := []*node{root}
	at := root
	for len(at.next) == f.Inputs && !f.Over(at.world) {
		at = f.bestChild(at)
		path = append(path, at)
	}
	if !f.Over(at.world) {
		all, err := f.worlds.Fork(nil, at.world, 1)
		if err != nil {
			return err
		}
		n := &node{world: all[0], input: byte(len(at.next))}
		at.next = append(at.next, n)
		path = append(path, n)
		at = n
		if at.world, err = f.play(at.world, at.input); err != nil {
			return err
		}
	}
	f.scratch, err = pool.Copy(f.scratch, at.world)
	for t := 0; err == nil && t < f.Depth && !f.Over(f.scratch); t += f.Hold {
		f.scratch, err = f.play(f.scratch, byte(f.random.IntN(f.Inputs)))
	}
	score := float64(f.Score(f.scratch, f.Player))
	for _, n := range path {
		n.visits, n.score = n.visits+1, n.score+score
	}
	return err
}

// bestChild returns the child with the best combination of score and rarity.
func (f *Search) bestChild(n *node) (best *node) {
	most := math.Inf(-1)
	for _, x := range n.next {
		bound := x.score/x.visits + .5*math.Sqrt(math.Log(n.visits)/x.visits)
		if bound > most {
			best, most = x, bound
		}
	}
	return best
}

// play repeats an input for some ticks; the other player's inputs are random.
func (f *Search) play(s world.State, input byte) (_ world.State, err error) {
	for t := 0; err == nil && t < f.Hold; t++ {
		inputs := [2]byte{input, input}
		inputs[1-f.Player] = byte(f.random.IntN(f.Inputs))
		s, err = f.Step(s, inputs)
	}
	return s, err
}
