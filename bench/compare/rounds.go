package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/flatecs/flatecs/bench/suite"
)

// A cell is one contender's work on one definition at one n.
type cell struct {
	Definition string
	N          int
	Contender  string
	Result     suite.Result
	Rounds     []float64 // ns per object
}

// A pace is how long everything takes.
type pace struct {
	rounds int
	turn   time.Duration
	sizes  []int // nil: all of a definition's
}

// hire starts the process of a contender.
func hire(ctx context.Context, name string) (seat, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, self, "work", name)
	command.Stderr = os.Stderr
	lines, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &outside{name, lines, json.NewDecoder(answers), command.Wait}, nil
}

// A table is a set of contenders that take turns.
type table struct {
	hire  func(ctx context.Context, name string) (seat, error)
	seats map[string]seat
	pace  pace
	step  func() // after each turn
}

func (t *table) close() {
	for _, s := range t.seats {
		s.leave()
	}
}

// seat returns that of a contender, and hires it first.
func (t *table) seat(ctx context.Context, name string) (seat, error) {
	if s := t.seats[name]; s != nil {
		return s, nil
	}
	s, err := t.hire(ctx, name)
	if err == nil {
		t.seats[name] = s
	}
	return s, err
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
	for round := range t.pace.rounds {
		for i := range who {
			c := &cells[(i+round)%len(who)]
			a, err := t.ask(ctx, c.Contender, turn)
			if err != nil {
				return nil, err
			}
			c.Rounds = append(c.Rounds, a.Nanoseconds)
			t.step()
		}
	}
	return cells, nil
}

func (t *table) ask(ctx context.Context, name, line string) (a answer, err error) {
	if err := ctx.Err(); err != nil {
		return a, err
	}
	s, err := t.seat(ctx, name)
	if err != nil {
		return a, err
	}
	a, err = s.ask(line)
	if ctx.Err() != nil { // which ends the process
		return a, ctx.Err()
	}
	return a, err
}
