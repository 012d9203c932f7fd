package work

import (
	"sync"
	"sync/atomic"
)

// A Set is tasks that run side by side. It may be used again and again.
type Set struct {
	run   func(task int)
	tasks int
	next  atomic.Uint32 // next task to take
	done  sync.WaitGroup
	// helpers are those that done waits for, for one that looks whether they are through. It may
	// be late, and decides nothing.
	helpers atomic.Int32
	fault   atomic.Pointer[any] // the first panic
}

// Begin makes the set one of so many tasks; run runs one of them.
func (s *Set) Begin(tasks int, run func(task int)) {
	s.run, s.tasks = run, tasks
	s.fault.Store(nil)
	s.next.Store(0)
}

// left reports whether there are tasks that nobody has taken.
func (s *Set) left() bool { return int(s.next.Load()) < s.tasks }

// help works on a set from another goroutine.
func (s *Set) help() {
	defer s.helpers.Add(-1) // after Done, so that Wait does not sleep
	defer s.done.Done()
	s.Work()
}

// Work runs tasks until none is left, and returns how many it ran.
func (s *Set) Work() (ran int) {
	for ; ; ran++ {
		i := int(s.next.Add(1)) - 1
		if i >= s.tasks {
			return ran
		}
		s.one(i)
	}
}

// one runs a task, and keeps its panic.
func (s *Set) one(task int) {
	returned := false
	defer func() {
		fault := recover()
		if fault == nil && !returned {
			fault = "flatecs: a task ended its goroutine; return from the system, or panic"
		}
		if fault != nil {
			first := fault // only this copy escapes to the heap
			s.fault.CompareAndSwap(nil, &first)
		}
	}()
	s.run(task)
	returned = true
}

// Fault returns the first panic of a task, or nil.
func (s *Set) Fault() *any { return s.fault.Load() }
