package harness

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A Subject is what one file of results is about.
type Subject struct {
	Name  string // of the file, without .csv
	About string // one line
	Cases []Case // in the order of the file
}

// A Case is a piece of work that contenders do in turn, at several sizes.
type Case struct {
	Name, Title string
	Per         string   // what a figure is of: an object, …
	Sizes       []int    // how many objects
	Who         []string // contenders; those of this library begin with "flatecs"
	Against     []string // with whom those of this library are compared; or [BestPeer]
	Rounds      int      // instead of the pace's, if not 0

	Make func(who string, n int) Work
}

// BestPeer stands for the fastest of the other libraries.
const BestPeer = "best peer"

// Ours reports whether a contender is this library, used in some way.
func Ours(who string) bool { return strings.HasPrefix(who, "flatecs") }

// isPeer reports whether a contender is another library, used in some way.
func isPeer(who string) bool { return strings.HasPrefix(who, "Ark") || who == "uot" }

// Work is what a contender does for a case at one size.
type Work struct {
	Run   func()        // is timed
	Reset func()        // makes the next Run possible; nil if nothing is to be done
	Check func() Result // what came out, after any number of Runs and Resets
	Close func()        // gives memory back; nil if there is nothing to do
	Of    int           // what Run is about: n objects, if 0

	// Turn measures in its own way, instead of timing Run.
	Turn func(budget time.Duration) Turn
}

// A Result is what a contender has come to.
type Result struct {
	Count int
	Sum   float64
	Hash  uint64
}

// equals reports whether two contenders agree; sums may be rounded differently in another order.
func (r Result) equals(other Result) bool {
	return r.Count == other.Count && r.Hash == other.Hash &&
		math.Abs(r.Sum-other.Sum) <= 1e-6*math.Abs(r.Sum)
}

// A Turn is what a contender has measured, and what it has come to, if that is the same for all
// after as many turns.
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

// Known is work whose figure, of time or of bytes, is known when it is made.
func Known(unit string, value float64, check func() Result, closing func()) Work {
	measure := "time"
	if unit == "bytes" {
		measure = "memory"
	}
	return Work{Run: func() {}, Check: check, Close: closing, Turn: func(time.Duration) Turn {
		return Turn{Figures: []Measured{{Measure: measure, Unit: unit, Value: value}}}
	}}
}

// Outcome is what work has come to after three runs.
func (w *Work) Outcome() Result {
	for range 3 {
		w.Once()
	}
	return w.Check()
}

// Once runs work, and makes the next run possible.
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

// Work makes the work of a contender that takes part.
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
