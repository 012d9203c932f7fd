package systems

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
)

// A Task is one call of a system, on all objects or a range of blocks, that may run in parallel
// with others. It may walk the queries that it lists, read by id, and record [Commands]. It may not
// change the structure.
type Task struct {
	Run     []func(State) State // one after the other
	Queries []Query             // queries that they may walk
	First   uint32              // first block of 64 objects
	End     uint32              // block after the last one; 0: all
	Fuse    uint32              // call all of Run on this many blocks at a time; 0: on all
}

// RunTasks runs tasks in parallel on workers, and returns when all have ended. Their commands are
// appended to the world's in the order of the tasks, so that the bytes do not depend on the number
// of workers. A panic in a task is passed on. It panics while a walk is open, and if the workers
// are closed.
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
		set.jobs[i].commands.births = j.commands.tasks[i]
		for _, q := range tasks[i].Queries {
			j.planOf(q.spec)
		}
	}
	w.offer(set)
	defer w.finish(set) // in case the caller's goroutine ends within a task
	set.work()
	w.finish(set)
	for i := range tasks {
		j.commands.append(&set.jobs[i].commands)
		j.stampAll(&tasks[i], set.jobs[i])
	}
	if fault := set.fault.Load(); fault != nil {
		panic(*fault)
	}
	return s.done()
}

// check panics if a function or query of a task is nil or zero.
func (t *Task) check(i int) {
	for _, f := range t.Run {
		if f == nil {
			panic(fmt.Sprintf("flatecs: RunTasks: task %d runs a nil function; "+
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
			fault = "flatecs: a task ended its goroutine; return from the system, or panic"
		}
		if fault != nil {
			first := fault // only this copy escapes to the heap
			set.fault.CompareAndSwap(nil, &first)
		}
	}()
	j.allowed, j.walked = t.Queries, 0
	end := j.blocks()
	if t.End != 0 {
		end = min(end, t.End)
	}
	if t.Fuse == 0 {
		j.call(t, t.First, end)
	} else {
		fuse := min(t.Fuse, end) // so that sums do not overflow 32 bits
		for first := t.First; first < end; first += fuse {
			j.call(t, first, min(first+fuse, end))
		}
	}
	returned = true
}

func (j *job) call(t *Task, from, to uint32) {
	j.from, j.to = from, to
	for _, f := range t.Run {
		f(newState(j))
	}
}

// part returns a context for a range of the world's objects.
func (j *job) part(number int) *job {
	return &job{
		Arena: j.Arena, whole: j, commands: j.commands.part(number),
		recipes: j.recipes, pools: j.pools,
	}
}

// stampAll stamps the rows that a task may have written. It runs after all tasks, because
// neighbouring tasks share stamps at their border.
func (j *job) stampAll(t *Task, part *job) {
	j.from, j.to = t.First, t.End
	if t.End == 0 {
		j.to = math.MaxUint32
	}
	for i := range t.Queries {
		if part.walked>>(i&63)&1 != 0 && j.planOf(t.Queries[i].spec).written != 0 {
			j.walk(t.Queries[i].spec, 0, func(Batch) bool { return true })
		}
	}
	j.from, j.to = 0, math.MaxUint32
}

// allows records that a task walks a query. It panics if the task does not list it.
func (j *job) allows(q *querySpec) {
	for i := range j.allowed {
		if j.allowed[i].spec == q {
			j.walked |= 1 << (i & 63)
			return
		}
	}
	panic("flatecs: this job walks a query that it does not list; add it to the job's Queries")
}

// Conflict returns a field that one of two lists of queries writes and the other one uses, if any.
// Systems that walk them must not run in parallel.
func Conflict(a, b []Query) (field *layout.FieldSpec, ok bool) {
	for _, p := range a {
		for _, q := range b {
			if f := conflict(p.declared(), q.declared()); f != nil {
				return f, true
			}
		}
	}
	return nil, false
}

func conflict(p, q *querySpec) *layout.FieldSpec {
	for _, f := range p.fields() {
		for _, g := range q.fields() {
			if f.spec == g.spec && (f.write || g.write) {
				return f.spec
			}
		}
	}
	return nil
}

type fieldUse struct {
	spec  *layout.FieldSpec
	write bool
}

// fields returns the fields that a query asks for, including the kinds of its Changed terms.
func (q *querySpec) fields() (uses []fieldUse) {
	for _, t := range q.terms {
		if t.mode == changed {
			for _, k := range t.kinds {
				t.access = append(t.access, k)
			}
		}
		for _, a := range t.access {
			for _, f := range a.Fields() {
				uses = append(uses, fieldUse{f, t.mode == write})
			}
		}
	}
	return uses
}
