package systems

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Workers are goroutines that run tasks. The nil Workers runs them one after the other. Whoever
// runs tasks works on them too and waits for no idle worker, so several goroutines may run tasks of
// different worlds on the same Workers at once, and a task may run those of another world.
type Workers struct {
	count  int
	mutex  sync.Mutex
	wake   sync.Cond  // tasks have come, or the end
	sets   []*taskSet // that are being run
	closed bool
}

// A taskSet is the tasks that run side by side.
type taskSet struct {
	jobs  []*job // a context per task
	tasks []Task
	next  atomic.Uint32 // task to take next
	done  sync.WaitGroup
	fault atomic.Pointer[any] // first panic
}

// maxWorkers is the most goroutines that Workers may be: any machine has fewer processors.
const maxWorkers = 1 << 12

// NewWorkers starts n goroutines, the caller's counted as one of them. It panics when they are more
// than 4,096.
func NewWorkers(n int) *Workers {
	if n > maxWorkers {
		panic(fmt.Sprintf("flatecs: NewWorkers(%d): there may be %d; have one per processor", n,
			maxWorkers))
	}
	w := &Workers{count: max(n, 1)}
	w.wake.L = &w.mutex
	for range w.count - 1 {
		go w.serve()
	}
	return w
}

// serve helps until there is nothing more to do. A task that ends its goroutine, as a failing test
// does, gets it replaced.
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

// join waits for tasks that nobody has taken, and returns their set as one who helps; nil when the
// workers are closed.
func (w *Workers) join() *taskSet {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for {
		for _, set := range slices.Backward(w.sets) { // the innermost, which others wait for
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

// offer asks idle workers to help with the tasks of a set.
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

// finish waits for those who help with a set.
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

// Close ends the goroutines. Closing twice is closing once.
func (w *Workers) Close() {
	if w == nil {
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.closed = true
	w.wake.Broadcast()
}

// Count returns how many goroutines run tasks, the caller's among them.
func (w *Workers) Count() int {
	if w == nil {
		return 1
	}
	return w.count
}

// help is work on another goroutine.
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
