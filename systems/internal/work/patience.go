package work

import (
	"runtime"
	"time"
)

// SetPatience sets how long a goroutine without work polls before it sleeps, and how long a caller
// polls for the end of its helpers.
func (p *Pool) SetPatience(d time.Duration) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.patience = max(d, 0)
}

// mayLook reports whether a goroutine may poll, which occupies a processor. One processor is left
// for the goroutine that offers work. The caller holds the mutex.
func (p *Pool) mayLook() bool { return p.patience > 0 && p.looking+1 < processors() }

// look polls for an offer until the patience ends, and reports whether there was one. The caller
// holds the mutex; look releases it while polling.
func (p *Pool) look() bool {
	seen, patience := p.offers.Load(), p.patience
	p.looking++
	p.mutex.Unlock()
	offered := lookUntil(patience, func() bool { return p.offers.Load() != seen })
	p.mutex.Lock()
	p.looking--
	return offered
}

// lookUntil polls done for at most patience, and reports whether done returned true. It does not
// yield, because that would wake a thread of the runtime each time. The scheduler and the garbage
// collector preempt it like any loop.
func lookUntil(patience time.Duration, done func() bool) bool {
	for began := time.Now(); ; { //nolint:forbidigo // how long to wait, which no world can see
		for range looks {
			if done() {
				return true
			}
			pause()
		}
		if time.Since(began) >= patience { //nolint:forbidigo // the same
			return false
		}
	}
}

// looks is the number of polls, a few microseconds, between two readings of the clock.
const looks = 64

// processors returns the number of goroutines that can run at the same time.
func processors() int { return runtime.GOMAXPROCS(0) }

// pause waits for about 50 ns by dependent divisions, so that other users of the processor's units
// and of the polled bytes make progress.
//
//go:noinline
func pause() {
	x := divisor
	for range 4 {
		x = divisor / x
	}
	rest(x)
}

// divisor is a variable, so that the compiler cannot remove the divisions.
var divisor = 3.

//go:noinline
func rest(float64) {}
