package work

import (
	"sync"
	"sync/atomic"
)

// A Set is a number of tasks that run in parallel. It can be reused.
type Set struct {
	run   func(task int)
	wrong func(task int, fault any) any // converts the panic of a task; nil: no conversion
	tasks int
	next  atomic.Uint32 // next task to take
	done  sync.WaitGroup
	// helpers counts the goroutines that done waits for, for polling. It may lag, and decides
	// nothing.
	helpers atomic.Int32
	fault   atomic.Pointer[any] // the first panic
}

// Begin gives the set tasks tasks; run runs one of them. If one panics, wrong returns the result of
// [Set.Fault], before the goroutine's stack is gone.
func (s *Set) Begin(tasks int, run func(task int), wrong func(task int, fault any) any) {
	s.run, s.wrong, s.tasks = run, wrong, tasks
	if s.fault.Load() != nil { // a load is cheaper than a store
		s.fault.Store(nil)
	}
	if s.next.Load() != 0 {
		s.next.Store(0)
	}
}

// left reports whether there are tasks that no goroutine has taken.
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

// alone runs all tasks of a set that was not offered to helpers.
func (s *Set) alone() {
	for i := range s.tasks {
		s.one(i)
	}
}

// one runs a task, and stores its panic.
func (s *Set) one(task int) {
	returned := false
	defer func() {
		if returned {
			return
		}
		fault := recover()
		switch {
		case fault == nil:
			fault = "flatecs: a task ended its goroutine; return from the system, or panic"
		case s.wrong != nil:
			fault = s.wrong(task, fault)
		}
		s.fault.CompareAndSwap(nil, &fault)
	}()
	s.run(task)
	returned = true
}

// Fault returns the first panic of a task, or nil.
func (s *Set) Fault() *any { return s.fault.Load() }
