package harness

import (
	"context"
	"fmt"
	"time"
)

// A Pace is how long everything takes.
type Pace struct {
	Rounds   int
	Turn     time.Duration
	Least    int           // rounds after which to end
	Patience time.Duration // when they have taken longer than this
	Sizes    []int         // instead of a case's own, where that has several; nil: its own
}

// Ordinary and Quick are paces.
var (
	Ordinary = Pace{
		Rounds: 11, Turn: 10 * time.Millisecond, Least: 5, Patience: 10 * time.Second,
	}
	Quick = Pace{Rounds: 5, Turn: 4 * time.Millisecond, Least: 3, Patience: time.Second}
)

// SizesOf returns the sizes at which a case is measured; one that has a single size keeps it.
func (p *Pace) SizesOf(c *Case) []int {
	if len(c.Sizes) == 1 || len(p.Sizes) == 0 {
		return c.Sizes
	}
	return p.Sizes
}

// Measure lets the contenders of a case take turns at one size, and returns the rows of the
// results.
func Measure(ctx context.Context, seats *Seats, c *Case, n int, p Pace) ([]Row, error) {
	results := map[string]Result{}
	for _, who := range c.Who {
		var r Result
		if err := seats.Call(ctx, who, "Prepare", Job{c.Name, n}, &r); err != nil {
			return nil, err
		}
		results[who] = r
	}
	if err := c.agree(n, results); err != nil {
		return nil, err
	}
	if c.Rounds > 0 && p.Rounds == Ordinary.Rounds {
		p.Rounds = c.Rounds
	}
	all := NewTally(c.Who...)
	for start, round := time.Now(), 0; round < p.Rounds; round++ {
		if round >= p.Least && c.Rounds == 0 && time.Since(start) > p.Patience {
			break
		}
		for i := range c.Who {
			who := c.Who[(i+round)%len(c.Who)]
			var t Turn
			if err := seats.Call(ctx, who, "Turn", p.Turn, &t); err != nil {
				return nil, err
			}
			results[who] = t.Result
			all.Add(who, t.Figures...)
		}
		if err := c.agree(n, results); err != nil {
			return nil, fmt.Errorf("round %d: %w", round+1, err)
		}
	}
	return all.Rows(c, n), nil
}

// agree returns an error unless all contenders have come to the same.
func (c *Case) agree(n int, results map[string]Result) error {
	first := c.Who[0]
	for _, who := range c.Who {
		if want, got := results[first], results[who]; !want.equals(got) {
			return fmt.Errorf("%s at %d: %s comes to %v, %s to %v", c.Name, n, first, want, who,
				got)
		}
	}
	return nil
}
