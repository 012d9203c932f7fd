// Package work runs tasks on goroutines: the caller's, and others that help.
//
//	Set     tasks 0 … n-1     each is taken by one goroutine, in ascending order
//	Pool    goroutines        they wait for a set, help with the innermost, and wait again
//
// Whoever runs a set works on it too and waits for no idle helper, so that sets may run inside
// tasks of other sets.
package work

import (
	"slices"
	"sync"
)

// A Pool is goroutines that help.
type Pool struct {
	count  int // with the caller's
	mutex  sync.Mutex
	wake   sync.Cond // tasks have come, or the end
	sets   []*Set    // that are being run
	closed bool
}

// Start starts n-1 goroutines.
func (p *Pool) Start(n int) {
	p.count = max(n, 1)
	p.wake.L = &p.mutex
	for range p.count - 1 {
		go p.serve()
	}
}

// Count returns how many goroutines run tasks, the caller's among them.
func (p *Pool) Count() int { return p.count }

// serve helps until there is nothing more to do. A task that ends its goroutine, as a failing test
// does, gets it replaced.
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

// join waits for tasks that nobody has taken, and returns their set as one who helps; nil when the
// pool is closed.
func (p *Pool) join() *Set {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for {
		for _, set := range slices.Backward(p.sets) { // the innermost, which others wait for
			if set.left() {
				set.done.Add(1)
				return set
			}
		}
		if p.closed {
			return nil
		}
		p.wake.Wait()
	}
}

// Offer asks idle helpers to help with a set. It panics when the pool is closed.
func (p *Pool) Offer(set *Set) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		panic("systems: RunTasks: these Workers are closed; run tasks before Close, or make " +
			"others by NewWorkers")
	}
	helpers := min(p.count, set.tasks) - 1
	if helpers < 1 {
		return
	}
	p.sets = append(p.sets, set)
	for range helpers {
		p.wake.Signal()
	}
}

// Finish waits for those who help with a set.
func (p *Pool) Finish(set *Set) {
	p.mutex.Lock()
	if i := slices.Index(p.sets, set); i >= 0 {
		p.sets = slices.Delete(p.sets, i, i+1)
	}
	p.mutex.Unlock()
	set.done.Wait()
}

// Close ends the goroutines. Closing twice is closing once.
func (p *Pool) Close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.closed = true
	p.wake.Broadcast()
}
