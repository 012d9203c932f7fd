package hunt

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A Result describes a hunt.
type Result struct {
	Ticks   int64    // ticks played
	Runs    int64    // runs from kept states
	States  int      // stored states
	Never   []string // properties of Sometimes that never held
	Took    time.Duration
	All     int64    // ticks of all hunts with the Corpus so far
	Failure *Failure // nil: none
}

// String returns the result as a sentence.
func (r Result) String() string {
	text := fmt.Sprintf("hunt: %d ticks in %d runs from %d states, %v: ", r.Ticks, r.Runs, r.States,
		r.Took.Round(time.Millisecond))
	if r.Failure != nil {
		return text + r.Failure.String()
	}
	if r.All > 0 {
		text += fmt.Sprintf("%d ticks in all parts and runs: ", r.All)
	}
	text += "nothing found"
	if len(r.Never) > 0 {
		text += fmt.Sprintf("; never came about: %q", r.Never)
	}
	return text
}

// Run hunts a game until it finds a failure, or the time or the ticks are over. It returns the
// errors of [Game.New] and of the Corpus. It panics if the game or the options are invalid.
func Run(g Game, o Options) (Result, error) {
	g.check()
	o = o.filled()
	h := &hunt{options: o, size: g.size(), came: make([]atomic.Bool, len(g.Sometimes))}
	first, err := g.same()
	if err == nil {
		err = h.open(first)
	}
	if err != nil {
		return Result{}, err
	}
	began := time.Now()
	if o.For != forever {
		h.until = began.Add(o.For)
	}
	var group sync.WaitGroup
	for n := range o.Workers {
		w, err := newWorker(h, &g, n)
		if err != nil {
			h.stop.Store(true)
			group.Wait()
			return Result{}, err
		}
		group.Go(func() { w.work() })
	}
	group.Wait()
	r := Result{
		Ticks: h.played.Load(), Runs: h.runs.Load(), States: int(h.states.Load()),
		Took: time.Since(began),
	}
	r.All, err = h.close()
	for i, p := range g.Sometimes {
		if !h.came[i].Load() {
			r.Never = append(r.Never, p.name)
		}
	}
	if h.found != nil {
		f, bad := shrink(&g, h.found, h.inputs, &o)
		r.Failure, r.Took, err = f, time.Since(began), errors.Join(err, bad)
	}
	return r, err
}

// A hunt is the data that the workers share.
type hunt struct {
	options Options
	size    int // bytes of a tick
	until   time.Time
	played  atomic.Int64 // ticks
	runs    atomic.Int64
	states  atomic.Int64
	came    []atomic.Bool // per property of Sometimes: it has held
	stop    atomic.Bool

	mutex  sync.Mutex
	found  *fault // the first
	inputs []byte // inputs that lead to it
	shared shared
}

// report ends the hunt with a fault, unless there is one already. A new fault is added to the
// corpus.
func (h *hunt) report(f *fault, inputs []byte, known bool) {
	h.stop.Store(true)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.found == nil {
		h.found, h.inputs = f, inputs
		if !known {
			h.add(Find{Property: f.property, Inputs: inputs})
		}
	}
}

// over reports whether the hunt is over.
func (h *hunt) over() bool {
	return h.stop.Load() || h.played.Load() >= h.options.Ticks || passed(h.until)
}

func passed(until time.Time) bool { return !until.IsZero() && time.Now().After(until) }
