package main

import (
	"math"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pool"
)

// A Game is what a search knows.
type Game struct {
	Inputs int // 0 to Inputs-1, of each of two players
	Step   func(s world.State, inputs [2]byte) (world.State, error)
	Score  func(s world.State, player int) float32 // from -1 to 1
	Over   func(s world.State) bool
}

// A Search chooses inputs by Monte Carlo tree search: a tree of futures, each of which is a world.
// From one that is promising or seldom seen it plays on at random, and all on the way to it learn
// the score.
type Search struct {
	Game
	Player   int // whose inputs are chosen
	Rollouts int // per choice
	Depth    int // ticks of a rollout
	Hold     int // ticks that an input is held for in the tree and in rollouts
	random   world.Stream
	worlds   *pool.Pool
	scratch  world.State // where rollouts are played
}

// NewSearch returns a search for games like that of s.
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

// Close ends a search.
func (f *Search) Close() { f.worlds.Close() }

// A node is a future, and what is known of what comes after it.
type node struct {
	world  world.State
	input  byte // that led to it
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

// forget puts the worlds of a tree back.
func (f *Search) forget(n *node) {
	f.worlds.Put(n.world)
	for _, next := range n.next {
		f.forget(next)
	}
}

// learn goes down the tree to where something was not tried yet, tries it, and plays on.
func (f *Search) learn(root *node) (err error) {
	path := []*node{root}
	at := root
	for len(at.next) == f.Inputs && !f.Over(at.world) {
		at = f.promising(at)
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

// promising returns the next node that has done well, or was seldom looked at.
func (f *Search) promising(n *node) (best *node) {
	most := math.Inf(-1)
	for _, x := range n.next {
		bound := x.score/x.visits + .5*math.Sqrt(math.Log(n.visits)/x.visits)
		if bound > most {
			best, most = x, bound
		}
	}
	return best
}

// play holds an input for some ticks; the other player does anything.
func (f *Search) play(s world.State, input byte) (_ world.State, err error) {
	for t := 0; err == nil && t < f.Hold; t++ {
		inputs := [2]byte{input, input}
		inputs[1-f.Player] = byte(f.random.IntN(f.Inputs))
		s, err = f.Step(s, inputs)
	}
	return s, err
}
