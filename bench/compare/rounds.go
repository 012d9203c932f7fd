package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/flatecs/flatecs/bench/suite"
	"github.com/flatecs/flatecs/bench/turns"
)

// A cell is one contender's work on one definition at one n.
type cell struct {
	Definition string
	N          int
	Contender  string
	Result     suite.Result
	Rounds     []float64 // nanoseconds per object, or what the figure is
	Frames     []float64 `json:",omitempty"` // nanoseconds of every frame
	Cache      *caches   `json:",omitempty"`
}

// A pace is how long everything takes.
type pace struct {
	rounds   int
	turn     time.Duration
	least    int           // rounds after which to end
	patience time.Duration // when they have taken longer than this
	quick    bool          // with few sizes
	sizes    []int         // instead of a definition's own
}

// String says what a report has to say of it.
func (p pace) String() string {
	return fmt.Sprintf("%d rounds, %d where they take long, of %v each", p.rounds, p.least, p.turn)
}

// A table is a set of contenders that take turns.
type table struct {
	seats turns.Seats
	pace  pace
	skip  func(turns int) // tells how many are over, or will not be played
}

// work has it done, by the clock or in a simulation.
func (t *table) work(ctx context.Context, p play, n int) ([]cell, error) {
	if p.Caches == 0 {
		return t.play(ctx, p.Definition, n, p.who)
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cells, err := simulateCaches(ctx, program, p.Definition, n, p.who)
	t.skip(t.pace.rounds * len(p.who))
	return cells, err
}

// play has a definition worked on at one n by all contenders in turn.
func (t *table) play(ctx context.Context, d suite.Definition, n int, who []string) ([]cell, error) {
	cells := make([]cell, len(who))
	for i, name := range who {
		a, err := t.ask(ctx, name, fmt.Sprintf("prepare %s %d", d.Name, n))
		if err != nil {
			return nil, err
		}
		cells[i] = cell{Definition: d.Name, N: n, Contender: name, Result: a.Result}
		if a.Result != cells[0].Result {
			return nil, fmt.Errorf("%s at %d: %s comes to %v, %s to %v", d.Name, n,
				cells[0].Contender, cells[0].Result, name, a.Result)
		}
	}
	turn := fmt.Sprintf("turn %d", t.pace.turn)
	start := time.Now()
	for round := range t.pace.rounds {
		if round >= t.pace.least && time.Since(start) > t.pace.patience {
			t.skip((t.pace.rounds - round) * len(who))
			break
		}
		for i := range who {
			c := &cells[(i+round)%len(who)]
			a, err := t.ask(ctx, c.Contender, turn)
			if err != nil {
				return nil, err
			}
			c.Rounds = append(c.Rounds, a.Nanoseconds)
			c.Frames = append(c.Frames, a.Frames...)
			t.skip(1)
		}
	}
	return cells, nil
}

func (t *table) ask(ctx context.Context, name, line string) (a answer, err error) {
	err = t.seats.Ask(ctx, name, line, &a)
	return a, err
}
