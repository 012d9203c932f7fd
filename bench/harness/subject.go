package harness

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A Subject is the content of one results file.
type Subject struct {
	Name  string // file name without .csv
	About string // one line
	Cases []Case // in file order
}

// A Case is a piece of work that contenders do in turn, at several sizes.
type Case struct {
	Name, Title string
	Per         string   // the unit that figures are per: an object, …
	Sizes       []int    // numbers of objects
	Who         []string // contenders; names for this library begin with "flatecs"
	Against     []string // contenders that this library is compared with; or [BestPeer]
	Rounds      int      // replaces the pace's, unless 0

	Make func(who string, n int) Work
}

// BestPeer stands for the fastest of the other libraries.
const BestPeer = "best peer"

// Ours reports whether a contender is this library.
func Ours(who string) bool { return strings.HasPrefix(who, "flatecs") }

// isPeer reports whether a contender is another library.
func isPeer(who string) bool { return strings.HasPrefix(who, "Ark") || who == "uot" }

// Work is the work of a contender for a case at one size.
type Work struct {
	Run   func()        // timed
	Reset func()        // prepares the next Run; may be nil
	Check func() Result // the result after any number of Runs and Resets
	Close func()        // releases memory; may be nil
	Of    int           // number of objects per Run; 0: n

	// Turn measures in a way of its own, instead of timing Run.
	Turn func(budget time.Duration) Turn
}

// A Result is the outcome of a contender's work.
type Result struct {
	Count int
	Sum   float64
	Hash  uint64
}

// equals reports whether two contenders agree. Sums in different orders may be rounded differently.
func (r Result) equals(other Result) bool {
	return r.Count == other.Count && r.Hash == other.Hash &&
		math.Abs(r.Sum-other.Sum) <= 1e-6*math.Abs(r.Sum)
}

// A Turn is the figures of a contender's turn, and its result, if that is the same for all
// contenders after equal numbers of turns.
type Turn struct {
	Result
	Figures []Measured
}

// A Measured is a figure of one turn.
type Measured struct {
	Measure string // "time", the name of a system, …
	Unit    string
	Value   float64
}

// Known returns work whose figure, in time or bytes, is known in advance.
func Known(unit string, value float64, check func() Result, closing func()) Work {
	measure := "time"
	if unit == "bytes" {
		measure = "memory"
	}
	return Work{Run: func() {}, Check: check, Close: closing, Turn: func(time.Duration) Turn {
		return Turn{Figures: []Measured{{Measure: measure, Unit: unit, Value: value}}}
	}}
}

// Outcome returns the result of three runs.
func (w *Work) Outcome() Result {
	for range 3 {
		w.Once()
	}
	return w.Check()
}

// Once runs the work once, and prepares the next run.
func (w *Work) Once() {
	w.Run()
	if w.Reset != nil {
		w.Reset()
	}
}

// Case returns a case by its name.
func (s *Subject) Case(name string) (*Case, error) {
	i := slices.IndexFunc(s.Cases, func(c Case) bool { return c.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("%s has no case %q; --list names them", s.Name, name)
	}
	return &s.Cases[i], nil
}

// Work returns the work of a contender.
func (c *Case) Work(who string, n int) (Work, error) {
	if !slices.Contains(c.Who, who) {
		return Work{}, fmt.Errorf("%q takes no part in %s; there are %s", who, c.Name,
			strings.Join(c.Who, ", "))
	}
	w := c.Make(who, n)
	if w.Close == nil {
		w.Close = func() {}
	}
	if w.Of == 0 {
		w.Of = n
	}
	return w, nil
}
