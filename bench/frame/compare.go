package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/flatecs/flatecs/bench/frame/game"
	"github.com/flatecs/flatecs/bench/turns"
)

// A comparison is the command line.
type comparison struct {
	Objects int      `name:"count" help:"How many objects." default:"100000"`
	Rounds  int      `help:"How many rounds." default:"15"`
	Frames  int      `help:"How many frames a library plays in a turn." default:"20"`
	Quick   bool     `help:"Five rounds of eight frames."`
	Only    []string `help:"Libraries to measure (${libraries})." placeholder:"LIBRARY"`
	JSON    string   `name:"json" help:"Keep all rounds here." type:"path" placeholder:"FILE"`
}

// A report is all that was measured.
type report struct {
	Machine turns.Machine
	Objects int
	Frames  int // in a turn
	Columns []column
}

// A column is one library.
type column struct {
	Library  string
	Rounds   []turn
	Resident uint64 // bytes, at the end
}

// warm is how many frames pass before the first round, so that as many are frozen and as many
// bullets fly as later.
const warm = 60

// Run measures and prints.
func (c *comparison) Run(ctx context.Context, s turns.Streams) error {
	if c.Objects < 100 || c.Rounds < 1 || c.Frames < 1 {
		return fmt.Errorf("%d objects, %d rounds of %d frames; give 100, 1 and 1 or more",
			c.Objects, c.Rounds, c.Frames)
	}
	if c.Quick {
		c.Rounds, c.Frames = 5, 8
	}
	var who []string
	for _, l := range game.Libraries() {
		if len(c.Only) == 0 || slices.Contains(c.Only, l.Name) {
			who = append(who, l.Name)
		}
	}
	for _, name := range c.Only {
		if _, err := named(name); err != nil {
			return fmt.Errorf("--only: %w", err)
		}
	}
	r := &report{Machine: turns.ThisMachine(), Objects: c.Objects, Frames: c.Frames}
	if err := c.measure(ctx, r, who, turns.NewProgress(s.Err, len(who)*(c.Rounds+1))); err != nil {
		return err
	}
	if c.JSON != "" {
		text, err := json.MarshalIndent(r, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.JSON, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	return r.write(s.Out)
}

func hire(ctx context.Context, name string) (turns.Seat, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return turns.Start(ctx, name, program, "work", name)
}

func (c *comparison) measure(
	ctx context.Context, r *report, who []string, progress *turns.Progress,
) error {
	seats := turns.Seats{Hire: hire}
	defer seats.Close()
	defer progress.End()
	for _, name := range who {
		progress.Begin(name)
		lines := []string{fmt.Sprint("start ", c.Objects), fmt.Sprint("play ", warm)}
		for _, line := range lines {
			var t turn
			if err := seats.Ask(ctx, name, line, &t); err != nil {
				return err
			}
		}
		r.Columns = append(r.Columns, column{Library: name})
		progress.Add(1)
		progress.Tell(name + " is ready")
	}
	for round := range c.Rounds {
		for i := range who {
			col := &r.Columns[(i+round)%len(who)]
			var t turn
			if err := seats.Ask(ctx, col.Library, fmt.Sprint("play ", c.Frames), &t); err != nil {
				return err
			}
			col.Rounds = append(col.Rounds, t)
			progress.Add(1)
		}
		if err := r.agree(round); err != nil {
			return err
		}
		progress.Tell(fmt.Sprintf("round %d of %d", round+1, c.Rounds))
	}
	for i := range r.Columns {
		var t turn
		if err := seats.Ask(ctx, r.Columns[i].Library, "end", &t); err != nil {
			return err
		}
		r.Columns[i].Resident = t.Resident
	}
	return nil
}

// agree says whether all have come to the same sum.
func (r *report) agree(round int) error {
	first := r.Columns[0]
	for _, c := range r.Columns[1:] {
		if got, want := c.Rounds[round].Sum, first.Rounds[round].Sum; got != want {
			return fmt.Errorf("round %d: %s comes to %v, %s to %v", round+1, first.Library, want,
				c.Library, got)
		}
	}
	return nil
}
