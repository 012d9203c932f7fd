package work

import (
	"math"
	"time"
)

// A Pace is how long a job takes, as its earlier runs measured. It decides how many goroutines are
// woken for the next run, which the results do not depend on. It belongs to one goroutine.
type Pace struct {
	unit float64 // nanoseconds per unit of work; 0: not known
}

// Work for a goroutine that is worth waking it, which takes up to 0.1 ms while the others work, and
// for one that looks for work.
const (
	worthWaking  = 50 * time.Microsecond
	worthLooking = 10 * time.Microsecond
)

// most returns how many goroutines, with the caller's, are worth so many units of work.
func (p *Pace) most(units int, worth time.Duration) int {
	if p == nil || p.unit == 0 {
		return math.MaxInt
	}
	return max(1, min(int(p.unit*float64(units)/float64(worth)), processors()))
}

// work works on a set of so many units, and measures the caller's share of it. Less is believed at
// once, and more by and by: it may be the time of another program.
func (p *Pace) work(set *Set, units int) {
	began := time.Now() //nolint:forbidigo // how many goroutines are woken, which no world can see
	done := set.Work()
	took := time.Since(began) //nolint:forbidigo // the same
	if done == 0 || units == 0 {
		return
	}
	unit := float64(max(took, 1)) * float64(set.tasks) / float64(done) / float64(units)
	if p.unit == 0 || unit < p.unit {
		p.unit = unit
	} else {
		p.unit += float64((min(unit, 16*p.unit) - p.unit) / 8)
	}
}

// Run runs a set of so many units of work on the caller's goroutine, and on those of p, which may
// be nil: on as many as pace finds worth it, and on all without one. It panics when the pool is
// closed.
func (p *Pool) Run(set *Set, pace *Pace, units int) {
	offered := p != nil && p.offer(set, pace, units)
	if offered {
		defer p.finish(set) // in case the caller's goroutine ends within a task
	}
	switch {
	case p != nil && pace != nil:
		pace.work(set, units)
	case offered:
		set.Work()
	default:
		set.alone()
	}
}
