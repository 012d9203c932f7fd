package systems

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// A Task is one call of a system, on all objects or on some blocks of them, that may run beside
// others: it may walk the queries that it lists, on its objects, and record [Commands]; it may not
// change the world's structure.
type Task struct {
	Run     []func(State) State // one after the other
	Queries []Query             // that they may walk
	First   uint32              // first block of 64 objects
	End     uint32              // block after the last one; 0: all
	Fuse    uint32              // blocks that all of Run are called on before the next ones; 0: all
}

// RunTasks runs tasks side by side on workers, and returns when all have ended. What they recorded
// is added to the world's commands in the order of the tasks, so that the bytes do not depend on
// the number of workers. A panic in one is passed on. It panics while a walk is open, and when the
// workers are closed.
func RunTasks(s State, w *Workers, tasks []Task) State {
	j := s.use()
	j.still()
	for i := range tasks {
		tasks[i].check(i)
	}
	set := &j.set
	set.tasks, set.fault = tasks, atomic.Pointer[any]{}
	set.next.Store(0)
	for i := range tasks {
		if i == len(set.jobs) {
			set.jobs = append(set.jobs, j.part(i))
		}
		j.commands.Lend(&set.jobs[i].commands)
		for _, q := range tasks[i].Queries {
			j.planOf(q)
		}
	}
	w.offer(set)
	defer w.finish(set) // should the caller's goroutine end in a task
	set.work()
	w.finish(set)
	for i := range tasks {
		j.commands.Append(&set.jobs[i].commands)
		j.stampAll(&tasks[i], set.jobs[i])
	}
	if fault := set.fault.Load(); fault != nil {
		panic(*fault)
	}
	return s.done()
}

// check panics when a function or query of a task is none.
func (t *Task) check(i int) {
	for _, f := range t.Run {
		if f == nil {
			panic(fmt.Sprintf("systems: RunTasks: task %d runs a nil function; "+
				"set it, or leave it out", i))
		}
	}
}

// run runs a task in its context.
func (j *job) run(t *Task, set *taskSet) {
	returned := false
	defer func() {
		fault := recover()
		if fault == nil && !returned {
			fault = "systems: a task ended its goroutine; return from the system, or panic"
		}
		if fault != nil {
			first := fault // what escapes to the heap is only made here
			set.fault.CompareAndSwap(nil, &first)
		}
	}()
	j.allowed, j.walked = t.Queries, 0
	end := j.walks.Blocks()
	if t.End != 0 {
		end = min(end, t.End)
	}
	if t.Fuse == 0 {
		j.call(t, t.First, end)
	} else {
		fuse := min(t.Fuse, end) // so that no sum is beyond 32 bits
		for first := t.First; first < end; first += fuse {
			j.call(t, first, min(first+fuse, end))
		}
	}
	returned = true
}

func (j *job) call(t *Task, from, to uint32) {
	j.walks.From, j.walks.To = from, to
	for _, f := range t.Run {
		f(newState(j))
	}
}

// part returns a context for a part of the world's objects.
func (j *job) part(number int) *job {
	return &job{
		Table: j.Table, whole: j, commands: j.commands.ForTask(number),
		recipes: j.recipes, pools: j.pools, poolList: j.poolList, plans: j.plans,
		walks: walk.Walks{Objects: j.Objects, Part: true},
	}
}

// stamp notes what a task may have written. The stamps of rows at the border of two tasks' objects
// are the same, so that they are noted when all have ended.
func (j *job) stampAll(t *Task, part *job) {
	j.walks.From, j.walks.To = t.First, t.End
	if t.End == 0 {
		j.walks.To = math.MaxUint32
	}
	for i := range t.Queries {
		if part.walked>>(i&63)&1 != 0 && j.planOf(t.Queries[i]).Writes() {
			j.walk(t.Queries[i], 0, func(Batch) bool { return true })
		}
	}
	j.walks.From, j.walks.To = 0, math.MaxUint32
}

// allows notes that a task walks a query. It panics when the task does not list it.
func (j *job) allows(q Query) {
	for i := range j.allowed {
		if j.allowed[i] == q {
			j.walked |= 1 << (i & 63)
			return
		}
	}
	panic("systems: this job walks a query that it does not list; add it to the job's Queries")
}

// Conflict returns a field that one of two lists of queries writes and the other asks for, if there
// is one: systems that walk them may not run side by side.
func Conflict(a, b []Query) (field *layout.FieldSpec, ok bool) {
	for _, p := range a {
		for _, q := range b {
			if f := query.Conflict(p.declared(), q.declared()); f != nil {
				return f, true
			}
		}
	}
	return nil, false
}
