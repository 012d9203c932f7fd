package work

import (
	"math"
	"time"
)

// A Pace measures how long a job takes. It decides how many goroutines to wake for the next run;
// the results do not depend on it. It belongs to one goroutine.
type Pace struct {
	unit float64 // nanoseconds per unit of work; 0: not known
}

// The least work that is worth waking a goroutine, which takes up to 0.1 ms while the others work,
// and the least work for a polling goroutine.
const (
	worthWaking  = 50 * time.Microsecond
	worthLooking = 10 * time.Microsecond
)

// most returns the number of goroutines, including the caller's, that so many units of work are
// worth.
func (p *Pace) most(units int, worth time.Duration) int {
	if p == nil || p.unit == 0 {
		return math.MaxInt
	}
	return max(1, min(int(p.unit*float64(units)/float64(worth)), processors()))
}

// work works on a set of units units, and measures the caller's share. It adopts a shorter time at
// once, and a longer one gradually, because another program may have caused it.
func (p *Pace) work(set *Set, units int) {
	began := time.Now() //nolint:forbidigo // for the number of goroutines, which no world can see
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

// Run runs a set of units units of work on the caller's goroutine, and on goroutines of p, which
// may be nil: on as many as pace decides, or on all without a pace. It panics if the pool is
// closed.
func (p *Pool) Run(set *Set, pace *Pace, units int) {
	offered := p != nil && p.offer(set, pace, units)
	if offered {
		defer p.finish(set) // also if the caller's goroutine ends within a task
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
