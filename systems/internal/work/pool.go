// Package work runs tasks on the caller's goroutine and on helper goroutines.
//
//	Set     tasks 0 … n-1     each is taken by one goroutine, in ascending order
//	Pool    goroutines        they wait for a set, help with the innermost, and wait again
//
// The caller of a set works on it too and waits for no idle helper, so that sets may run inside
// tasks of other sets. With patience, a goroutine without work polls for a while before it sleeps
// (patience.go).
package work

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Pool is a number of helper goroutines.
type Pool struct {
	count    int // including the caller's
	mutex    sync.Mutex
	wake     sync.Cond     // signals tasks, or the end
	sets     []*Set        // running sets
	offers   atomic.Uint32 // number of sets offered so far: polled by goroutines
	looking  int           // goroutines that poll before they sleep
	patience time.Duration // how long they poll
	closed   bool
	draw     func(most int) int // for tests: see Draw
}

// Start starts n-1 goroutines.
func (p *Pool) Start(n int) {
	p.count = max(n, 1)
	p.wake.L = &p.mutex
	for range p.count - 1 {
		go p.serve()
	}
}

// Count returns the number of goroutines that run tasks, including the caller's.
func (p *Pool) Count() int { return p.count }

// serve runs tasks until the workers are closed. If a task ends its goroutine, as a failing test
// does, a new goroutine takes over.
func (p *Pool) serve() {
	ended := false
	defer func() {
		if !ended {
			go p.serve()
		}
	}()
	for set := p.join(); set != nil; set = p.join() {
		set.help()
	}
	ended = true
}

// join waits for a set with tasks to take and registers as a helper. It returns nil when the
// pool is closed.
func (p *Pool) join() *Set {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for look := true; ; {
		for _, set := range slices.Backward(p.sets) { // innermost first: others wait for it
			if set.left() {
				set.done.Add(1)
				set.helpers.Add(1)
				return set
			}
		}
		switch {
		case p.closed:
			return nil
		case look && p.mayLook():
			look = p.look()
		default:
			p.wake.Wait()
			look = true // the set ended before the goroutine woke; another may follow
		}
	}
}

// offer asks idle helpers to help with a set, and reports whether it did: if the set has more than
// one task, and pace allows it.
func (p *Pool) offer(set *Set, pace *Pace, units int) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		panic("flatecs: RunTasks: these Workers are closed; run tasks before Close, or make " +
			"others by NewWorkers")
	}
	worth := worthWaking
	if p.patience > 0 {
		worth = worthLooking
	}
	helpers := min(p.count, set.tasks, pace.most(units, worth)) - 1
	if p.draw != nil {
		helpers = p.draw(min(p.count, set.tasks)) - 1
	}
	if helpers < 1 {
		return false
	}
	p.sets = append(p.sets, set)
	p.offers.Add(1)
	for range helpers {
		p.wake.Signal()
	}
	return true
}

// Draw makes the pool offer each set to draw(most) goroutines, including the caller's, instead of
// the number that is worth waking. It is for tests.
func (p *Pool) Draw(draw func(most int) int) { p.draw = draw }

// finish waits for the helpers of a set.
func (p *Pool) finish(set *Set) {
	p.mutex.Lock()
	if i := slices.Index(p.sets, set); i >= 0 {
		p.sets = slices.Delete(p.sets, i, i+1)
	}
	patience := p.patience
	p.mutex.Unlock()
	if patience > 0 && set.helpers.Load() > 0 && processors() > 1 {
		lookUntil(patience, func() bool { return set.helpers.Load() == 0 })
	}
	set.done.Wait()
}

// Close ends the goroutines. Closing twice is allowed.
func (p *Pool) Close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.closed = true
	p.offers.Add(1) // for polling goroutines
	p.wake.Broadcast()
}
