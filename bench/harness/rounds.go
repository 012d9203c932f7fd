package harness

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// A Pace is the duration of turns and cases.
type Pace struct {
	Rounds   int
	Turn     time.Duration
	Patience time.Duration // limit of a case
}

// Ordinary and Quick are paces.
var (
	Ordinary = Pace{Rounds: 11, Turn: 10 * time.Millisecond, Patience: 10 * time.Second}
	Quick    = Pace{Rounds: 5, Turn: 4 * time.Millisecond, Patience: time.Second}
)

// Measure runs the contenders of a case in turns at one size, and returns the rows of the results.
func Measure(ctx context.Context, subject string, c *Case, n int, p Pace) ([]Row, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	results, seats := make([]Result, len(c.Who)), make([]*seat, len(c.Who))
	defer func() {
		for _, s := range seats {
			_ = s.close()
		}
	}()
	for i, who := range c.Who {
		var err error
		if seats[i], results[i], err = sit(ctx, subject, c, who, n); err != nil {
			return nil, fmt.Errorf("%s, %s at %d: %w", who, c.Name, n, err)
		}
	}
	if err := c.agree(n, results); err != nil {
		return nil, err
	}
	if c.Rounds > 0 && p.Rounds == Ordinary.Rounds {
		p.Rounds = c.Rounds
	}
	all := tally{values: map[key][]float64{}}
	for start, round := time.Now(), 0; round < p.Rounds; round++ {
		if round > p.Rounds/2 && c.Rounds == 0 && time.Since(start) > p.Patience {
			break
		}
		for i := range c.Who {
			i = (i + round) % len(c.Who)
			t, err := seats[i].turn(p.Turn)
			if err != nil {
				return nil, fmt.Errorf("%s, %s at %d: %w", c.Who[i], c.Name, n, err)
			}
			results[i] = t.Result
			all.add(c.Who[i], t.Figures...)
		}
		if err := c.agree(n, results); err != nil {
			return nil, fmt.Errorf("round %d: %w", round+1, err)
		}
	}
	return all.rows(c, n), nil
}

// agree returns an error unless all contenders have the same result.
func (c *Case) agree(n int, results []Result) error {
	for i, got := range results {
		if want := results[0]; !want.equals(got) {
			return fmt.Errorf("%s at %d: %s comes to %v, %s to %v", c.Name, n, c.Who[0], want,
				c.Who[i], got)
		}
	}
	return nil
}

// A tally is the values of all rounds, by contender and measure.
type tally struct {
	measures []key // without contenders, in the order of their first measurement
	values   map[key][]float64
}

type key struct{ who, measure, unit string }

// add adds the figures of one turn of a contender.
func (t *tally) add(who string, figures ...Measured) {
	for _, f := range figures {
		at := key{who, f.Measure, f.Unit}
		t.values[at] = append(t.values[at], f.Value)
		if at.who = ""; !slices.Contains(t.measures, at) {
			t.measures = append(t.measures, at)
		}
	}
}

func (t *tally) of(who string, m key) []float64 { return t.values[key{who, m.measure, m.unit}] }

// rows returns the rows of a case at one size.
func (t *tally) rows(c *Case, n int) (rows []Row) {
	machine, day := machine(), time.Now().Format(time.DateOnly)
	for _, m := range t.measures {
		for _, who := range c.Who {
			values := t.of(who, m)
			if len(values) == 0 {
				continue
			}
			row := Row{
				Case: c.Name, N: n, Contender: who, Measure: m.measure, Unit: m.unit,
				Least: slices.Min(values), Median: Median(values), Day: day, Machine: machine,
			}
			if c.Per != "" {
				row.Unit += "/" + c.Per
			}
			rows = append(rows, t.compare(c, row, m)...)
		}
	}
	return rows
}

// compare returns a row for each contender that a contender of this library is compared with.
func (t *tally) compare(c *Case, row Row, m key) (rows []Row) {
	values := t.of(row.Contender, m)
	for _, base := range c.Against {
		if base == BestPeer {
			base = t.best(c, m)
		}
		if other := t.of(base, m); Ours(row.Contender) && len(other) > 0 {
			row.Against, row.Ratio = base, ratio(values, other)
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		rows = []Row{row}
	}
	return rows
}

// best returns the fastest other library.
func (t *tally) best(c *Case, m key) (peer string) {
	least := math.Inf(1)
	for _, who := range c.Who {
		if median := Median(t.of(who, m)); isPeer(who) && median < least {
			peer, least = who, median
		}
	}
	return peer
}
