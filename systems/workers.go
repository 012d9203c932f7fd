package systems

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Workers are goroutines that run tasks. With nil Workers, tasks run one after the other. The
// caller of [RunTasks] works on the tasks too and never waits for an idle worker, so several
// goroutines may use the same Workers at once, and a task may run tasks of another world on them.
type Workers struct {
	count  int
	mutex  sync.Mutex
	wake   sync.Cond  // signals tasks, or the end
	sets   []*taskSet // that are running
	closed bool
}

// A taskSet is a list of tasks that run in parallel.
type taskSet struct {
	jobs  []*job // one context per task
	tasks []Task
	next  atomic.Uint32 // next task to take
	done  sync.WaitGroup
	fault atomic.Pointer[any] // the first panic
}

// maxWorkers is the largest number of goroutines of Workers.
const maxWorkers = 1 << 12

// NewWorkers returns n goroutines, at least one, counting the caller's as one. It panics if n is
// more than 4,096.
func NewWorkers(n int) *Workers {
	if n > maxWorkers {
		panic(fmt.Sprintf("flatecs: NewWorkers(%d): the most is %d; use one per processor", n,
			maxWorkers))
	}
	w := &Workers{count: max(n, 1)}
	w.wake.L = &w.mutex
	for range w.count - 1 {
		go w.serve()
	}
	return w
}

// serve runs tasks until the workers are closed. If a task ends its goroutine, as a failing test
// does, a new goroutine takes over.
func (w *Workers) serve() {
	ended := false
	defer func() {
		if !ended {
			go w.serve()
		}
	}()
	for set := w.join(); set != nil; set = w.join() {
		set.help()
	}
	ended = true
}

// join waits for a set with tasks to take and registers as a helper. It returns nil when the
// workers are closed.
func (w *Workers) join() *taskSet {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for {
		for _, set := range slices.Backward(w.sets) { // the innermost first, others wait for it
			if int(set.next.Load()) < len(set.tasks) {
				set.done.Add(1)
				return set
			}
		}
		if w.closed {
			return nil
		}
		w.wake.Wait()
	}
}

// offer asks idle workers to help with a set.
func (w *Workers) offer(set *taskSet) {
	if w == nil {
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.closed {
		panic("flatecs: RunTasks: these Workers are closed; run tasks before Close, or make " +
			"others by NewWorkers")
	}
	helpers := min(w.count, len(set.tasks)) - 1
	if helpers < 1 {
		return
	}
	w.sets = append(w.sets, set)
	for range helpers {
		w.wake.Signal()
	}
}

// finish waits for the helpers of a set.
func (w *Workers) finish(set *taskSet) {
	if w == nil {
		return
	}
	w.mutex.Lock()
	if i := slices.Index(w.sets, set); i >= 0 {
		w.sets = slices.Delete(w.sets, i, i+1)
	}
	w.mutex.Unlock()
	set.done.Wait()
}

// Close ends the goroutines. Closing twice is allowed.
func (w *Workers) Close() {
	if w == nil {
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.closed = true
	w.wake.Broadcast()
}

// Count returns the number of goroutines that run tasks, including the caller's.
func (w *Workers) Count() int {
	if w == nil {
		return 1
	}
	return w.count
}

// help works on a set from another goroutine.
func (set *taskSet) help() {
	defer set.done.Done()
	set.work()
}

// work runs tasks until none is left.
func (set *taskSet) work() {
	for {
		i := int(set.next.Add(1)) - 1
		if i >= len(set.tasks) {
			return
		}
		set.jobs[i].run(&set.tasks[i], set)
	}
}
