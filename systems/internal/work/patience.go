package work

import (
	"runtime"
	"time"
)

// SetPatience sets for how long a goroutine without work looks for some before it sleeps, and for
// how long a caller looks whether its helpers are through.
func (p *Pool) SetPatience(d time.Duration) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.patience = max(d, 0)
}

// mayLook reports whether a goroutine may look for work, which keeps a processor: one processor is
// left for who brings the work. The caller holds the mutex.
func (p *Pool) mayLook() bool { return p.patience > 0 && p.looking+1 < processors() }

// look looks for an offer until the patience ends, and reports whether there was one. The caller
// holds the mutex; it is not held meanwhile.
func (p *Pool) look() bool {
	seen, patience := p.offers.Load(), p.patience
	p.looking++
	p.mutex.Unlock()
	offered := lookUntil(patience, func() bool { return p.offers.Load() != seen })
	p.mutex.Lock()
	p.looking--
	return offered
}

// lookUntil looks again and again whether something has come about, for so long at most, and
// reports whether it has. It does not yield: that would wake a thread of the runtime each time. The
// scheduler and the collector stop it as they stop any loop.
func lookUntil(patience time.Duration, done func() bool) bool {
	for began := time.Now(); ; {
		for range looks {
			if done() {
				return true
			}
			pause()
		}
		if time.Since(began) >= patience {
			return false
		}
	}
}

// looks is how often a goroutine looks before it asks for the time: for a few microseconds.
const looks = 64

// processors returns how many goroutines run at the same time.
func processors() int { return runtime.GOMAXPROCS(0) }

// pause waits for some 50 ns by divisions that wait for each other, so that what shares the
// processor's units or the bytes that are looked at goes on.
//
//go:noinline
func pause() {
	x := divisor
	for range 4 {
		x = divisor / x
	}
	rest(x)
}

// divisor is a variable, so that no compiler divides.
var divisor = 3.

//go:noinline
func rest(float64) {}
