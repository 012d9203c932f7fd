package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/flatecs/flatecs/bench/turns"
)

// A report is all that was measured.
type report struct {
	Machine turns.Machine
	Pace    string
	Cells   []cell
}

// has says whether all contenders of a play were measured at n.
func (r *report) has(p play, n int) bool {
	return !slices.ContainsFunc(p.who, func(name string) bool {
		return !slices.ContainsFunc(r.Cells, func(c cell) bool {
			return c.Definition == p.Name && c.N == n && c.Contender == name
		})
	})
}

// add takes cells in, in the place of those of the same definition and n.
func (r *report) add(cells []cell) {
	if len(cells) > 0 {
		r.Cells = slices.DeleteFunc(r.Cells, func(c cell) bool {
			return c.Definition == cells[0].Definition && c.N == cells[0].N
		})
	}
	r.Cells = append(r.Cells, cells...)
}

// resume reads what a report of the same machine and pace has kept.
func (r *report) resume(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	var kept report
	if err := json.Unmarshal(text, &kept); err != nil {
		return fmt.Errorf("--resume: %s: %w", name, err)
	}
	if kept.Machine != r.Machine || kept.Pace != r.Pace {
		return fmt.Errorf("--resume: %s was measured on %s %s; here it is %s %s. Begin anew "+
			"without --resume", name, kept.Machine, kept.Pace, r.Machine, r.Pace)
	}
	r.Cells = kept.Cells
	return nil
}
